"""The coordinator: one thread owns frontier, counters, journal and observer; it decides and records.

    start URL
      -> robots.txt of the origin                       hosts.py    RobotsShelf
      -> declared sitemaps, entry by entry              survey.py   Survey
      -> intake: known? in scope? allowed? how deep?    intake.py   Intake
      -> frontier: two lanes, first in first out        frontier/breadth_first.py
      -> sequence: results are taken as chosen          frontier/sequence.py
      -> traffic: pace, breaker, retries                traffic.py  Traffic
      -> workers: fetch and extract, elsewhere          port Workers
      -> desk: one outcome for each URL, links back     desk.py     Desk -> Intake
      -> journal: one transaction a batch               journal.py  Journal -> port Store
      -> merge: canonical chains, gap and stale         ending.py   Ending

Workers hand back small values; nothing here waits for one page, and nothing here raises for what the network does.
"""

from crawls.engine.crawler.coordinator import Crawler, Ports

__all__ = ["Crawler", "Ports"]
