"""Sources: where pages come from. Files, folders, patterns, addresses, JSON lines and standard input, one at a time."""

import glob
import json
import re
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO, Final, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from dehusk.config import Limits
from dehusk.errors import InputError

PAGE_SUFFIXES: Final = frozenset({".htm", ".html", ".shtml", ".xhtml", ".xht"})
TEXT_SUFFIXES: Final = frozenset({".md", ".text", ".txt"})
LINES_SUFFIXES: Final = frozenset({".jsonl", ".ndjson"})
ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
OBJECT: Final = re.compile(rb"\s*\{\s*[\"}]")  # how one in JSON begins; plain text may begin with a brace
DOWNLOAD_SECONDS: Final = 30.0
CHUNK: Final = 65_536
ESCAPED: Final = 6  # bytes that JSON may need for a character: a line over the limit by so much holds too large a page
HEADERS: Final = {
    "User-Agent": "dehusk (extraction of main text)",
    "Accept": "text/html, */*",
    "Accept-Encoding": "gzip",
}
LINE: Final = 'expected a line such as {"url": "…", "html": "…"}'


@dataclass(frozen=True, slots=True)
class Found:
    """A page that was read, or why it could not be."""

    name: str  # where it was found, and what its output file is called after
    data: bytes | str = b""
    url: str | None = None
    charset: str | None = None
    problem: str = ""
    fields: dict[str, Any] | None = None  # of a JSON line, all but the page itself


def find(arguments: Iterable[str], suffixes: frozenset[str] = PAGE_SUFFIXES) -> list[str]:
    """Return files and addresses, each once: a folder stands for the pages in it, a pattern for what it matches.

    `suffixes` tells what a page in a folder ends in; JSON lines are taken besides.

    Raises InputError for what is not there at all, before any page is read.
    """
    return list(dict.fromkeys(place for argument in arguments for place in _places(argument, suffixes)))


def read(
    places: Iterable[str], limits: Limits, wanted: Callable[[str], bool] = lambda name: True, field: str = "html"
) -> Iterator[Found]:
    """Yield the pages at `places` whose name is wanted; one that cannot be read comes with its problem.

    `field` is where JSON lines have the page.
    """
    for place in places:
        try:
            if holds_lines(place):
                with _opened(place) as stream:
                    yield from _json_lines(stream, place, limits.bytes * ESCAPED, wanted, field)
            elif not wanted(place):
                continue
            elif ADDRESS.match(place):
                yield download(place, limits)
            else:
                with _opened(place) as stream:
                    # Not the whole of a huge file: one byte over the limit is enough to have it refused.
                    yield Found(place, stream.read(limits.bytes + 1))
        except OSError as error:
            yield Found(place, problem=f"cannot be read: {error.strerror or error}")


def holds_lines(place: str) -> bool:
    """Tell whether a place holds JSON lines: a file by its ending, standard input by its first characters."""
    if place == "-":
        peek = getattr(_opened(place), "peek", None)
        return peek is not None and bool(OBJECT.match(peek(CHUNK).removeprefix(b"\xef\xbb\xbf")))
    return not ADDRESS.match(place) and Path(place).suffix.lower() in LINES_SUFFIXES


def download(address: str, limits: Limits, seconds: float = DOWNLOAD_SECONDS) -> Found:
    """Fetch a page, within a limit on the whole time and on the size."""
    # In a thread that can be left behind: neither the search for the host nor a server that sends its header byte by
    # byte can be stopped from outside, and the timeout of a socket starts afresh with each byte.
    box: SimpleQueue[Found] = SimpleQueue()
    threading.Thread(target=lambda: box.put(_fetched(address, limits, seconds)), daemon=True).start()
    try:
        return box.get(timeout=seconds)
    except Empty:
        return Found(address, url=address, problem=f"took longer than {seconds:g} s")


def output_name(name: str) -> str:
    """Return a safe relative file name, without its ending, for the output of a page.

    >>> output_name("pages/news.html"), output_name("https://example.org/a/b?c=d"), output_name("../x.jsonl:7")
    ('pages/news', 'example.org-a-b-c-d', 'x-7')
    """
    if ADDRESS.match(name):
        parts = urlsplit(name)
        plain = re.sub(r"[^\w.-]+", "-", f"{parts.netloc}{parts.path}-{parts.query}").strip("-.")
        return plain.encode()[:150].decode("utf-8", "ignore") or "page"  # file systems count bytes, and end at 255
    line = re.search(r":(\d+)\Z", name)
    path = Path(name[: line.start()] if line else name)
    kept = [part for part in path.parts if part not in ("-", "..", path.anchor)] or ["page"]
    return str(Path(*kept).with_suffix("")) + (f"-{line[1]}" if line else "")


