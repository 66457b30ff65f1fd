"""What the validator finds, and where."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sitemaps.protocol.validate import validate

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
GOOD = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NS}>\n<url><loc>http://s.test/a</loc></url>\n</urlset>\n'


def urlset(entry: str) -> bytes:
    return f"<urlset {NS}>\n{entry}\n</urlset>".encode()


def test_a_good_file_has_no_problem() -> None:
    for body in (GOOD.encode(), gzip.compress(GOOD.encode())):
        report = validate(body, "http://s.test/sitemap.xml")
        assert report.valid
        assert report.problems == []
        assert report.count == 1


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        (b"<urlset", "not_well_formed", 1),
        (GOOD.replace("</url>", "").encode(), "not_well_formed", 4),
        (GOOD.replace("sitemap/0.9", "sitemap/0.84").encode(), "namespace", 2),
        (GOOD.replace("http://www.sitemaps", "https://www.sitemaps").encode(), "namespace", 2),
        (b"<html><body/></html>", "root", 1),
        (urlset("<url><lastmod>2024</lastmod></url>"), "empty_loc", 2),
        (urlset("<url><loc>/a</loc></url>"), "bad_loc", 2),
        (urlset("<url><loc>http://s.test/" + "x" * 2_040 + "</loc></url>"), "loc_too_long", 2),
        (urlset("<url><lastmod>2024</lastmod><loc>http://s.test/</loc></url>"), "element_order", 2),
        (urlset("<url><loc>http://s.test/</loc><loc>http://s.test/</loc></url>"), "element_order", 2),
        (urlset("<url><loc>http://s.test/</loc><lastmod>Wed, 01 May 2024</lastmod></url>"), "bad_lastmod", 2),
        (urlset("<url><loc>http://s.test/</loc><changefreq>often</changefreq></url>"), "bad_changefreq", 2),
        (urlset("<url><loc>http://s.test/</loc><priority>2</priority></url>"), "bad_priority", 2),
        (urlset("<url><loc>http://s.test/</loc><image>x</image></url>"), "unexpected_element", 2),
        (urlset("<entry/>"), "unexpected_element", 2),
        (urlset("<url><loc>http://s.test/</loc></url>\n<url><loc>http://S.test</loc></url>"), "duplicate_loc", 3),
        (b"<?xml version='1.0' encoding='latin-1'?>" + urlset("<url><loc>http://s.test/</loc></url>"), "not_utf8", 1),
        (gzip.compress(GOOD.encode())[:40], "gzip_truncated", 0),
        (b"plain words", "bad_loc", 1),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_line(body: bytes, code: str, line: int) -> None:
    report = validate(body)
    assert not report.valid
    assert (code, line) in {(problem.code, problem.line) for problem in report.problems}


def test_too_many_entries_are_an_error() -> None:
    body = f"<urlset {NS}>{''.join(f'<url><loc>http://s.test/{n}</loc></url>' for n in range(50_001))}</urlset>"
    assert "too_many_urls" in {problem.code for problem in validate(body.encode()).problems}


def test_entries_outside_of_the_files_folder_are_warned_of() -> None:
    report = validate(GOOD.encode(), "http://s.test/maps/sitemap.xml")
    assert report.valid
    assert [problem.code for problem in report.problems] == ["outside_location"]


def test_the_command_checks_a_file_and_the_children_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    child = "<sitemap><loc>http://s.test/one.xml</loc></sitemap><sitemap><loc>http://s.test/two.xml</loc></sitemap>"
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex {NS}>{child}</sitemapindex>")
    (tmp_path / "one.xml").write_text(GOOD)
    (tmp_path / "two.xml").write_text(GOOD.replace("http://s.test/a", "/a"))
    with pytest.raises(SystemExit) as ended:
        call_command("validate_sitemap", str(tmp_path / "sitemap.xml"), "--json")
    assert ended.value.code == 1
    files = {Path(file["where"]).name: file for file in json.loads(capsys.readouterr().out)["files"]}
    assert files["one.xml"]["valid"]
    assert not files["two.xml"]["valid"]


def test_the_command_is_content_with_a_good_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(GOOD.encode()))
    call_command("validate_sitemap", str(tmp_path / "sitemap.xml.gz"))
    assert "valid" in capsys.readouterr().out


def test_the_command_says_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"missing\.xml"):
        call_command("validate_sitemap", str(tmp_path / "missing.xml"))
