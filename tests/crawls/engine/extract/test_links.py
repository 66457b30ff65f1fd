from __future__ import annotations

import pytest

from crawls.engine import urls
from crawls.engine.extract.document import Extraction
from tests.crawls.engine.extract.pages import body, link, links, links_of, read


@pytest.mark.parametrize(
    ("href", "address"),
    [
        # white space: stripped around, tab and line ends removed inside, blanks encoded (HTML 2.3.11, URL 4.4)
        (" /a ", "http://site.test/a"),
        ("\n\t/a\r\n", "http://site.test/a"),
        ("/a\nb\tc", "http://site.test/abc"),
        ("/a b", "http://site.test/a%20b"),
        ("\x01/a", "http://site.test/a"),
        (" x.html", "http://site.test/dir/x.html"),
        ("ht\ntp://site.test/z", "http://site.test/z"),
        # relative references (RFC 3986 section 5.4, where browsers agree)
        ("x.html", "http://site.test/dir/x.html"),
        ("help.html", "http://site.test/dir/help.html"),
        ("./x", "http://site.test/dir/x"),
        ("../x", "http://site.test/x"),
        ("../../../x", "http://site.test/x"),
        ("?q=1", "http://site.test/dir/page.html?q=1"),
        (" ?q=1", "http://site.test/dir/page.html?q=1"),
        ("//other.test/x", "http://other.test/x"),
        ("http:x", "http://site.test/dir/x"),
        ("https:/x", "https://x/"),
        ("/x#part", "http://site.test/x"),
        ("www.other.test/x", "http://site.test/dir/www.other.test/x"),
        # scheme, host and port
        ("HTTP://SITE.TEST/X", "http://site.test/X"),
        ("http://site.test:80/x", "http://site.test/x"),
        ("https://site.test:443/x", "https://site.test/x"),
        ("http://site.test:443/x", "http://site.test:443/x"),
        ("http://site.test", "http://site.test/"),
        ("http://b\u00fccher.test/x", "http://xn--bcher-kva.test/x"),
        ("http://user:secret@site.test/x", "http://site.test/x"),
        ("http://site.test@evil.test/x", "http://evil.test/x"),
        ("http://site.test./x", "http://site.test/x"),
        ("http://site.test.:8080/x", "http://site.test:8080/x"),
        ("http://[2001:DB8::1]/x", "http://[2001:db8::1]/x"),
        # the path as it is
        ("/x/", "http://site.test/x/"),
        ("/x", "http://site.test/x"),
        ("/Path/CASE", "http://site.test/Path/CASE"),
        ("/a//b", "http://site.test/a//b"),
        ("/a/./b/../c", "http://site.test/a/c"),
        ("/%7Euser/%e3%83%84", "http://site.test/%7Euser/%e3%83%84"),
        ("/100%", "http://site.test/100%"),
        ("/m/@cf/x,y;z=1!$()*", "http://site.test/m/@cf/x,y;z=1!$()*"),
        ("/q?a=b+c&d=%2B", "http://site.test/q?a=b+c&d=%2B"),
        ("/\u00fc?\u00fc", "http://site.test/%C3%BC?%C3%BC"),
        # backslashes are slashes, but not in the query, and never when encoded
        ("\\news\\today", "http://site.test/news/today"),
        ("http:\\\\site.test\\b", "http://site.test/b"),
        ("/c?p=a\\b", "http://site.test/c?p=a\\b"),
        ("/d%5Ce", "http://site.test/d%5Ce"),
        # tracking and sessions
        ("/x?utm_source=a&id=1", "http://site.test/x?id=1"),
        ("/x?gclid=1", "http://site.test/x"),
        ("/x;jsessionid=ABC123?id=1", "http://site.test/x?id=1"),
    ],
)
def test_a_reference_becomes_the_address_that_a_browser_would_ask_for(href: str, address: str) -> None:
    assert link(href) == address


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@b.test", "TEL:+49123", " JavaScript:void(0)", "java\nscript:alert(1)", "data:text/html,hi", "blob:x",
        "ftp://site.test/x", "file:///etc/passwd", "about:blank", "sms:+1", "whatsapp://send", "ws://site.test/",
        "view-source:http://site.test/", "//", "http://", "http:///", "http://ex ample.test/", "http://site.test:99999/",
        "http://a%00b.test/", "#", "#part", " #part", "",
    ],
)  # fmt: skip
def test_what_is_no_address_on_the_web_is_no_link(href: str) -> None:
    assert link(href) is None


