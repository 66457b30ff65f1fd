"""The composition root: the only place that builds an engine. Workers by policy, store on the database."""

from __future__ import annotations

import ipaddress
import os
import socket
import time

from crawls.conf import with_private
from crawls.engine import urls
from crawls.engine.crawler import Crawler, Ports
from crawls.engine.fetch.documents import HttpDocuments
from crawls.engine.fetch.processes import ProcessWorkers
from crawls.engine.fetch.threads import ThreadWorkers
from crawls.engine.policy import Policy
from crawls.engine.ports import Observer, StopSignal, Workers
from crawls.engine.records import Report
from crawls.models import CrawlJob
from crawls.progress import JobProgress
from crawls.services import jobs
from crawls.store.orm import OrmStore

_MAX_PROCESSES = 8


class SystemClock:
    """Port `Clock`."""

    monotonic = staticmethod(time.monotonic)
    wall = staticmethod(time.time)


def start_urls(text: str) -> tuple[str, ...]:
    """The addresses that a typed start address may mean: itself, or with https and then http where it has no scheme.

    Raises ValueError with a sentence for a person.
    """
    typed = text.strip()
    candidates = (typed,) if "://" in typed else (f"https://{typed}", f"http://{typed}")
    found = tuple(address for address in map(urls.parse, candidates) if address is not None)
    if not typed or not found:
        raise ValueError(f"{text!r} is no web address; write it like https://www.example.com/")
    return found


def is_local(address: str) -> bool:
    """Whether an address lies on this machine: all that its host resolves to is loopback."""
    parts = urls.split(address)
    try:
        answers = socket.getaddrinfo(parts.host.strip("[]"), parts.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return all(ipaddress.ip_address(answer[4][0]).is_loopback for answer in answers)


def trusting_start(policy: Policy, addresses: tuple[str, ...]) -> Policy:
    """The policy with the operator's own start address allowed, wherever it lies: exactly that host and port."""
    parts = [urls.split(address) for address in addresses]
    return with_private(policy, tuple(f"{part.host}:{part.port}" for part in parts))


def run(*, job: CrawlJob, addresses: tuple[str, ...], policy: Policy, watcher: Observer, stop: StopSignal) -> Report:
    """Run a job that is ours from where it stands to its end, and record how it ended."""
    ports = Ports(
        workers=_workers(policy),
        documents=HttpDocuments(policy),
        store=OrmStore(job),
        observer=JobProgress(job, watcher),
        stop=stop,
        clock=SystemClock(),
    )
    report = Crawler(addresses, policy, ports).run()
    jobs.finish(job=job, report=report)
    return report


def _workers(policy: Policy) -> Workers:
    """Threads for a polite crawl; processes for one without delay, which is bound by CPU."""
    cores = os.cpu_count() or 1
    if policy.politeness.rate_per_s > 0 or cores < 2:
        return ThreadWorkers(policy)
    # One core is for the coordinator; more workers than cores would only get in each other's way.
    return ProcessWorkers(policy, min(cores - 1, policy.politeness.concurrency, _MAX_PROCESSES))
