"""Every code in words for people: what it is, and what to do about it. `docs/failures.md` shows the whole table."""

from __future__ import annotations

from typing import NamedTuple


class Message(NamedTuple):
    """A few words, and a remedy in one sentence."""

    words: str
    remedy: str


CATALOGUE: dict[str, Message] = {
    # -- reasons of the ledger
    "indexable": Message("in the sitemap", "Nothing to do."),
    "robots_disallowed": Message("forbidden by robots.txt", "Change the rule in the evidence if it should be found."),
    "noindex": Message("asks not to be indexed", "Remove noindex from page and headers if it should be found."),
    "canonicalized": Message("names another page as canonical", "Nothing to do if the other page is the right one."),
    "canonical_other_host": Message("canonical on another host", "Correct the canonical link if it is wrong."),
    "canonical_loop": Message("pages name each other as canonical", "Let each page name itself, or one of them."),
    "redirected": Message("redirects to another address", "Link to the final address instead."),
    "redirected_off_site": Message("redirects to another site", "Remove or correct the links to it."),
    "not_html": Message("no web page", "Nothing to do; only pages are listed."),
    "soft_404": Message('a "not found" page sent as success', "Let the server answer 404 for pages that do not exist."),
    "http_error": Message("answered with an error", "Repair the page, or remove the links to it."),
    "fetch_failed": Message("could not be read", "See the evidence; try again later if it was the network."),
    "rate_limited": Message("refused because of too many requests", "Crawl more slowly (a lower rate)."),
    "out_of_scope": Message("on another host", "Add that host as a site of its own."),
    "excluded": Message("excluded by a rule", "Change the rule named in the evidence."),
    "not_listed_by_rule": Message("not listed, by a rule", "Change the rule named in the evidence."),
    "trap": Message("part of an endless space", "Exclude the space with the rule that the finding suggests."),
    "too_deep": Message("too many links away from the start", "Raise the depth, or link to it from nearer the start."),
    "url_too_long": Message("too long an address", "Shorten it; sitemaps take 2,047 characters."),
    "limit_reached": Message("not read: the page limit was reached", "Raise the page limit (--max-pages)."),
    "stopped": Message("not read: the crawl was stopped", "Go on with --resume."),
    "needs_rendering": Message("built in the browser, and none was there", "Install Chromium and crawl again."),
    # -- failures
    "invalid_url": Message("no valid address", "Correct the address."),
    "address_forbidden": Message("a private address", "Allow the host with CRAWL_ALLOWED_PRIVATE if it is yours."),
    "port_forbidden": Message("a port that is not allowed", "Allow it with CRAWL_ALLOWED_PORTS."),
    "dns_failed": Message("the host name is unknown", "Check the spelling of the address."),
    "connection_refused": Message("nothing listens there", "Check address and port, and that the server runs."),
    "connection_reset": Message("the server closed the connection", "Try again; look into the server's log."),
    "tls_failed": Message("no secure connection", "Renew or correct the certificate of the server."),
    "network_error": Message("a network error", "Check the connection and try again."),
    "connect_timeout": Message("no connection in time", "Check that the server can be reached from here."),
    "read_timeout": Message("the server stopped sending", "Try again; look into the server's log."),
    "deadline_exceeded": Message("the whole answer took too long", "Raise CRAWL_DEADLINE_S if the page is worth it."),
    "invalid_response": Message("the answer is no valid HTTP", "Repair the server; see the evidence."),
    "header_too_large": Message("too many or too long headers", "Send fewer cookies and headers."),
    "truncated_body": Message("the page ended early", "Repair the server: it sends less than it announces."),
    "decoding_failed": Message("the compression is broken", "Repair the server's compression."),
    "unknown_encoding": Message("an unknown compression", "Let the server use gzip, or none."),
    "body_too_large": Message("too large a document", "Raise CRAWL_MAX_BODY_BYTES if it is worth it."),
    "too_many_redirects": Message("too many redirects", "Let the first address lead straight to the last."),
    "redirect_loop": Message("redirects in a circle", "Repair the redirects; see the hops."),
    "redirect_invalid": Message("a redirect to nowhere", "Send a Location header with a valid address."),
    "redirect_off_site": Message("a redirect that was not followed", "See the target in the evidence."),
    "server_error": Message("an error of the server", "Look into the server's log."),
    "client_error": Message("the server refused the request", "Check who may read the page."),
    "auth_required": Message("a sign-in is required", "Give credentials, or exclude the page."),
    "not_found": Message("not found", "Remove the links to it, or bring the page back."),
    "gone": Message("gone for good", "Remove the links to it."),
    "unexpected_status": Message("an unexpected status", "Repair the server; see the evidence."),
    "parse_failed": Message("no readable HTML", "Repair the page."),
    "extraction_failed": Message("the page could not be read", "Report this as a bug, with the address."),
    "robots_unreachable": Message("robots.txt cannot be read", "Repair robots.txt; until then nothing may be crawled."),
    "circuit_open": Message("the host is failing", "Wait until the host has recovered."),
    "host_unreachable": Message("the host stopped answering", "Check the server, then crawl again."),
    "internal_error": Message("a fault of Surveyor", "Report this as a bug, with the log."),
    "worker_died": Message("a worker process died", "Look for a lack of memory, then crawl again."),
    # -- ends
    "complete": Message("complete", "Nothing to do."),
    "partial": Message("partial", "Raise the limit named above and crawl again."),
    "blocked": Message("blocked", "Change robots.txt of the site if it should be crawled."),
    "failed": Message("failed", "See the reason above."),
    # -- writing files
    "directory_busy": Message("the directory is in use", "Wait for the other crawl, or choose another directory."),
    "directory_not_writable": Message("cannot be written", "Choose another directory with --out."),
    "disk_full": Message("the disk is full", "Free some space; what was there before is untouched."),
    "too_many_files": Message("too many sitemap files", "Split the site."),
    "invalid_output": Message("the files read back wrong", "Report this as a bug; nothing was replaced."),
    "database_error": Message("the database failed", "Check DATA_DIR, its disk space and its rights."),
}  # fmt: skip


def words(code: str) -> str:
    """A code in a few words; the code itself where the catalogue has none."""
    message = CATALOGUE.get(code)
    return message.words if message else code


def remedy(code: str) -> str:
    """What to do about a code; "" where the catalogue has none."""
    message = CATALOGUE.get(code)
    return message.remedy if message else ""
