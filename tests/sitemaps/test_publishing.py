"""Files appear all at once or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemaps.protocol.entries import Entry
from sitemaps.protocol.writer import UrlsetWriter
from sitemaps.publishing import PublishCode, PublishError, reserved, staged, write_set

BASE = "http://s.test/"


def publish(directory: Path, count: int, max_urls: int = 10) -> None:
    entries = (Entry(f"{BASE}{number:03}") for number in range(count))
    with reserved(directory), staged(directory) as staging:
        write_set(staging, entries, BASE, max_urls=max_urls)


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_set_replaces_the_one_before_and_what_it_no_longer_has_goes(tmp_path: Path) -> None:
    publish(tmp_path, 25)
    assert len(names(tmp_path)) == 8
    publish(tmp_path, 5)
    assert names(tmp_path) == ["sitemap.xml", "sitemap.xml.gz"]


def test_a_failure_in_the_middle_leaves_every_byte_as_it_was(tmp_path: Path) -> None:
    publish(tmp_path, 25)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def failing() -> Iterator[Entry]:
        for number in range(15):
            yield Entry(f"{BASE}x{number}")
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError), reserved(tmp_path), staged(tmp_path) as staging:
        write_set(staging, failing(), BASE, max_urls=10)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_files_of_the_caller_join_the_same_swap(tmp_path: Path) -> None:
    with reserved(tmp_path), staged(tmp_path) as staging:
        write_set(staging, [], BASE)
        (staging / "ledger.csv").write_text("x")
        assert "ledger.csv" not in names(tmp_path)
    assert "ledger.csv" in names(tmp_path)


def test_a_second_writer_is_told_that_the_directory_is_in_use(tmp_path: Path) -> None:
    with reserved(tmp_path), pytest.raises(PublishError) as refused, reserved(tmp_path):
        pass
    assert refused.value.code is PublishCode.BUSY
    with reserved(tmp_path):
        pass


def test_a_place_that_cannot_be_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PublishError) as refused, reserved(tmp_path / "file" / "out"):
        pass
    assert refused.value.code is PublishCode.NOT_WRITABLE


_FILLING = """
import resource, sys
from pathlib import Path
from tests.sitemaps.test_publishing import publish
from sitemaps.publishing import PublishError
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    publish(Path(sys.argv[1]), 5_000, max_urls=50_000)
except PublishError as error:
    print(error.code)
"""


def test_a_disk_that_fills_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    """The kernel refuses to let a file grow, as a full disk does."""
    publish(tmp_path, 5)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    ended = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _FILLING, str(tmp_path)],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.strip() == "disk_full"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_was_damaged_on_the_disk_is_not_swapped_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = UrlsetWriter.write

    def damaging(self: object, entries: object) -> object:
        files = real(self, entries)  # type: ignore[arg-type]  # passed on as it came
        path = next(tmp_path.glob("*/sitemap-1.xml"))
        path.write_bytes(path.read_bytes().replace(b"000", b"0<0"))
        return files

    monkeypatch.setattr(UrlsetWriter, "write", damaging)
    with pytest.raises(PublishError) as refused:
        publish(tmp_path, 3)
    assert refused.value.code is PublishCode.INVALID
    assert names(tmp_path) == []
