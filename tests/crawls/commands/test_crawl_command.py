"""`manage.py crawl` as a person runs it: its own process, a real site, real files."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers import origin
from tests.servers.origin import Answer, Origin, behaving, page
from tests.waiting import until

pytestmark = pytest.mark.slow

MANAGE = Path(__file__).resolve().parents[3] / "manage.py"
COLUMNS = "url,verdict,reason,evidence,status,final_url,canonical,depth,sources,rendered,lastmod,lastmod_source,title"


class Shell:
    """Runs the command with its own data folder and output folder."""

    def __init__(self, folder: Path) -> None:
        self.out = folder / "out"
        # In served mode the tests' own PostgreSQL is used; a data folder is needed all the same.
        self._environment = {**os.environ, "DATA_DIR": str(folder / "data"), "CRAWL_DEADLINE_S": "5"}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(MANAGE), "crawl", "--out", str(self.out), *arguments]
        return subprocess.Popen(  # noqa: S603 - our own command
            command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def run(self, *arguments: str) -> tuple[int, str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=90)
        return process.returncode, out + err

    def ledger(self) -> dict[str, dict[str, str]]:
        with (self.out / "ledger.csv").open(newline="") as file:
            return {row["url"]: row for row in csv.DictReader(file)}

    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads((self.out / "report.json").read_text())
        return report


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def site(pages: int = 3) -> dict[str, Any]:
    routes: dict[str, Any] = {"/": page(*[f"/{number}" for number in range(pages)], title="=Home")}
    return routes | {f"/{number}": page(title=f"Page {number}") for number in range(pages)}


@pytest.fixture
def server() -> Iterator[Origin]:
    with Origin(site()) as one:
        yield one


def test_a_site_becomes_a_sitemap_a_ledger_and_a_report(shell: Shell, server: Origin) -> None:
    status, said = shell.run(f"{server.url}/")
    assert status == 0, said
    assert "4 of 4 known URLs are in the sitemap" in said
    assert sorted(path.name for path in shell.out.iterdir()) == [
        "ledger.csv",
        "report.json",
        "sitemap.xml",
        "sitemap.xml.gz",
    ]
    assert (shell.out / "ledger.csv").read_text().splitlines()[0] == COLUMNS
    home = shell.ledger()[f"{server.url}/"]
    assert (home["verdict"], home["reason"], home["depth"], home["sources"]) == ("in", "indexable", "0", "seed")
    assert home["title"] == "'=Home"  # no formula in anybody's spreadsheet
    report = shell.report()
    assert report["end_state"] == "complete"
    assert report["verdicts"] == {"in": 4, "out": 0}
    assert report["limits_met"] == {}
    assert (shell.out / "sitemap.xml").read_text().count("<loc>") == 4


def test_the_same_site_gives_the_same_bytes_again(shell: Shell, server: Origin) -> None:
    shell.run(f"{server.url}/")
    first = {name: (shell.out / name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz", "ledger.csv")}
    shell.run(f"{server.url}/", "--concurrency", "1")
    assert {name: (shell.out / name).read_bytes() for name in first} == first


def test_json_is_printed_for_other_programs(shell: Shell, server: Origin) -> None:
    process = shell.start(f"{server.url}/", "--json")
    out, _ = process.communicate(timeout=60)
    assert json.loads(out)["verdicts"]["in"] == 4


@pytest.mark.parametrize(
    ("routes", "arguments", "status", "words"),
    [
        (site(), ["--max-pages", "2"], 3, "max_pages"),
        ({"/robots.txt": Answer(b"User-agent: *\nDisallow: /", 200, {})}, [], 4, "robots.txt forbids"),
        ({"/robots.txt": Answer(b"", 503)}, [], 4, "503"),
        ({"/robots.txt": behaving(origin.banner)}, [], 5, "cannot be reached"),
        ({"/": Answer(b"%PDF-1.7", 200, {"Content-Type": "application/pdf"})}, [], 5, "no web page"),
        ({}, [], 5, "could not be read"),
        (site(), ["--exclude", "no-slash"], 2, "'no-slash'"),
        (site(), ["--max-pages", "0"], 2, "max_pages"),
        (site(), ["--user-agent", "Ünicode"], 2, "user_agent"),
        (site(), ["--resume"], 2, "no unfinished crawl"),
        (site(), ["--render", "sometimes"], 2, "invalid choice"),
    ],
    ids=["limit", "forbidden", "robots 503", "no http", "pdf", "404", "pattern", "zero", "agent", "resume", "choice"],
)
def test_every_end_has_its_exit_code_and_its_words(
    shell: Shell, routes: dict[str, Any], arguments: list[str], status: int, words: str
) -> None:
    with Origin(routes) as server:
        code, said = shell.run(f"{server.url}/", *arguments)
    assert (code, words in said) == (status, True), said


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("http://no-such-host.invalid/", 5, "no-such-host.invalid"),
        ("ftp://example.com/", 2, "no web address"),
        ("", 2, "no web address"),
    ],
)
def test_a_bad_address_is_said_to_be_one(shell: Shell, address: str, status: int, words: str) -> None:
    code, said = shell.run(address)
    assert (code, words in said) == (status, True), said


def test_a_port_where_nothing_listens_fails_at_once(shell: Shell) -> None:
    with Origin({}) as gone:
        url = gone.url
    status, said = shell.run(f"{url}/")
    assert status == 5
    assert "refused" in said


def test_an_address_without_a_scheme_is_tried_as_https_and_then_http(shell: Shell, server: Origin) -> None:
    status, said = shell.run(server.host)
    assert status == 0, said
    assert f"{server.url}/" in shell.ledger()


def test_a_directory_that_cannot_be_one_is_refused_before_anything_is_fetched(shell: Shell, server: Origin) -> None:
    shell.out.parent.joinpath("file").write_text("in the way")
    shell.out = shell.out.parent / "file" / "out"
    status, said = shell.run(f"{server.url}/")
    assert status == 5
    assert "cannot be written" in said
    assert server.asked() == []


def test_two_crawls_into_one_directory_do_not_mix(shell: Shell) -> None:
    with Origin(site(200)) as slow, Origin(site()) as quick:
        first = shell.start(f"{slow.url}/", "--rate", "20")
        until(lambda: len(slow.asked()) > 3)
        status, said = shell.run(f"{quick.url}/")
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
    assert status == 5
    assert "being written by another crawl" in said
    assert f"{slow.url}/" in shell.ledger()


def test_ctrl_c_ends_cleanly_with_what_was_found(shell: Shell) -> None:
    with Origin(site(300)) as server:
        process = shell.start(f"{server.url}/", "--rate", "30")
        until(lambda: len(server.asked()) > 15)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    report = shell.report()
    assert report["end_state"] == "stopped"
    assert report["reasons"]["stopped"] > 0
    assert sum(report["reasons"].values()) == 301


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_crawl_that_was_ended_goes_on_without_loss_or_doubles(shell: Shell, end: signal.Signals) -> None:
    with Origin(site(1_500)) as server:
        process = shell.start(f"{server.url}/")
        until(lambda: len(server.asked()) > 700)
        process.send_signal(end)
        process.communicate(timeout=60)
        asked = len(server.asked())
        status, said = shell.run(f"{server.url}/", "--resume")
        assert status == 0, said
    with (shell.out / "ledger.csv").open(newline="") as file:
        ledger = [row["url"] for row in csv.DictReader(file)]
    assert len(ledger) == len(set(ledger)) == 1_501
    assert shell.report()["verdicts"] == {"in": 1_501, "out": 0}
    assert len(server.asked()) - asked < 1_501


def test_a_hidden_private_address_is_not_reached_from_a_site(shell: Shell) -> None:
    with Origin({"/": page()}) as secret:
        routes = {"/": page("/go", f"{secret.url}/"), "/go": origin.redirect(f"{secret.url}/")}
        with Origin(routes) as server:
            status, said = shell.run(f"{server.url}/")
    assert status == 0, said
    assert secret.requests == []
