"""Inputs: what a location holds, found out by looking at its beginning once, also where nothing can be read twice."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, Final

from dehusk.compressed import decompressed, decompression_errors, suffix_by_content
from dehusk.sources import files
from dehusk.sources.kinds import KINDS, PAGE, Input, Opener
from dehusk.sources.remote import is_remote

CHUNK: Final = 2**14
# A block of bzip2 or zstd shows nothing before it is complete.
MOST: Final = 2**20
ENOUGH: Final = 16  # bytes of content, after blank ones, that show its kind: a slow writer may send no more for now


def inputs(locations: Iterable[str | Input]) -> list[Input]:
    """Return locations with their kinds; those whose kind is known are not looked at again.

    Of several pipes, the first is looked at, and the others are taken for the same: one writer may fill them one after
    the other, and opening the second would wait for the end of the first. `opened_late` looks at them, when it is time.
    """
    found: list[Input] = []
    first: Input | None = None
    for each in locations:
        if isinstance(each, Input):
            found.append(each)
        elif is_pipe(each):
            found.append(Input(each, first.kind, each) if first else look_at(each))
            first = first or found[-1]
        else:
            found.append(look_at(each))
    return found


def opened_late(source: Input) -> Input:
    """Return an input whose turn has come, after looking at it if it is a pipe that nobody has opened yet."""
    return look_at(source.location) if source.file == source.location and is_pipe(source.location) else source


def is_pipe(location: str) -> bool:
    """Return whether a location is a named pipe, or a shell's <(…)."""
    return location != "-" and Path(location).is_fifo()


def look_at(location: str, open_file: Opener = files.opened_raw) -> Input:
    """Return a location with its kind; if it cannot be read, with the kind that its name says."""
    named = next((kind for kind in KINDS.values() if kind.is_name(Path(location))), None)
    if files.URL.match(location):
        return Input(location, PAGE, location)
    if named and is_remote(location):  # where looking costs a request
        return Input(location, named, location)
    head, file = b"", None
    try:
        if is_read_once(location):
            file = files.raw_input() if location == "-" else Path(location).open("rb")  # noqa: SIM115
            position = file.tell() if file.seekable() else None
            head, content = _beginning(file)
            if position is None:
                file = io.BufferedReader(_Rejoined(head, file, closes=location != "-"))
            else:  # standard input that is a file
                file.seek(position)
        else:
            with open_file(location) as stream:
                head, content = _beginning(stream)
    except OSError:  # which reading reports
        content = b""
    signed = (kind for kind in KINDS.values() if kind.signature.match(head) or kind.signature.match(content))
    begun = (kind for kind in KINDS.values() if kind.beginning.match(content))
    return Input(location, next(signed, None) or named or next(begun, PAGE), file or location)


def is_read_once(location: str) -> bool:
    """Return whether what was read from a location cannot be read again: standard input, a named pipe, a shell's <(…).

    >>> is_read_once("-"), is_read_once("page.html"), is_read_once("https://example.org/")
    (True, False, False)
    """
    path = Path(location)
    return location == "-" or path.is_fifo() or path.is_char_device() or path.is_socket()


def _beginning(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """Return what was read of a stream to see how its content begins, and that, decompressed."""
    head = content = b""
    while len(head) < MOST and len(content) < CHUNK and len(content.lstrip()) < ENOUGH:
        chunk = getattr(stream, "read1", stream.read)(CHUNK)
        if not chunk:
            break
        head += chunk
        try:
            suffix = suffix_by_content(head)
            content = decompressed(io.BytesIO(head), Path(f"content{suffix}")).read1(CHUNK)  # type: ignore[attr-defined]
        except EOFError:  # more is needed
            continue
        except decompression_errors():
            break
    return head, content


class _Rejoined(io.RawIOBase):
    """A stream from its beginning, of which that was read already."""

    def __init__(self, head: bytes, rest: IO[bytes], *, closes: bool) -> None:
        """Begin with `head`; `closes` is whether closing this closes the `rest`, which standard input is not to be."""
        self._head, self._rest, self._closes = head, rest, closes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._head[: len(buffer)] or self._rest.read1(len(buffer))  # type: ignore[attr-defined]
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if self._closes:
            self._rest.close()
        super().close()
