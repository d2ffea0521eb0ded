"""Python and TypeScript on real pages, scripts blocked: `make web-parity`.

    python -m tests.web.parity --pages 1000

prints every page on which the two differ, and at the end how many did.
"""

import argparse
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import zstandard

from dehusk import Page
from tests.golden import FOLDERS
from tests.web.traces import SCORE_TOLERANCE, Reader, Trace, furthest_score, python_trace, reader

LEFT_OUT = ("webkb",)  # of the 1990s, and as many pages as all other sets together


class Result(NamedTuple):
    """How two traces of one page compare."""

    blocks: bool  # the same text, cut at the same places
    kept: bool  # the same text comes out
    tree: bool  # both parsers built the same tree
    furthest: float  # score from its twin

    @property
    def good(self) -> bool:
        """Whether the page is as it must be."""
        return self.blocks and self.kept and self.furthest <= SCORE_TOLERANCE


def compare(html: str, chromium: Reader) -> Result:
    """Compare Python with TypeScript on one page."""
    python = python_trace(Page.from_html(html), features=False)
    other = chromium.trace(html, features=False)
    return Result(
        _cut(python) == _cut(other),
        python["kept"] == other["kept"] and python["written"] == other["written"],
        python["elements"] == other["elements"],
        furthest_score(python, other),
    )


def _cut(trace: Trace) -> tuple[str, list[int], list[int]]:
    return trace["text"], trace["blocks"][0], trace["blocks"][1]


def golden_pages() -> Iterator[tuple[str, str]]:
    """Yield the golden pages with their names."""
    for folder in FOLDERS:
        yield f"golden/{folder.name}", Page.from_bytes((folder / "source.html").read_bytes()).html


def real_pages(folder: Path, count: int, sets: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return so many pages of some sets, or of all, the same ones each time."""
    all_names = sorted(path for path in folder.glob("*.jsonl.zst") if path.name.split(".")[0] not in LEFT_OUT)
    names = [path for path in all_names if not sets or path.name.split(".")[0] in sets]
    keys = [(path, number, name) for path in names for number, name in enumerate(_names(path))]
    chosen = sorted(keys, key=lambda key: hashlib.sha256(key[2].encode()).digest())[:count]
    wanted = {(path, number): name for path, number, name in chosen}
    return [(wanted[path, number], html) for path in names for number, html in _pages(path) if (path, number) in wanted]


def _records(path: Path) -> Iterator[dict[str, str]]:
    with zstandard.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _names(path: Path) -> Iterator[str]:
    for record in _records(path):
        yield f"{path.name.split('.')[0]}/{record['id']}"


def _pages(path: Path) -> Iterator[tuple[int, str]]:
    for number, record in enumerate(_records(path)):
        yield number, record["html"]


def main() -> int:
    """Compare all pages, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    count = parser.parse_args().pages
    pages = [*golden_pages(), *real_pages(Path(os.environ["DEHUSK_DATA"]) / "data" / "pages", count)]
    found: Counter[str] = Counter()
    furthest = 0.0
    with reader() as chromium:
        for name, html in pages:
            result = compare(html, chromium)
            furthest = max(furthest, result.furthest)
            found.update(field for field in ("blocks", "kept", "tree", "good") if getattr(result, field))
            if not result.good or not result.tree:
                print(name, *(f"{field}={value}" for field, value in result._asdict().items()), flush=True)
    counts = f"blocks on {found['blocks']}, kept text on {found['kept']}, trees on {found['tree']}"
    print(f"{len(pages)} pages, identical {counts};")
    print(f"furthest score from its twin {furthest:.1e}; {found['good']} as they must be")
    return 0 if found["good"] == len(pages) else 1


if __name__ == "__main__":
    sys.exit(main())
