"""Files that appear all at once or not at all: staged beside their place, read back, synced, renamed.

One writer a directory: a lock file says so to the second one. What was there before stays until everything new is
ready; `sitemap.xml`, which readers start from, is replaced last.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gzip
import os
import re
import shutil
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from sitemaps.protocol import limits
from sitemaps.protocol.entries import Entry, IndexEntry, Problem
from sitemaps.protocol.locs import serialize
from sitemaps.protocol.validate import count_entries
from sitemaps.protocol.writer import UrlsetWriter, WrittenFile, write_index

INDEX_NAME = "sitemap.xml"
_LOCK_NAME = ".surveyor.lock"
_STAGING_NAME = ".surveyor-staging"
_NUMBERED = re.compile(r"sitemap-[1-9][0-9]*\.xml(?:\.gz)?")


class PublishCode(StrEnum):
    """Why a set could not be written."""

    BUSY = "directory_busy"
    NOT_WRITABLE = "directory_not_writable"
    DISK_FULL = "disk_full"
    TOO_MANY_FILES = "too_many_files"
    INVALID = "invalid_output"


class PublishError(Exception):
    """Nothing was changed; the message names directory and cause."""

    def __init__(self, code: PublishCode, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class WrittenSet:
    """A finished set: `index` is the index, or the only urlset; `files` are the urlsets."""

    index: WrittenFile
    files: tuple[WrittenFile, ...]
    problems: tuple[Problem, ...] = field(default=())

    @property
    def url_count(self) -> int:
        """Pages in all files."""
        return sum(file.url_count for file in self.files)


@contextlib.contextmanager
def reserved(directory: Path) -> Iterator[None]:
    """Keep a directory for one writer, making it when it is missing.

    Raises PublishError at once for a directory that is in use or cannot be written.
    """
    with _translated(directory):
        directory.mkdir(parents=True, exist_ok=True)
        lock = _lock(directory)
    try:
        yield
    finally:
        (directory / _LOCK_NAME).unlink(missing_ok=True)
        os.close(lock)


@contextlib.contextmanager
def staged(directory: Path) -> Iterator[Path]:
    """A folder to write files into; when the block ends well they take their places in `directory`, all of them.

    The caller has reserved the directory. Raises PublishError for one that cannot be written, or a full disk.
    """
    staging = directory / _STAGING_NAME
    try:
        with _translated(directory):
            shutil.rmtree(staging, ignore_errors=True)
            staging.mkdir()
            yield staging
            _commit(staging, directory)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def write_set(staging: Path, entries: Iterable[Entry], base_url: str, *, max_urls: int = limits.MAX_URLS) -> WrittenSet:
    """Write a sitemap set into a staging folder and read it back.

    One urlset is `sitemap.xml` itself; more are `sitemap-1.xml` … behind an index, which names them below `base_url`.
    """
    writer = UrlsetWriter(staging, max_urls=max_urls)
    files = writer.write(entries)
    if len(files) > limits.MAX_CHILDREN:
        raise PublishError(PublishCode.TOO_MANY_FILES, f"{len(files)} files; an index may name {limits.MAX_CHILDREN}")
    if len(files) == 1:
        index = _rename_only(staging, files[0])
        files = [index]
    else:
        index = write_index(staging, INDEX_NAME, _children(files, base_url))
    for file in {index.name: index, **{file.name: file for file in files}}.values():
        _read_back(staging, file)
    return WrittenSet(index, tuple(files), tuple(writer.problems))


def _children(files: list[WrittenFile], base_url: str) -> Iterator[IndexEntry]:
    folder = serialize(base_url if base_url.endswith("/") else f"{base_url}/")
    if folder is None:
        raise PublishError(PublishCode.INVALID, f"{base_url!r} is no address that files could lie below")
    for file in files:
        yield IndexEntry(f"{folder}{file.name}", file.lastmod)


def _rename_only(staging: Path, file: WrittenFile) -> WrittenFile:
    for ending in ("", ".gz"):
        (staging / f"{file.name}{ending}").rename(staging / f"{INDEX_NAME}{ending}")
    return replace(file, name=INDEX_NAME)


def _read_back(staging: Path, file: WrittenFile) -> None:
    """What lies on the disk must be what was meant, well-formed, and the same in both forms."""
    body = (staging / file.name).read_bytes()
    if zlib.crc32(body) != file.crc:
        raise PublishError(PublishCode.INVALID, f"{file.name} does not hold what was written")
    count = count_entries(body)
    if count != file.url_count:
        raise PublishError(PublishCode.INVALID, f"{file.name} read back with {count} of {file.url_count} entries")
    with gzip.open(staging / f"{file.name}.gz") as packed:
        if packed.read(len(body) + 1) != body:
            raise PublishError(PublishCode.INVALID, f"{file.name}.gz does not hold what {file.name} does")


def _lock(directory: Path) -> int:
    descriptor = os.open(directory / _LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise PublishError(PublishCode.BUSY, f"{directory} is being written by another crawl") from None
    return descriptor


def _commit(staging: Path, directory: Path) -> None:
    names = sorted((path.name for path in staging.iterdir()), key=lambda name: (name == INDEX_NAME, name))
    for name in names:
        _sync(staging / name)
    for name in names:
        (staging / name).replace(directory / name)
    for path in directory.iterdir():
        if _NUMBERED.fullmatch(path.name) and path.name not in names and INDEX_NAME in names:
            path.unlink()
    _sync(directory)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _translated(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise PublishError(PublishCode.DISK_FULL, f"no space left for {directory}") from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
            raise PublishError(PublishCode.NOT_WRITABLE, f"{directory} cannot be written ({error.strerror})") from error
        raise
