"""Reading goes on after errors and stalls; what cannot be read is lost, and said to be."""

import errno
import io
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dehusk.errors import InputError
from dehusk.sources import patient
from dehusk.sources.patient import LostError, Patience
from dehusk.worker import limit_time

DATA = bytes(range(256)) * 4000


class Opened(io.BytesIO):
    """A file whose reads do something first."""

    def __init__(self, data: bytes, before: Callable[[], object]) -> None:
        super().__init__(data)
        self._before = before

    def read(self, count: int | None = -1) -> bytes:
        self._before()
        return super().read(count)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient, "PAUSES", (0.0,) * 5)
    monkeypatch.setattr(patient, "_in_vain", set())


def store(monkeypatch: pytest.MonkeyPatch, before: Callable[[], object], data: bytes = DATA) -> list[str]:
    """Have all files be of a store; return the names of those that were opened, one for each time."""
    opened: list[str] = []

    def open_file(location: str) -> Any:
        opened.append(location)
        return Opened(data, before)

    monkeypatch.setattr(patient, "opened_raw", open_file)
    return opened


@pytest.mark.parametrize("error", [OSError(errno.ESTALE, "stale"), RuntimeError("busy"), FileNotFoundError("gone")])
def test_reading_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    calls = 0

    def fail() -> None:
        nonlocal calls
        calls += 1
        if calls % 2:
            raise error

    opened = store(monkeypatch, fail)
    patience = Patience("a")
    with patience.open("a") as file:
        assert file.read(10) == DATA[:10]
        file.seek(-300_000, io.SEEK_END)
        assert file.read(7) == DATA[-300_000:][:7]
        file.seek(100)
        assert file.read() == DATA[100:]
    assert (patience.retries, patience.size) == (len(opened) - 1, len(DATA))
    assert patience.retries > 3


def test_what_fails_again_and_again_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    opened = store(monkeypatch, fail)
    patience = Patience("folder/a")
    file = patience.open("folder/a")
    with pytest.raises(LostError, match="cannot be read: Input/output error"):
        file.read(1)
    assert len(opened) == len(patient.PAUSES) + 1
    # Nobody waits for each file of a store that is down.
    with pytest.raises(LostError):
        Patience("folder/b").open("folder/b").read(1)
    assert opened.count("folder/b") == 1
    # Of a file that an index names, only the records in it are lost.
    with pytest.raises(OSError, match="Input/output error"):
        patience.open("folder/c").read(1)


def test_a_file_that_is_gone_costs_little_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        patience = Patience(str(tmp_path / name))
        with pytest.raises(LostError, match="No such file or directory"):
            patience.open(str(tmp_path / name))
        assert patience.retries == (patient.FEW if name == "a" else 0)


def test_a_file_that_shrinks_ends_where_it_ends_now(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(DATA)
    patience = Patience(str(path))
    with patience.open(str(path)) as file:
        assert file.read(patient.BUFFER) == DATA[: patient.BUFFER]
        path.write_bytes(DATA[: patient.BUFFER + 5])
        assert file.read() == DATA[patient.BUFFER : patient.BUFFER + 5]
    assert patience.size == patient.BUFFER + 5


def test_the_clock_stands_still_while_one_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    store(monkeypatch, lambda: seen.append(signal.getitimer(signal.ITIMER_REAL)[0]))
    try:
        limit_time(10_000)
        with Patience("a").open("a") as file:
            file.read(5)
        assert seen == [0.0]
        assert 9_000 < signal.getitimer(signal.ITIMER_REAL)[0] <= 10_000
    finally:
        limit_time(0)


def test_a_read_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = threading.Event()
    opened = store(monkeypatch, hanging.wait)
    file = Patience("a").open("a")
    monkeypatch.setattr(patient, "LONGEST", 0.01)
    with pytest.raises(LostError, match=r"no answer within 0\.01 s"):
        file.read(1)
    assert len(opened) == 2  # it was tried once more
    hanging.set()
    monkeypatch.setattr(patient, "LONGEST", 1000.0)
    monkeypatch.setattr(patient, "_in_vain", set())
    assert Patience("b").open("b").read(3) == DATA[:3]


def test_what_is_not_the_fault_of_the_store_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (InputError("no such package"), MemoryError()):

        def fail(error: Exception = error) -> None:
            raise error

        opened = store(monkeypatch, fail)
        with pytest.raises(type(error)):
            Patience("a").open("a").read(1)
        assert len(opened) == 1
