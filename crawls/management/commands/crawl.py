"""`manage.py crawl START_URL`: one site in, its sitemap, ledger and report out."""

from __future__ import annotations

import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from crawls import checks, conf, messages, runner
from crawls.engine.frontier.scope import Scope
from crawls.engine.policy import Policy, RenderMode
from crawls.engine.records import EndState, Report
from crawls.management.terminal import Watcher
from crawls.services import jobs, publish
from sitemaps.publishing import PublishError, reserved

VERSION = "0.1.0"
USAGE, FAILED = 2, 5
EXIT_CODES = {
    EndState.COMPLETE: 0,
    EndState.PARTIAL: 3,
    EndState.BLOCKED: 4,
    EndState.FAILED: FAILED,
    EndState.STOPPED: 130,
}


class Command(BaseCommand):
    """Crawls one site in the foreground; needs no other process."""

    # Those of our own settings; the admin's and templates' are no concern of a crawl, and cost as much as 100 pages.
    requires_system_checks = (checks.TAG,)
    help = (
        "Crawl a website and write its sitemap, a ledger of every URL, and a report. "
        "Exit codes: 0 complete, 2 usage, 3 partial (a limit was met), 4 blocked (robots.txt), 5 failed, 130 stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("start_url", help="where to start; without a scheme https is tried, then http")
        parser.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="where the files go (out)")
        parser.add_argument("--max-pages", type=int, metavar="N", help="fetch at most N pages")
        parser.add_argument("--max-depth", type=int, metavar="N", help="follow links at most N levels deep")
        parser.add_argument("--rate", type=float, metavar="R", help="requests a second at the start; 0: no delay")
        parser.add_argument("--concurrency", type=int, metavar="N", help="requests at the same time")
        for name, text in (
            ("include", "only these: a pattern on path and query, * and a trailing $ as in robots.txt"),
            ("exclude", "neither fetch nor list"),
            ("no-list", "fetch, but do not list"),
            ("no-fetch", "list, but do not fetch"),
        ):
            parser.add_argument(f"--{name}", action="append", default=[], metavar="P", help=f"{text}; may be repeated")
        parser.add_argument(
            "--render", choices=[mode.value for mode in RenderMode], help="use a browser (not built yet)"
        )
        parser.add_argument("--user-agent", metavar="UA", help="how to call ourselves, also for robots.txt")
        parser.add_argument("--resume", action="store_true", help="go on with a crawl that was killed or stopped")
        parser.add_argument("--json", action="store_true", help="print the report as JSON on standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        addresses, policy = self._plan(options)
        directory: Path = options["out"].resolve()
        stop = threading.Event()
        watcher = Watcher(sys.stderr)
        try:
            with reserved(directory), _stopping(stop):
                report = self._crawl(addresses, policy, directory, options, stop, watcher)
        except PublishError as error:
            raise CommandError(f"{error}. {messages.remedy(error.code)}", returncode=FAILED) from error
        except jobs.JobError as error:
            raise CommandError(str(error), returncode=USAGE) from error
        except DatabaseError as error:
            words = messages.remedy("database_error")
            raise CommandError(f"the database failed: {error}. {words}", returncode=FAILED) from error
        self._tell(report, directory, as_json=options["json"])
        sys.exit(EXIT_CODES[report.state])

    def _plan(self, options: dict[str, Any]) -> tuple[tuple[str, ...], Policy]:
        try:
            addresses = runner.start_urls(options["start_url"])
            policy = conf.policy_for(_wishes(options))
            Scope(addresses[0], policy, this_year=2000)  # for its patterns: a bad one is said before anything runs
        except ValueError as error:
            raise CommandError(str(error), returncode=USAGE) from error
        if problems := policy.problems():
            raise CommandError("; ".join(problems), returncode=USAGE)
        if options["rate"] is None and all(map(runner.is_local, addresses)):
            policy = replace(policy, politeness=replace(policy.politeness, rate_per_s=0.0))
        return addresses, runner.trusting_start(policy, addresses)

    def _crawl(
        self,
        addresses: tuple[str, ...],
        policy: Policy,
        directory: Path,
        options: dict[str, Any],
        stop: threading.Event,
        watcher: Watcher,
    ) -> Report:
        call_command("migrate", verbosity=0, interactive=False)
        if options["resume"]:
            job = jobs.resume(start_url=addresses[0])
        else:
            job = jobs.begin(start_url=addresses[0], policy=policy, output_dir=str(directory))
        report = runner.run(job=job, addresses=addresses, policy=policy, watcher=watcher, stop=stop)
        watcher.close()
        publish.write_files(job=job, report=report, directory=directory, version=VERSION)
        return report

    def _tell(self, report: Report, directory: Path, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write((directory / "report.json").read_text(encoding="utf-8"))
            return
        listed = report.reasons.get("indexable", 0)
        known = sum(report.reasons.values())
        self.stdout.write(f"{report.state}: {report.why}")
        if report.state is not EndState.COMPLETE:
            self.stdout.write(messages.remedy(report.code or report.state))
        self.stdout.write(f"{listed} of {known} known URLs are in the sitemap:")
        for reason, count in sorted(report.reasons.items(), key=lambda item: -item[1]):
            self.stdout.write(f"  {count:>8}  {messages.words(reason)}")
        self.stdout.write(f"{directory}/sitemap.xml, ledger.csv, report.json")


def _wishes(options: dict[str, Any]) -> dict[str, Any]:
    """The command line as wishes of a site (`conf.policy_for`)."""
    plain = {"max_pages": options["max_pages"], "max_depth": options["max_depth"], "render": options["render"]}
    wishes: dict[str, Any] = {name: value for name, value in plain.items() if value is not None}
    pace = {"rate_per_s": options["rate"], "concurrency": options["concurrency"]}
    wishes["politeness"] = {name: value for name, value in pace.items() if value is not None}
    if options["rate"] is not None:
        wishes["politeness"]["max_rate_per_s"] = max(8.0, options["rate"])
    if options["user_agent"] is not None:
        wishes["fetching"] = {"user_agent": options["user_agent"]}
    wishes["rules"] = {
        "only": options["include"],
        "exclude": options["exclude"],
        "no_list": options["no_list"],
        "no_fetch": options["no_fetch"],
    }
    return wishes


@contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM asks the crawl to end; the second ends the process."""

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
