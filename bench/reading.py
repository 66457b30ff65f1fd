#!/usr/bin/env python3
"""CPU and memory of reading a large sitemap, by us or by ultimate-sitemap-parser: bench/reading.py ours|usp FILE."""

from __future__ import annotations

import json
import logging
import resource
import sys
import time
from pathlib import Path


def ours(path: Path) -> int:
    """Surveyor's reader."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from sitemaps.protocol.reader import Reader  # noqa: PLC0415 - the rival's run must not pay for it

    return sum(1 for _ in Reader(path.read_bytes(), "https://www.example.com/sitemap.xml"))


def usp(path: Path) -> int:
    """The rival's parser on the same bytes."""
    from usp.fetch_parse import XMLSitemapParser  # noqa: PLC0415 - lives in a virtual environment of its own

    logging.disable(logging.CRITICAL)
    url, text = "https://www.example.com/sitemap.xml", path.read_text()
    parser = XMLSitemapParser(url=url, content=text, recursion_level=0, web_client=None, parent_urls=set())
    return sum(1 for _ in parser.sitemap().all_pages())


def main() -> None:
    """Read and print."""
    read = {"ours": ours, "usp": usp}[sys.argv[1]]
    count = read(Path(sys.argv[2]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"entries": count, "cpu_s": time.process_time(), "peak_mb": peak}))


if __name__ == "__main__":
    main()
