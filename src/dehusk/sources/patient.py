"""Patience: inputs that are read on after errors and stalls of a store, of a network mount, of a file that is replaced.

Waiting is not the fault of a page: the clock of a worker stands still meanwhile. What fails is tried again, from where
it was, after longer and longer pauses; what still fails then is lost. `LostError` is no OSError on purpose: readers
take these for damage, and look for the next record, of which there will be none.
"""

import errno
import io
import posixpath
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, Any, Final, TypeVar

from dehusk.errors import DehuskError
from dehusk.reasons import Code, Reason
from dehusk.sources.files import opened_raw
from dehusk.worker import untimed

PAUSES: Final = (0.1, 0.3, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds between attempts: a minute in all
FEW: Final = 3  # pauses, where another attempt is not likely to help
LONGEST: Final = 300.0  # seconds that one read may take; a mount that hangs takes for ever
BUFFER: Final = 2**17  # bytes that are read at once
# What another attempt seldom changes; ValueError is for names that no file can have.
FINAL_ERRORS: Final = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, ValueError)
Result = TypeVar("Result")


class LostError(Exception):
    """An input that cannot be read any further, however often it is tried."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class _HungError(OSError):
    """A read that has taken too long."""


class Patience:
    """How patiently an input is read, and what came of it."""

    def __init__(self, location: str) -> None:
        self._location = location
        self.retries = 0
        self.size: int | None = None  # bytes that it had when it was opened last

    def open(self, location: str) -> IO[bytes]:
        """Open the input, or a file that it names, as `files.opened_raw` does."""
        return io.BufferedReader(PatientFile(location, self), BUFFER)

    def note_size(self, location: str, size: int) -> None:
        """Note the bytes of a file that was opened."""
        if location == self._location:
            self.size = size

    def insist(self, location: str, action: Callable[[], Result]) -> Result:
        """Return what an action on a location returns, which is tried again where that may help.

        Raises LostError; for a file that the input names, and whose records are lost without it, OSError.
        """
        failures = 0
        while True:
            try:
                with untimed():
                    return _helper.call(action)
            except (MemoryError, DehuskError):
                raise
            except Exception as error:  # each store has errors of its own
                if not _pause(location, error, failures):
                    detail = str(getattr(error, "strerror", None) or error) or type(error).__name__
                    if location != self._location:
                        raise OSError(errno.EIO, detail) from error
                    raise LostError(Reason(Code.UNREADABLE, detail)) from error
                failures += 1
                self.retries += 1


# Where all pauses were in vain: nobody waits for each file of a folder that is gone, nor of a store that is down. With
# each, whether the errors were of the final kind: others are over when something can be read there again.
_in_vain: set[tuple[str, bool]] = set()


def _pause(location: str, error: Exception, failures: int) -> bool:
    """Wait before another attempt after so many failures; return whether there is to be one."""
    is_final = isinstance(error, FINAL_ERRORS)
    where = posixpath.dirname(location), is_final
    pauses = PAUSES[:FEW] if is_final else PAUSES[:1] if isinstance(error, _HungError) else PAUSES
    if where in _in_vain or failures >= len(pauses):
        _in_vain.add(where)
        return False
    with untimed():
        time.sleep(pauses[failures])
    return True


class PatientFile(io.RawIOBase):
    """A file that is opened again, where it was, after an error."""

    def __init__(self, location: str, patience: Patience) -> None:
        self._location, self._patience = location, patience
        self._file: IO[bytes] | None = None
        self._position = self.size = 0
        self._insist(lambda file: None)

    def _insist(self, action: Callable[[IO[bytes]], Result]) -> Result:
        """Return what an action on the open file returns."""

        def attempt() -> Result:
            file, self._file = self._file, None  # a file that fails, or hangs, is not used again
            if file is None:
                file = opened_raw(self._location).__enter__()
                self.size = file.seek(0, io.SEEK_END)
                self._patience.note_size(self._location, self.size)
            try:
                if file.tell() != self._position:
                    file.seek(self._position)
                result = action(file)
            except BaseException:
                with suppress(Exception):
                    file.close()
                raise
            self._file = file
            return result

        return self._patience.insist(self._location, attempt)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def seekable(self) -> bool:
        """Return that it can be read from anywhere."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position."""
        if whence == io.SEEK_END:
            offset += self._insist(lambda file: file.seek(0, io.SEEK_END))
        self._position = self._position + offset if whence == io.SEEK_CUR else offset
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Read what comes next."""
        data = self._insist(lambda file: self._read(file, len(buffer)))
        buffer[: len(data)] = data
        self._position += len(data)
        _in_vain.discard((posixpath.dirname(self._location), False))
        return len(data)

    def _read(self, file: IO[bytes], count: int) -> bytes:
        data = file.read(count)
        if not data and self._position < self.size:  # if it is shorter now, that shows when it is opened again
            raise EOFError(f"ended after {self._position:,} of {self.size:,} bytes")
        return data

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file:
            with suppress(Exception):  # all that was needed has been read
                file.close()
        super().close()


class _Helper:
    """A thread that does what may hang; one that does hang is left behind."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._todo: SimpleQueue[Callable[[], Any]] | None = None
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def call(self, action: Callable[[], Result]) -> Result:
        """Return what an action returns, or raise what it raises; raise _HungError if it takes too long."""
        with self._lock:
            if self._todo is None:
                self._todo, self._done = SimpleQueue(), SimpleQueue()
                threading.Thread(target=_serve, args=(self._todo, self._done), name="dehusk read", daemon=True).start()
            self._todo.put(action)
            try:
                result, error = self._done.get(timeout=LONGEST)
            except BaseException as interruption:  # Ctrl-C, too: the answer that comes is not that of the next action
                self._todo = None
                if isinstance(interruption, Empty):
                    raise _HungError(f"no answer within {LONGEST:g} s") from None
                raise
        if error:
            raise error
        return result  # type: ignore[no-any-return]


def _serve(todo: "SimpleQueue[Callable[[], Any]]", done: "SimpleQueue[tuple[Any, BaseException | None]]") -> None:
    while True:
        action = todo.get()
        try:
            done.put((action(), None))
        except BaseException as error:
            done.put((None, error))


_helper: Final = _Helper()
