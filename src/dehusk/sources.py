"""Sources: where pages come from. Files, folders, patterns, addresses, JSON lines and standard input, one at a time."""

import glob
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from dehusk.config import Limits
from dehusk.errors import InputError

PAGE_SUFFIXES: Final = frozenset({".htm", ".html", ".shtml", ".xhtml", ".xht"})
LINES_SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
DOWNLOAD_SECONDS: Final = 30.0
CHUNK: Final = 65_536


@dataclass(frozen=True, slots=True)
class Found:
    """A page that was read, or why it could not be."""

    name: str  # where it was found, and what its output file is called after
    data: bytes | str = b""
    url: str | None = None
    charset: str | None = None
    problem: str = ""
    fields: dict[str, Any] | None = field(default=None)  # of a JSON line, all but the page itself


def find(arguments: Iterable[str]) -> Iterator[str]:
    """Yield files and addresses: a folder stands for the pages in it, a pattern for what it matches.

    Raises InputError for what is not there at all, before any page is read.
    """
    for argument in arguments:
        path = Path(argument)
        if argument == "-" or ADDRESS.match(argument) or path.is_file():
            yield argument
        elif path.is_dir():
            yield from _in_folder(path)
        elif matches := sorted(glob.glob(argument, recursive=True)):  # noqa: PTH207
            yield from (match for match in matches if Path(match).is_file())
        else:
            raise InputError(f"no such file or folder: {argument}; expected a path, a pattern or an http address")


def read(places: Iterable[str], limits: Limits) -> Iterator[Found]:
    """Yield the pages at `places`; one that cannot be read comes with its problem, and the others follow."""
    for place in places:
        try:
            if ADDRESS.match(place):
                yield download(place, limits)
                continue
            with sys.stdin.buffer if place == "-" else Path(place).open("rb") as stream:
                if holds_lines(place):
                    yield from _json_lines(stream, place)
                else:
                    # Not the whole of a huge file: one byte over the limit is enough to have it refused.
                    yield Found(place, stream.read(limits.bytes + 1))
        except OSError as error:
            yield Found(place, problem=error.strerror or str(error))


def holds_lines(place: str) -> bool:
    """Tell whether a place holds JSON lines: a file by its ending, standard input by its first character."""
    if place == "-":
        peek = getattr(sys.stdin.buffer, "peek", None)
        return peek is not None and bool(peek(CHUNK)[:CHUNK].lstrip().startswith(b"{"))
    return Path(place).suffix.lower() in LINES_SUFFIXES


def download(address: str, limits: Limits, seconds: float = DOWNLOAD_SECONDS) -> Found:
    """Fetch a page, within a limit on the whole time and on the size."""
    deadline = time.monotonic() + seconds
    request = Request(
        address, headers={"User-Agent": "dehusk (extraction of main text)", "Accept": "text/html, */*"}
    )
    try:
        with urlopen(request, timeout=seconds) as answer:
            data, headers, final = bytearray(), answer.headers, answer.url
            while chunk := answer.read1(CHUNK):
                data += chunk
                if len(data) > limits.bytes:
                    return Found(address, url=address, problem=f"larger than {limits.bytes:,} bytes")
                if time.monotonic() > deadline:
                    return Found(address, url=address, problem=f"took longer than {seconds:g} s")
    except (URLError, OSError, ValueError) as error:
        return Found(address, url=address, problem=str(getattr(error, "reason", "") or error) or type(error).__name__)
    return Found(address, bytes(data), final, headers.get_content_charset())


def _in_folder(folder: Path) -> Iterator[str]:
    pages = sorted(path for path in folder.rglob("*") if path.suffix.lower() in PAGE_SUFFIXES | LINES_SUFFIXES)
    if not pages:
        kinds = ", ".join(sorted(PAGE_SUFFIXES | LINES_SUFFIXES))
        raise InputError(f"no pages in folder {folder}; expected files that end in {kinds}")
    yield from map(str, pages)


def _json_lines(lines: Iterable[bytes], name: str) -> Iterator[Found]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _json_line(line, f"{name}:{number}")


def _json_line(line: bytes, name: str) -> Found:
    try:
        record = json.loads(line)
        html = record.pop("html")
        url = record.get("url")
    except (ValueError, KeyError, AttributeError, RecursionError) as error:
        found = "no field 'html'" if isinstance(error, KeyError) else "not a JSON object"
        return Found(name, problem=f'{found}; expected a line such as {{"url": …, "html": …}}', fields={})
    if not isinstance(html, str) or not (url is None or isinstance(url, str)):
        return Found(name, problem="'html' and 'url' must be strings", fields=record)
    return Found(name, html, url, fields=record)


def output_name(name: str) -> str:
    """Return a safe relative file name, without its ending, for the output of a page.

    >>> output_name("pages/news.html"), output_name("https://example.org/a/b?c=d"), output_name("../x.html")
    ('pages/news', 'example.org-a-b-c-d', 'x')
    """
    if ADDRESS.match(name):
        parts = urlsplit(name)
        return re.sub(r"[^\w.-]+", "-", f"{parts.netloc}{parts.path}-{parts.query}").strip("-.")[:150] or "page"
    if name == "-" or name.startswith("-:"):
        return "page" + name[1:].replace(":", "-")
    path = Path(name)
    parts_kept = [part for part in path.parts if part not in ("..", ".", path.anchor)]
    stem = Path(*parts_kept) if parts_kept else Path("page")
    number = stem.name.partition(":")[2] if ":" in stem.name else ""
    base = str(stem.with_name(stem.name.partition(":")[0]).with_suffix(""))
    return f"{base}-{number}" if number else base
