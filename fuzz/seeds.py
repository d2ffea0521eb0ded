"""The pages that mutations begin with: the golden pages and, where there are any, a sample of real ones."""

import hashlib
import os
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dehusk.gold.corpora import open_corpus

GOLDEN: Final = Path(__file__).parents[1] / "tests" / "pages"
CORPORA: Final = ("wcxb-dev", "cleaneval", "canola", "fundus", "daniel-dev", "newspaper4k")
PER_CORPUS: Final = 15
LONGEST: Final = 200_000  # bytes; the mutations cut windows out of a page anyway


def golden_pages() -> list[bytes]:
    """Return the golden pages, in order."""
    return [path.read_bytes() for path in sorted(GOLDEN.glob("*/source.html"))]


def real_pages() -> list[bytes]:
    """Return a sample of real pages, always the same; none without DEHUSK_DATA."""
    data = os.environ.get("DEHUSK_DATA")
    if not data or not Path(data, "data", "pages").is_dir():
        return []
    found = [page.html for name in CORPORA for page in open_corpus(name).pages(sample=PER_CORPUS)]
    pages = [html.encode("utf-8", "surrogatepass") if isinstance(html, str) else html for html in found]
    return [page for page in pages if len(page) <= LONGEST]


def write(pages: Sequence[bytes], path: Path) -> None:
    """Keep pages where workers find them, since reading a corpus takes longer than starting a worker."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(pickle.dumps(list(pages)))
    part.replace(path)


def read(path: Path) -> list[bytes]:
    """Return the pages that were written."""
    pages: list[bytes] = pickle.loads(path.read_bytes())
    return pages


def fingerprint(pages: Sequence[bytes]) -> str:
    """Return a short name of a list of pages: inputs are the same only where the pages are.

    >>> fingerprint([b"<p>Rain"])
    'faa57ebef570'
    """
    digest = hashlib.sha256()
    for page in pages:
        digest.update(f"{len(page)}:".encode() + page)
    return digest.hexdigest()[:12]
