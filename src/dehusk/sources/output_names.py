"""Names of output files: each follows from its page alone, so that it is the same in every run."""

import json
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dehusk.compressed import SUFFIXES
from dehusk.sources.files import PAGE_SUFFIXES, TEXT_SUFFIXES, URL
from dehusk.sources.json_lines import SUFFIXES as LINES_SUFFIXES

ROOT: Final = "_"  # begins the output of an absolute path
PARENT: Final = "__"  # stands for ..
OTHER: Final = ".page"  # marks pages without an ending that says what they are
# After the ending of a page has been left out, its name must not end in what ends that of another output.
RESERVED: Final = PAGE_SUFFIXES | TEXT_SUFFIXES | LINES_SUFFIXES | SUFFIXES | {OTHER, ".tei"}
RECORD: Final = re.compile(r"(.+\.(?:w?arc(?:\.\w+)?|parquet)):(\d+)", re.IGNORECASE)  # in a file of many
LONGEST: Final = 200  # bytes in the name of a file: file systems allow 255, and a suffix follows
SLUG: Final = 100  # bytes of a URL or an id in a name
LONGEST_LINE: Final = 1_000_000  # bytes of a JSON line that is parsed for its id


def output_name(name: str, content: bytes | None = None, left_out: str = ".html") -> str:
    """Return a safe relative file name, without suffix, for the output of a page.

    Two pages never have the same. The ending `left_out` is left out, any other stays. What has no lasting name, a
    JSON line or a page from standard input, is named after its `content`.

    >>> output_name("pages/news.html"), output_name("pages/news.htm"), output_name("../news.html")
    ('pages/news', 'pages/news.htm', '__/news')
    >>> output_name("https://example.org/a/b?c=d")
    'example.org-a-b-c-d-fd84f7b651839acb'
    >>> output_name("x.jsonl.gz:7", b'{"id": "news 7", "html": "<p>Rain"}')
    'x.jsonl.gz/news-7-4d55a21e96548de1'
    >>> output_name("crawl.warc.gz:1207")
    'crawl.warc.gz/1207'
    """
    if URL.match(name):
        return _with_hash(_address(name), _bytes(name))
    if record := RECORD.fullmatch(name):
        return str(_folders(Path(record[1])) / record[2])
    if content is None:
        return str(_relative(Path(name), left_out))
    location, line, _ = name.rpartition(":")
    stem = _with_hash(_label(content) if line else "", content.strip())
    return str(Path("stdin" if location in ("", "-") else _folders(Path(location)), stem))


def marked(stem: str, name: str) -> str:
    """Return another output name for the page `name`, for where the one that it should have cannot be used."""
    return _with_hash(stem, _bytes(name))


def _relative(path: Path, left_out: str) -> Path:
    folders, name = _folders(path.parent), path.name
    if path.suffix == left_out and path.with_suffix("").suffix.lower() not in RESERVED:
        name = path.stem
    elif path.suffix.lower() not in RESERVED - {OTHER}:
        name += OTHER
    return folders / (name if len(_bytes(name)) <= LONGEST else _with_hash(_short(name), _bytes(name)))


def _folders(path: Path) -> Path:
    """Return a relative path that stays below its folder, another one for every path."""
    parts = [_folder(part) for part in path.parts if part != path.anchor]
    drive = re.sub(r"\W", "", path.drive)
    return Path(f"{ROOT}{drive}", *parts) if path.anchor else Path(*parts)


def _folder(part: str) -> str:
    if part == "..":
        return PARENT
    return part if part.strip("_") else f"{part}__"  # folders that are called like ours have longer names


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:  # no URL at all, which the fetcher reports
        return _slug(url)
    return _slug(f"{parts.netloc.rpartition('@')[2]}{parts.path}-{parts.query}")


def _label(line: bytes) -> str:
    """Return what people know a JSON line by: its id, or its URL."""
    try:
        record = json.loads(line) if len(line) <= LONGEST_LINE else None
    except (ValueError, RecursionError):
        return ""
    values = [record.get("id"), record.get("url")] if isinstance(record, dict) else []
    known = next((str(value) for value in values if isinstance(value, str | int) and str(value)), "")
    return _address(known) if URL.match(known) else _slug(known)


def _slug(text: str) -> str:
    return _short(re.sub(r"[^\w.-]+", "-", text), SLUG).strip("-.")


def _short(text: str, limit: int = LONGEST - 20) -> str:
    return _bytes(text)[:limit].decode("utf-8", "ignore")


def _with_hash(text: str, content: bytes) -> str:
    from hashlib import blake2b  # noqa: PLC0415  (a page from a file, the usual one, needs none)

    return f"{text}-{blake2b(content, digest_size=8).hexdigest()}".lstrip("-")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
