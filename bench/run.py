#!/usr/bin/env python3
"""Measures Surveyor against rivals in the same run, as ratios: bench/run.py [--pages N] [--rounds N] [--quick].

Prints a table and writes .cache/bench/result.json. Needs the shared material (../shared, or SURVEYOR_SHARED), nginx and
wget from the distribution; rivals get a virtual environment of their own. CPU is user and system time of the whole
process tree, medians over the rounds. Figures with other load on the machine are worth nothing.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("SURVEYOR_SHARED") or ROOT.parent / "shared")
CACHE = ROOT / ".cache" / "bench"
RIVALS = CACHE / "rivals" / "bin" / "python"


@dataclass(frozen=True)
class Run:
    """What one command took: CPU and wall seconds, peak of the summed resident sizes in MB, and what it printed."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    out: str = ""


def measure(command: list[str], **environment: str) -> Run:
    """Run a command and everything it starts."""
    before = os.times()
    started = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment}
    )
    peak = [0.0]
    watcher = threading.Thread(target=_watch, args=(process.pid, peak), daemon=True)
    watcher.start()
    out, _ = process.communicate()
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return Run(cpu, time.monotonic() - started, peak[0], out)


def _watch(root: int, peak: list[float]) -> None:
    while (total := _tree_mb(root)) > 0:
        peak[0] = max(peak[0], total)
        time.sleep(0.1)


def _tree_mb(root: int) -> float:
    total = 0.0
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, IndexError):
            continue  # ended in the meantime
    return total


def prepare(pages: int) -> tuple[Path, int]:
    """The benchmark site behind nginx; its folder and port."""
    for tool, package in (("nginx", "nginx-light"), ("wget", "wget")):
        if shutil.which(tool) is None:
            sudo = [] if os.geteuid() == 0 else ["sudo"]
            subprocess.run([*sudo, "apt-get", "install", "-y", "-qq", package], check=True)
    if not RIVALS.exists():
        subprocess.run([sys.executable, "-m", "venv", str(RIVALS.parents[1])], check=True)
        subprocess.run([RIVALS, "-m", "pip", "install", "-q", "scrapy", "ultimate-sitemap-parser"], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    folder = CACHE / "site"
    shutil.rmtree(folder, ignore_errors=True)
    generate = [sys.executable, str(SHARED / "bench/gensite.py"), str(folder / "site"), str(pages), f"127.0.0.1:{port}"]
    subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
    config = (SHARED / "bench/nginx.conf.in").read_text().replace("@DIR@", str(folder)).replace("@PORT@", str(port))
    user = "user root; " if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(user + config)
    subprocess.run(["nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"], check=True)
    return folder, port


def crawl_commands(folder: Path, port: int) -> dict[str, list[str]]:
    """Ours and the rivals', each from the same start."""
    url = f"http://127.0.0.1:{port}/"
    scrapy = [str(RIVALS), str(SHARED / "bench/rival_scrapy.py"), url, str(folder / "scrapy.txt"), "16"]
    lean = [str(RIVALS), str(SHARED / "bench/rival_scrapy_lean.py"), url, str(folder / "lean.txt"), "16"]
    wget = ["wget", "-nv", "-r", "-l", "inf", "-nd", "--delete-after", "-P", str(folder / "wget"), url]
    ours = [
        sys.executable,
        str(ROOT / "manage.py"),
        "crawl",
        url,
        "--out",
        str(folder / "out"),
        "--max-pages",
        "100000",
    ]
    return {"surveyor": ours, "scrapy CrawlSpider": scrapy, "scrapy lean": lean, "wget": wget}


def crawls(folder: Path, port: int, rounds: int) -> dict[str, Run]:
    """Medians of every crawler, taken in turn."""
    runs: dict[str, list[Run]] = {}
    for _ in range(rounds):
        for name, command in crawl_commands(folder, port).items():
            shutil.rmtree(folder / "data", ignore_errors=True)
            runs.setdefault(name, []).append(measure(command, DATA_DIR=str(folder / "data")))
    return {name: _median(those) for name, those in runs.items()}


def _median(runs: list[Run]) -> Run:
    return Run(
        statistics.median(run.cpu_s for run in runs),
        statistics.median(run.wall_s for run in runs),
        max(run.peak_mb for run in runs),
    )


def listed_is_right(folder: Path) -> bool:
    """Whether the listed set equals what the site's generator says."""
    with (folder / "out/ledger.csv").open(newline="") as file:
        listed = {row["url"] for row in csv.DictReader(file) if row["verdict"] == "in"}
    return listed == set((folder / "site/expected.txt").read_text().split())


def reading(folder: Path) -> dict[str, Any]:
    """A sitemap of 50,000 entries, read by us and by ultimate-sitemap-parser."""
    entry = (
        "<url><loc>https://www.example.com/products/category-{0}/item-number-{1}.html</loc>"
        "<lastmod>2024-01-{2:02}T10:00:00+00:00</lastmod><changefreq>weekly</changefreq><priority>0.5</priority>"
        "<image:image><image:loc>https://cdn.example.com/img/{1}.jpg</image:loc></image:image></url>\n"
    )
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
    )
    path = folder / "fifty.xml"
    body = "".join(entry.format(number % 50, number, number % 28 + 1) for number in range(50_000))
    path.write_text(f"{head}{body}</urlset>\n")
    script = str(ROOT / "bench/reading.py")
    ours = [json.loads(measure([sys.executable, script, "ours", str(path)]).out) for _ in range(3)]
    theirs = [json.loads(measure([str(RIVALS), script, "usp", str(path)]).out) for _ in range(3)]
    cpu, rival = (statistics.median(run["cpu_s"] for run in runs) for runs in (ours, theirs))
    return {
        "cpu_s": cpu,
        "usp_cpu_s": rival,
        "times_faster": rival / cpu,
        "peak_mb": max(run["peak_mb"] for run in ours),
    }


