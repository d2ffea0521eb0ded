"""CDX indexes: lines that name records of archives by file, offset and length; only these are read."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Protocol

from dehusk.compressed import plain_path
from dehusk.sources import archives
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".cdx", ".cdxj"})
# The letters that name columns in the first line of a CDX file; this is the usual order, for files without such a line.
USUAL: Final = list("NbamskrMSVg")
FILE, OFFSET, LENGTH = "g", "V", "S"
LONGEST_LINE: Final = 100_000
ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


class Opener(Protocol):
    """Opens a file by its location."""

    def __call__(self, location: str) -> AbstractContextManager[IO[bytes]]:
        """Return the open file."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record is."""

    file: str
    offset: int
    length: int | None


def is_index(location: str) -> bool:
    """Return whether a location is an index, by its name.

    >>> is_index("cdx-00000.gz"), is_index("crawl.cdxj.gz"), is_index("crawl.warc.gz")
    (True, True, False)
    """
    path = Path(location)
    return plain_path(path).suffix.lower() in SUFFIXES or re.fullmatch(r"cdx-\d+\.gz", path.name) is not None


def read(stream: IO[bytes], name: str, limit: int, open_file: Opener) -> Iterator[RawPage]:
    """Yield the records that an index names, in its order; a line that names none comes with its problem."""
    columns = USUAL
    for number, line in enumerate(_lines(stream), 1):
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text.lstrip().startswith("CDX "):
            columns = text.split()[1:]
            continue
        if not text.strip() or text.startswith("!"):
            continue
        place = _place(text, columns)
        if place is None:
            problem = "names no record; expected a line of CDX or CDXJ with file, offset and length"
            yield RawPage(f"{name}:{number}", problem=problem, record=Record(name, number, "unknown"))
        else:
            yield _record(place, name, limit, open_file)


def _lines(stream: IO[bytes]) -> Iterable[bytes]:
    while line := stream.readline(LONGEST_LINE):
        yield line


def _place(line: str, columns: list[str]) -> Place | None:
    """Return the place that a line names; None if it names none.

    >>> _place('org,example)/ 20240502 {"filename": "a.warc.gz", "offset": "7", "length": "9"}', USUAL)
    Place(file='a.warc.gz', offset=7, length=9)
    """
    brace = line.find("{")
    values: dict[str, Any]
    try:
        if brace >= 0:
            found = json.loads(line[brace:])
            values = {FILE: found["filename"], OFFSET: found["offset"], LENGTH: found.get("length", "-")}
        else:
            values = dict(zip(columns, line.split(), strict=False))
        length = values.get(LENGTH, "-")
        return Place(str(values[FILE]), int(values[OFFSET]), None if length in ("-", None) else int(length))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _record(place: Place, index: str, limit: int, open_file: Opener) -> RawPage:
    location = _beside(index, place.file)
    name = f"{location}:{place.offset}"
    try:
        with open_file(location) as file:
            file.seek(place.offset)
            data = file.read(place.length if place.length is not None else limit)
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        return RawPage(name, problem=problem, record=Record(location, place.offset, "unknown"))
    page = next(archives.read(BytesIO(data), location, limit), None)
    if page is None:
        return RawPage(name, problem="nothing there", record=Record(location, place.offset, "unknown"))
    record = replace(page.record or Record(location, 0, "unknown"), offset=place.offset)
    return replace(page, name=name, record=record)


def _beside(index: str, file: str) -> str:
    """Return where a file is that an index names: at its address, or relative to the folder of the index.

    >>> _beside("crawl/index.cdxj", "a.warc.gz"), _beside("s3://bucket/i.cdxj", "a.warc.gz")
    ('crawl/a.warc.gz', 's3://bucket/a.warc.gz')
    """
    if ADDRESS.match(file) or Path(file).is_absolute():
        return file
    if ADDRESS.match(index):
        scheme, _, path = index.partition("://")
        return f"{scheme}://{PurePosixPath(path).parent / file}"
    return str(Path(index).parent / file)
