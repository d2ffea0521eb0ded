"""Texts: what each method leaves of every page, kept in a file per collection and method."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Final

import zstandard

from dehusk.errors import InputError
from dehusk.evaluation.peers import PEERS, find_peer
from dehusk.extractor import Extractor
from dehusk.gold.corpora import SETS, open_corpus
from dehusk.models.registry import REGISTRY
from research import Progress
from research.cache import file_name

TAGS_REMOVED: Final = "tags removed"
BASELINE: Final = "alltext"
PEERS_MEASURED: Final = ("resiliparse",)
# Without the networks that exist for comparison with a paper's tables.
OURS: Final = tuple(entry.name for entry in REGISTRY if not entry.name.startswith("boilernet-paper"))
METHODS: Final = (TAGS_REMOVED, *OURS, *PEERS_MEASURED)
SEARCHED: Final = (*SETS, "webkb")  # the collections that are searched together
TAG: Final = re.compile(r"<[^>]*>")
PAGES_PER_MESSAGE: Final = 1000

Clean = Callable[[str, str | None], str]  # from a page and its language to its text


@dataclass(frozen=True, slots=True)
class Source:
    """A page to clean."""

    id: str
    html: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The texts of a collection by one method, in the order of its pages, and the CPU seconds that they took."""

    texts: Sequence[str]
    seconds: float


def webkb_rows() -> Iterator[dict[str, str]]:
    """Yield WebKB's pages with their class and school."""
    path = Path(os.environ.get("DEHUSK_DATA", ""), "data", "pages", "webkb.jsonl.zst")
    if not path.is_file():
        raise InputError(f"{path} is missing; set DEHUSK_DATA to the folder that holds data/pages")
    with zstandard.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def pages_of(collection: str) -> Iterator[Source]:
    """Yield the pages of WebKB or of one of the project's sets."""
    if collection == "webkb":
        return (Source(row["id"], row["html"], row["lang"]) for row in webkb_rows())
    pages = open_corpus(collection).pages()
    return (Source(page.id, page.html, page.language) for page in pages if isinstance(page.html, str))


def cleaner(method: str) -> Clean:
    """Return what turns a page into text: one of our methods, another program, or the plain removal of tags."""
    if method == TAGS_REMOVED:
        return lambda html, language: " ".join(TAG.sub(" ", html).split())
    if method in PEERS:
        peer = find_peer(method)
        peer.load()
        return lambda html, language: _unless_it_fails(lambda: peer.run(html, language))
    extractor = Extractor(method)
    return lambda html, language: extractor.extract(html).text


def _unless_it_fails(run: Callable[[], str]) -> str:
    """Return the output of another program, empty if it fails, as `dehusk compare` counts it too."""
    try:
        return run()
    except Exception:
        return ""


def cleaned(collection: str, method: str, work: Path, progress: Progress) -> Cleaned:
    """Return the texts of a collection by a method; an interrupted run continues at the page where it stopped."""
    path = work / file_name(collection, method, "jsonl")
    if not path.exists():
        _clean(pages_of(collection), method, path.with_suffix(".part"), lambda step: progress(f"{collection}, {step}"))
        path.with_suffix(".part").replace(path)
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return Cleaned([text for text, _ in rows], sum(seconds for _, seconds in rows))


def _clean(pages: Iterable[Source], method: str, path: Path, progress: Progress) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    done = _complete_lines(path)
    run = cleaner(method)
    with path.open("a", encoding="utf-8") as file:
        for index, page in enumerate(islice(pages, done, None), done):
            if index % PAGES_PER_MESSAGE == 0:
                progress(f"{method}, page {index:,}")
            start = process_time()
            text = run(page.html, page.language)
            file.write(json.dumps([text, process_time() - start]) + "\n")


def _complete_lines(path: Path) -> int:
    """Return how many lines a file has, without a last one that was not written to its end, which is cut off."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    return whole.count(b"\n")