@pytest.mark.parametrize(
    "href",
    [
        "{{ url }}", "/x/{{id}}", "${link}", "/a/${id}/b", "#{path}x", "/{% url %}", "[[href]]", "/users/{id}",
        "<%= link %>", "/%7B%7Bslug%7D%7D", "/%3C%25=x%25%3E", "/a<b>", "'+id+'", "/x/'+id+'", "' + url + '",
        "/a&quot;b", "&lt;a href=/x",
    ],
)  # fmt: skip
def test_template_marks_and_scraps_of_scripts_are_no_links(href: str) -> None:
    assert link(href) is None


@pytest.mark.parametrize("href", ["/o'brien", "/a{b", "/x?filter[a]=1", "/~me", "/a|b", "/100%25"])
def test_odd_but_sound_characters_are_no_garbage(href: str) -> None:
    assert link(href) is not None


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("/l?a=1&amp;p=2", "/l?a=1&p=2"),
        ("/l?a=1&#38;p=3", "/l?a=1&p=3"),
        ("/l?a=1&#x26;p=3", "/l?a=1&p=3"),
        ("/l?x=1&copy=2", "/l?x=1&copy=2"),
        ("/l?x=1&lang=de&reg=2&section=3&para=4", "/l?x=1&lang=de&reg=2&section=3&para=4"),
        ("/l?x=1&copyright", "/l?x=1&copyright"),
        ("/l?x=1&amp;amp;y=2", "/l?x=1&amp;y=2"),
        ("/l?x=1&notanentity;", "/l?x=1&notanentity;"),
        ("/l&eacute;", "/l%C3%A9"),
        ("/l?a=1&ampb=2", "/l?a=1&ampb=2"),
    ],
)
def test_character_references_in_attributes_are_decoded_once(written: str, address: str) -> None:
    assert link(written) == f"http://site.test{address}"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('<area href="/map">', ["/map"]),
        ('<svg><a href="/new"><text>x</text></a></svg>', ["/new"]),
        ('<svg><a xlink:href="/old"><text>x</text></a></svg>', ["/old"]),
        ('<svg><a href="/new" xlink:href="/old"></a></svg>', ["/new"]),
        ('<svg><use xlink:href="/sprite.svg#i"/><use href="/s.svg#j"/></svg>', []),
        ('<iframe src="/frame"></iframe>', ["/frame"]),
        ('<iframe src="about:blank"></iframe><iframe></iframe>', []),
        ("<A HREF=/one>1</A><a href='/two' class=x>2<a href=\"/three\">3</a>", ["/one", "/two", "/three"]),
        ("<p><table><a href=/five>5</table>", ["/five"]),
        ('<a\nhref\n=\n"/n">x</a><a/href="/s">y</a>', ["/n", "/s"]),
        ('<a href="/first" href="/second">x</a>', ["/first"]),
        ("<div></span></p></div></body><a href=/a>x</a></html><a href=/b>x</a>", ["/a", "/b"]),
        ("</html><html><body><a href=/a>x</a></body></html> x <!-- c --><a href=/b>x</a>", ["/a", "/b"]),
        ('<a title="a>b" href="/gt">x</a>', ["/gt"]),
        ('<a name="x">no</a><a href>no</a><link href="/css">', []),
        ('<form action="/send"><button formaction="/other">x</button></form>', []),
        ('<select><option><a href="/o">x</a></select>', ["/o"]),
        ('<noscript><a href="/fallback">x</a></noscript>', ["/fallback"]),
        ("<template><a href=/inert>x</a><img src=/i.png></template><a href=/live>x</a>", ["/live"]),
        ('<x-a><template shadowrootmode="open"><a href="/shadow">x</a></template></x-a>', ["/shadow"]),
        ("<template shadowrootmode=open><template><a href=/i>x</a></template><a href=/s>x</a></template>", ["/s"]),
        ("<template><div><template shadowrootmode=open><a href=/i>x</a></template></div></template>", []),
        ("<!-- <a href=/commented>x</a> --><a href=/after>x</a>", ["/after"]),
        ("<!--><a href=/1>x</a><!-- x --!><a href=/2>x</a>", ["/1", "/2"]),
        ("<script>var a = '<a href=\"/js\">x</a>';</script>", []),
        ("<script><!-- <script> <a href=/js> </script> --></script><a href=/after>x</a>", ["/after"]),
        ("<textarea><a href=/t>x</a></textarea><style><a href=/s></style><xmp><a href=/x></xmp>", []),
        ("<title><a href=/t>x</a></title><a href=/after>x</a>", ["/after"]),
        ('<a href="/a">1</a><a href="/b">2</a><a href="/a#x">3</a>', ["/a", "/b"]),
    ],
)
def test_links_stand_where_browsers_see_them(content: str, found: list[str]) -> None:
    assert links(content) == [f"http://site.test{one}" for one in found]


