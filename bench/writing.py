#!/usr/bin/env python3
"""CPU and memory of writing COUNT entries with two images each into FOLDER: bench/writing.py COUNT FOLDER."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sitemaps.protocol.entries import Entry
from sitemaps.protocol.writer import UrlsetWriter


def entries(count: int) -> Iterator[Entry]:
    """A shop's pages."""
    for number in range(count):
        name = f"{number * 2654435761 % 2**32:08x}"
        page = f"https://www.example.com/products/category-{number % 50}/{name}-item-{number}.html"
        image = f"https://cdn.example.com/img/{name}"
        yield Entry(page, f"2024-01-{number % 28 + 1:02}T10:00:00+00:00", images=(f"{image}-1.jpg", f"{image}-2.jpg"))


def main() -> None:
    """Write and print; what making the entries up costs is measured apart and taken off."""
    count, folder = int(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True)
    started = time.process_time()
    for _ in entries(count):
        pass
    between = time.process_time()
    UrlsetWriter(folder).write(entries(count))
    cpu = time.process_time() - between - (between - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_s": cpu, "peak_mb": peak}))


if __name__ == "__main__":
    main()
