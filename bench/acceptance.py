#!/usr/bin/env python3
"""Crawls the handed real sites and hazards, and compares what is listed with the truth; exit status 0 when all is well.

    bench/acceptance.py [--sites] [--chaos]      both without an argument

Needs the shared material (../shared, or SURVEYOR_SHARED); its sites/serve.py downloads documentation packages.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("SURVEYOR_SHARED") or ROOT.parent / "shared")
SITES = SHARED / "sites"
CACHE = ROOT / ".cache" / "sites"
CHAOS = "http://127.0.0.1:18100"
# A hazard costs at most this, however it behaves: robots.txt and page deadlines, three attempts, an open breaker.
HAZARD_BUDGET_S = 300
HAZARD_MEMORY_MB = 700


@contextlib.contextmanager
def served() -> Iterator[None]:
    """The sites and the chaos server, until the block ends."""
    CACHE.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(SITES / "serve.py"), str(CACHE)]
    # Its standard error tells of every client that left early, as ours does on purpose.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in process.stdout or ():
            if line.startswith("ready"):
                break
        _wait_for_chaos()
        yield
    finally:
        process.terminate()
        process.wait()


def _wait_for_chaos() -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            _ask("/_stats")
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


def crawl(url: str, folder: Path, *arguments: str) -> tuple[int, float, int]:
    """Crawl into a folder; exit status, seconds, and the size of the largest process in MB."""
    command = [sys.executable, str(ROOT / "manage.py"), "crawl", url, "--out", str(folder), *arguments]
    started = time.monotonic()
    environment = {**os.environ, "DATA_DIR": str(folder / "data")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - started, usage.ru_maxrss // 1024


def check_sites() -> bool:
    """Each documentation site lists exactly what its truth says, in a valid file."""
    good = True
    for truth in sorted((SITES / "truth").glob("*.json")):
        known = json.loads(truth.read_text())
        if "start_url" in known:
            good &= _check_site(truth, known["start_url"])
    return good


def _check_site(truth: Path, start_url: str) -> bool:
    with tempfile.TemporaryDirectory() as name:
        sitemap = Path(name) / "sitemap.xml"
        status, seconds, memory = crawl(start_url, Path(name))
        compared = _run(str(SITES / "compare.py"), str(truth), str(sitemap))
        validated = _run(str(ROOT / "manage.py"), "validate_sitemap", str(sitemap))
    passed = (status, compared.returncode, validated.returncode) == (0, 0, 0)
    last = (compared.stdout.strip().splitlines() or [compared.stderr])[-1]
    print(f"{'ok  ' if passed else 'FAIL'} {last} | exit {status}, {seconds:.0f} s, {memory} MB", flush=True)
    return passed


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def check_chaos() -> bool:
    """Each hazard of the static path ends by itself, within its budget, its pages found and the canary silent."""
    good = True
    for hazard in json.loads((SITES / "truth/chaos.json").read_text())["hazards"]:
        if hazard["kind"] not in ("browser", "canary"):
            good &= _check_hazard(hazard)
    return good


def _check_hazard(hazard: dict[str, Any]) -> bool:
    _ask("/_reset")
    with tempfile.TemporaryDirectory() as name:
        # The trap's own terms: 500 pages, deep enough for its chain of real ones.
        arguments = ["--max-depth", "25", "--max-pages", "500"] if hazard["name"] == "trap" else []
        status, seconds, memory = crawl(hazard["start_url"].removesuffix("*"), Path(name), *arguments)
        listed, rows = _ledger(Path(name) / "ledger.csv")
    missing = [url for url in hazard["must_be_found"] if url not in listed]
    asked = json.loads(_ask("/_stats"))["requests"]
    hits = sum(told["hits"] for place, told in asked.items() if place.startswith("18113 "))
    passed = not missing and not hits and rows > 0 and seconds < HAZARD_BUDGET_S and memory < HAZARD_MEMORY_MB
    told = f"exit {status}, {seconds:.0f} s, {memory} MB, {len(listed)} listed of {rows}, canary {hits}"
    print(f"{'ok  ' if passed else 'FAIL'} {hazard['name']}: {told} {missing[:3] or ''}", flush=True)
    return passed


def _ask(path: str) -> bytes:
    with urllib.request.urlopen(f"{CHAOS}{path}") as answer:
        body: bytes = answer.read()
        return body


def _ledger(path: Path) -> tuple[set[str], int]:
    if not path.exists():
        return set(), 0
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["url"] for row in rows if row["verdict"] == "in"}, len(rows)


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", action="store_true")
    parser.add_argument("--chaos", action="store_true")
    chosen = parser.parse_args()
    if not SITES.is_dir():
        print(f"the handed sites are not at {SITES}; set SURVEYOR_SHARED")
        return 2
    both = chosen.sites == chosen.chaos
    with served():
        good = check_sites() if both or chosen.sites else True
        good &= check_chaos() if both or chosen.chaos else True
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