def _places(argument: str, suffixes: frozenset[str]) -> Iterable[str]:
    """Return what one argument stands for."""
    if argument == "-" or ADDRESS.match(argument):
        return [argument]
    path = Path(argument)
    try:
        if argument and path.is_dir():
            return _in_folder(path, suffixes | LINES_SUFFIXES)
        if argument and path.exists():  # not `is_file`: a shell's <(…) is a pipe
            return [argument]
    except OSError as error:
        raise InputError(f"cannot look at {argument[:100]}: {error.strerror}; expected a path or an address") from error
    if matches := sorted(match for match in glob.glob(argument, recursive=True) if Path(match).is_file()):  # noqa: PTH207
        return matches
    raise InputError(
        f"no such file or folder: {argument[:100]!r}; expected a path, a pattern that matches files, "
        "or an address that begins with http:// or https://"
    )


def _in_folder(folder: Path, kinds: frozenset[str]) -> Iterable[str]:
    pages = sorted(str(path) for path in folder.rglob("*") if path.suffix.lower() in kinds and path.is_file())
    if not pages:
        raise InputError(f"no pages in folder {folder}; expected files that end in {', '.join(sorted(kinds))}")
    return pages


def _opened(place: str) -> BinaryIO:
    if place != "-":
        return Path(place).open("rb")
    if sys.stdin is None:
        raise InputError("standard input is closed; name files or addresses, or send a page to standard input")
    return cast(BinaryIO, sys.stdin.buffer)


def _json_lines(stream: BinaryIO, name: str, limit: int, wanted: Callable[[str], bool], field: str) -> Iterator[Found]:
    number = 0
    while line := stream.readline(limit):
        number += 1
        whole = _skipped_to_end(stream, line)
        if not line.strip() or not wanted(f"{name}:{number}"):
            continue
        if whole:
            yield _json_line(line, f"{name}:{number}", field)
        else:
            yield Found(f"{name}:{number}", problem=f"too large: more than {limit:,} bytes in a line", fields={})


def _skipped_to_end(stream: BinaryIO, line: bytes) -> bool:
    """Tell whether a line was read as a whole; if not, leave out the rest of it."""
    whole = True
    while line and not line.endswith(b"\n"):
        line = stream.readline(CHUNK)
        whole = whole and not line
    return whole


def _json_line(line: bytes, name: str, field: str) -> Found:
    expected = LINE.replace("html", field)
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Found(name, problem=f"not JSON: {error}; {expected}", fields={})
    if not isinstance(record, dict):
        return Found(name, problem=f"not a JSON object but {type(record).__name__}; {expected}", fields={})
    page, url = record.pop(field, None), record.get("url")
    if not isinstance(page, str):
        found = f"no field {field!r}" if page is None else f"{field!r} is no string but {type(page).__name__}"
        return Found(name, problem=f"{found}; {expected}", fields=record)
    if url is not None and not isinstance(url, str):
        return Found(name, problem=f"'url' is no string but {type(url).__name__}; {expected}", fields=record)
    return Found(name, page, url, fields=record)


def _fetched(address: str, limits: Limits, seconds: float) -> Found:
    deadline = time.monotonic() + seconds
    try:
        with urlopen(Request(_in_ascii(address), headers=HEADERS), timeout=seconds) as answer:
            data = _body(answer, limits.bytes, deadline)
            return Found(address, data, answer.url, answer.headers.get_content_charset())
    except HTTPError as error:
        error.close()  # it is an answer too, and holds the connection
        problem = f"the server answered {error.code} {error.reason}"
    except TimeoutError:
        problem = f"took longer than {seconds:g} s"
    except URLError as error:
        problem = f"cannot be fetched: {getattr(error.reason, 'strerror', None) or error.reason}"
    except (OSError, HTTPException, ValueError, zlib.error) as error:
        problem = f"cannot be fetched: {getattr(error, 'strerror', None) or error or type(error).__name__}"
    return Found(address, url=address, problem=problem)


def _body(answer: HTTPResponse, limit: int, deadline: float) -> bytes:
    """Return what the server sends, up to one byte more than the limit, which is enough to have it refused."""
    packed = answer.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip", "deflate")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32) if packed else None  # 32: with the header of gzip or of zlib
    data, read = bytearray(), 0
    while len(data) <= limit and (chunk := answer.read1(CHUNK)):
        read += len(chunk)
        data += unpack.decompress(chunk, limit + 1) if unpack else chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    promised = int(answer.headers.get("Content-Length") or read)
    if len(data) <= limit and (read < promised or (unpack and read and not unpack.eof)):
        raise HTTPException(f"the answer broke off after {read:,} of {promised:,} bytes")
    return bytes(data[: limit + 1])


def _in_ascii(address: str) -> str:
    """Return an address as it goes over the wire: people paste them as browsers show them.

    >>> _in_ascii("https://bücher.example/straße?q=a b")
    'https://xn--bcher-kva.example/stra%C3%9Fe?q=a%20b'
    """
    parts = urlsplit(address)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii")
    path, query = (quote(part, safe="%/:=&?~+!$,;'@()*[]") for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme, host, path, query, ""))