def test_framesets_lead_to_their_frames() -> None:
    page = read('<html><frameset cols="1,2"><frame src="nav.html"><frame src="main.html"></frameset></html>')
    assert links_of(page) == ["http://site.test/dir/nav.html", "http://site.test/dir/main.html"]


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ('<base href="/root/sub/">', "http://site.test/root/sub/x"),
        ('<base target="_top"><base href="/one/"><base href="/two/">', "http://site.test/one/x"),
        ('<base href="http://other.test/y/z">', "http://other.test/y/x"),
        ('<base href="up/">', "http://site.test/dir/up/x"),
        ('<base href="">', "http://site.test/dir/x"),
        ('<base href="javascript:alert(1)">', "http://site.test/dir/x"),
        ('<base href="http://">', "http://site.test/dir/x"),
        ('<base href="ftp://f.test/"><base href="/two/">', "http://site.test/dir/x"),
        ('<template><base href="/inert/"></template>', "http://site.test/dir/x"),
        ("", "http://site.test/dir/x"),
    ],
)
def test_the_first_base_with_href_counts(head: str, address: str) -> None:
    assert links_of(read(body('<a href="x">x</a>', head))) == [address]


def test_a_base_behind_links_holds_for_them_too() -> None:
    assert links('<a href="x">x</a><base href="/later/">') == ["http://site.test/later/x"]


FOLLOWED = ["nofollowing", "ugc", "sponsored", "", "noopener"]
NOT_FOLLOWED = ["nofollow", "NoFollow noopener", "noopener\nnofollow", "ugc nofollow"]


@pytest.mark.parametrize("rel", [*FOLLOWED, *NOT_FOLLOWED])
def test_rel_nofollow_keeps_a_link_out_and_counts_it(rel: str) -> None:
    page = read(body(f'<a rel="{rel}" href="/x">x</a><map><area rel="{rel}" href="/y"></map>'))
    assert (len(page.links), page.nofollow_links) == ((2, 0) if rel in FOLLOWED else (0, 2))


def test_nofollow_links_are_taken_where_the_site_asks_for_them() -> None:
    page = read(body('<a rel="nofollow" href="/x">x</a>'), options=Extraction(follow_nofollow=True))
    assert links_of(page) == ["http://site.test/x"]
    assert page.nofollow_links == 0


def test_keys_and_addresses_stand_in_the_same_order() -> None:
    page = read(body('<a href="/b?y=2&x=1">1</a><a href="/a">2</a><a href="/b?x=1&y=2">same key</a>'))
    addresses = links_of(page)
    assert addresses == ["http://site.test/b?y=2&x=1", "http://site.test/a"]
    keys = memoryview(page.links.keys).cast("q").tolist()
    assert keys == [urls.key_of(address) for address in addresses]


def test_links_end_at_the_limit() -> None:
    page = read(body("".join(f"<a href=/{number}>x</a>" for number in range(50))), options=Extraction(max_links=7))
    assert links_of(page) == [f"http://site.test/{number}" for number in range(7)]


def test_a_reference_of_unheard_of_length_is_no_link() -> None:
    assert links(f'<a href="/{"x" * 9_000}">x</a><a href="/{"y" * 3_000}">long, and reported as such</a>') == [
        f"http://site.test/{'y' * 3_000}"
    ]