def writing(folder: Path, count: int) -> dict[str, Any]:
    """A million entries with two images each, against gzip alone on the same bytes."""
    out = folder / "written"
    shutil.rmtree(out, ignore_errors=True)
    told = json.loads(measure([sys.executable, str(ROOT / "bench/writing.py"), str(count), str(out)]).out)
    files = [str(path) for path in sorted(out.glob("*.xml"))]
    alone = measure(["sh", "-c", 'for file in "$@"; do gzip -6 -c "$file" >/dev/null; done', "sh", *files])
    return {**told, "gzip_cpu_s": alone.cpu_s, "ratio_to_gzip": told["cpu_s"] / alone.cpu_s}


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round of everything, a tenth of the entries")
    chosen = parser.parse_args()
    if not (SHARED / "bench").is_dir():
        print(f"the handed material is not at {SHARED}; set SURVEYOR_SHARED")
        return 2
    folder, port = prepare(chosen.pages)
    try:
        runs = crawls(folder, port, 1 if chosen.quick else chosen.rounds)
    finally:
        subprocess.run(["nginx", "-c", folder / "nginx.conf", "-s", "stop"], check=False, stderr=subprocess.DEVNULL)
    ours = runs["surveyor"]
    growth = json.loads(measure([sys.executable, str(ROOT / "bench/growth.py"), "4000", "100"]).out)
    result = {
        "pages": chosen.pages,
        "listed_equals_expected": listed_is_right(folder),
        "crawlers": {
            name: {
                **vars(run),
                "pages_per_cpu_s": chosen.pages / run.cpu_s,
                "surveyor_is_times": run.cpu_s / ours.cpu_s,
            }
            for name, run in runs.items()
        },
        "growth": growth,
        "reading": reading(folder),
        "writing": writing(folder, 100_000 if chosen.quick else 1_000_000),
    }
    (CACHE / "result.json").write_text(json.dumps(result, indent=2))
    _print(result)
    return 0


def _print(result: dict[str, Any]) -> None:
    print(f"{'crawler':<20}{'pages/CPU s':>12}{'wall s':>9}{'peak MB':>9}{'Surveyor is':>13}")
    for name, run in result["crawlers"].items():
        numbers = f"{run['pages_per_cpu_s']:>12.0f}{run['wall_s']:>9.1f}{run['peak_mb']:>9.0f}"
        print(f"{name:<20}{numbers}{run['surveyor_is_times']:>12.2f}x")
    for part in ("growth", "reading", "writing"):
        print(part, {name: round(value, 2) for name, value in result[part].items()})
    print("listed set equals expected.txt:", result["listed_equals_expected"])


if __name__ == "__main__":
    sys.exit(main())
