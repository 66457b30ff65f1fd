from __future__ import annotations

import pytest

from crawls.engine.extract.images import MAX_IMAGES
from tests.crawls.engine.extract.pages import body, head, read

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def images(content: str) -> list[str]:
    return [image.removeprefix("http://site.test") for image in read(body(content)).images]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('<img src="/a.jpg">', ["/a.jpg"]),
        ('<img src="a.jpg"><img src="/a.jpg"><img src="/a.jpg">', ["/dir/a.jpg", "/a.jpg"]),
        ('<img src="/f.jpg" srcset="/a.jpg 300w, /b.jpg 2x">', ["/f.jpg", "/a.jpg", "/b.jpg"]),
        (
            '<picture><source srcset="/a.webp, /b.webp 2x"><img src="/c.jpg"></picture>',
            ["/a.webp", "/b.webp", "/c.jpg"],
        ),
        ('<video poster="/p.jpg"><source src="/v.mp4"></video><audio><source src="/s.mp3"></audio>', []),
        ('<input type="image" src="/go.png"><input type="text" src="/no.png">', ["/go.png"]),
        ('<svg><image href="/s.png"/><image xlink:href="/t.png"/></svg>', ["/s.png", "/t.png"]),
        ("<image src=/u.png>", ["/u.png"]),
        ('<img src="blob:http://site.test/x"><img src="about:blank"><img src=""><img src="#"><img>', []),
        (f'<img src="{PIXEL}">', []),
        ('<img src="{{ image }}"><img src="<%= image %>"><img src="/${x}.png">', []),
        ('<img src="https://cdn.test/w_300,h_200/a.jpg">', ["https://cdn.test/w_300,h_200/a.jpg"]),
        # counters of visitors
        ('<img src="/t?x=1" width="1" height="1"><img src="/l.png" width="1" height="40">', ["/l.png"]),
        ('<img src="/data.png" data-x="1"><img src="/c.gif" width=1 height=1>', ["/data.png"]),
        # lazily loaded
        (f'<img src="{PIXEL}" data-src="/r.jpg">', ["/r.jpg"]),
        (f'<img src="{PIXEL}" data-srcset="/r.jpg 1x, /s.jpg 2x">', ["/r.jpg", "/s.jpg"]),
        ('<img src="/spacer.gif" data-original="/r.jpg">', ["/r.jpg"]),
        ('<img src="/img/lazy-placeholder.png?v=1" data-lazy-src="/r.jpg">', ["/r.jpg"]),
        ('<img src="/photo.jpg" data-src="/photo-large.jpg">', ["/photo.jpg", "/photo-large.jpg"]),
        ('<img data-lazy="/r.jpg"><img data-lazy="true" src="/s.jpg">', ["/r.jpg", "/s.jpg"]),
        ('<picture><source data-srcset="/l.webp 1x"><img data-src="/l.jpg"></picture>', ["/l.webp", "/l.jpg"]),
        ('<noscript><img src="/n.jpg"></noscript>', ["/n.jpg"]),
        ("<template><img src=/inert.jpg></template>", []),
        ("<x-a><template shadowrootmode=open><img src=/shadow.jpg></template></x-a>", ["/shadow.jpg"]),
        # style attributes
        ('<div style="background-image: url(/bg.jpg)"></div>', ["/bg.jpg"]),
        ("<div style='color:red;background:#fff url(\"bg.jpg\") no-repeat'></div>", ["/dir/bg.jpg"]),
        ('<div style="background:url( &quot;/q.jpg&quot; ), url(/r.jpg)"></div>', ["/q.jpg", "/r.jpg"]),
        (f'<div style="background:url({PIXEL})"></div>', []),
        ('<div style="filter:url(#blur);cursor:url(/c.cur)"></div>', []),
        ('<img src="/a.jpg"><p style="background:url(/b.jpg)"><img src="/c.jpg">', ["/a.jpg", "/b.jpg", "/c.jpg"]),
        ("<!-- <img src=/c.jpg> --><script>'<img src=/js.jpg>'</script>", []),
    ],
)
def test_images_are_what_a_browser_might_load(content: str, found: list[str]) -> None:
    assert images(content) == found


def test_a_page_with_style_images_is_read_like_any_other() -> None:
    page = read(
        body('<p style="background:url(/b.jpg)"><a href="/x" rel="nofollow">x</a><a href="/y">y</a><iframe src=/z>')
    )
    assert page.links.addresses == "http://site.test/y\nhttp://site.test/z"
    assert page.nofollow_links == 1


def test_a_tracking_pixel_in_the_heads_noscript_is_no_image() -> None:
    assert read(head('<noscript><img src="https://fb.test/tr?id=1"></noscript>')).images == ()


def test_images_follow_the_base_element() -> None:
    assert read(body('<img src="a.jpg">', '<base href="http://cdn.test/x/">')).images == ("http://cdn.test/x/a.jpg",)


def test_images_end_at_what_a_sitemap_takes_for_one_page() -> None:
    found = images("".join(f"<img src=/{number}.jpg>" for number in range(MAX_IMAGES + 50)))
    assert found == [f"/{number}.jpg" for number in range(MAX_IMAGES)]


def test_an_address_too_long_for_a_sitemap_is_left_out() -> None:
    assert images(f'<img src="/{"x" * 2_100}.jpg"><img src="/y.jpg">') == ["/y.jpg"]


@pytest.mark.parametrize("directive", ["noimageindex", "NOIMAGEINDEX, follow"])
def test_a_page_may_forbid_its_images(directive: str) -> None:
    assert read(body("<img src=/a.jpg>", f'<meta name="robots" content="{directive}">')).images == ()
