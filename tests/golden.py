"""The golden pages: what is pinned of each, and the program that rewrites it.

    python -m tests.golden          all pages
    python -m tests.golden recipe   one of them

Structure (charset, doctype, text, blocks, kinds) is rewritten; the snippets that must and must not be in the output
(`with`, `without`) are written by hand and kept. `misses` lists, per method, the snippets that it gets wrong.
Pages whose name begins with `format-` are also pinned in each format that shows structure.
Read the diff before you commit it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from dehusk import Document, Extractor, Kind, __version__, formats
from dehusk.block_locations import BlockLocations
from dehusk.formats import Look

PAGES = Path(__file__).parent / "pages"
FOLDERS = sorted(folder for folder in PAGES.iterdir() if folder.is_dir())
JUDGED = ("kernel", "bte")
# The pages that are pinned in all of these formats, with links and images.
WRITTEN = [folder for folder in FOLDERS if folder.name.startswith("format-")]
FILES = {
    "markdown": "expected.md",
    "html": "expected.html",
    "tei": "expected.tei.xml",
    "xml": "expected.xml",
    "cleaneval": "expected.cleaneval.txt",
}
RICH = Look(links=True, images=True)


def document(folder: Path, method: str) -> Document:
    return Extractor(method).extract((folder / "source.html").read_bytes())


def written(folder: Path, format: str, *, every: bool = False) -> str:
    """Return all of a page's text in a format, without the version number."""
    data, url = (folder / "source.html").read_bytes(), f"https://example.org/{folder.name}/"
    page = Extractor("alltext").extract(data, url=url)
    return formats.render(page, format, every=every, look=RICH).replace(f'version="{__version__}"', 'version="…"')


def structure(page: Document) -> dict[str, Any]:
    """Return the structure of a page, before anything is scored."""
    locations = BlockLocations(page.page, page.blocks)
    rows = []
    for index, block in enumerate(page.blocks):
        kind = block.kind.label + (f" {block.level}" if block.level else "") + (" hidden" if block.hidden else "")
        if block.kind is Kind.CELL:
            kind += " {}:{}".format(*(locations.cell(index) or ("?", "?")))
        rows.append([kind, block.text])
    return {
        "charset": page.page.charset,
        "doctype": page.page.doctype,
        "reason": str(page.reason or ""),
        "blocks": rows,
    }


def misses(expected: dict[str, Any], text: str) -> list[str]:
    """Return the snippets that a text gets wrong."""
    flat = " ".join(text.split())
    lost = [snippet for snippet in expected["with"] if snippet not in flat]
    kept = [snippet for snippet in expected["without"] if snippet in flat]
    return lost + kept


def rewrite(folder: Path) -> None:
    """Write `expected.txt` and `expected.json` from what the library does now."""
    path = folder / "expected.json"
    expected = json.loads(path.read_text(encoding="utf-8"))
    everything = document(folder, "alltext")
    (folder / "expected.txt").write_text(everything.text, encoding="utf-8")
    for kind, name in FILES.items() if folder in WRITTEN else ():
        (folder / name).write_text(written(folder, kind), encoding="utf-8")
    wrong = {method: misses(expected, document(folder, method).text) for method in JUDGED}
    record = {"with": expected["with"], "without": expected["without"], "misses": wrong, **structure(everything)}
    lines = json.dumps(record, ensure_ascii=False, indent=1)
    path.write_text(
        lines.replace("[\n   ", "[").replace('",\n   "', '", "').replace('"\n  ]', '"]') + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or [folder.name for folder in FOLDERS]:
        rewrite(PAGES / name)
