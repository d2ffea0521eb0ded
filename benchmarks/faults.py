"""Faults that readers see, counted on 300 pages of the training part of wcxb-dev: see `fault_checks`.

The pages are the same in every run: those with gold text, as many of each kind, the first by a hash of their id.

    python -m benchmarks.faults --json before.json
    python -m benchmarks.faults --against before.json          fixed and new, beside the counts
    python -m benchmarks.faults --list "words glued"           every case, to be looked at
"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Annotated, Final

from benchmarks.fault_checks import CHECKS, Written
from dehusk import Extractor, UsageError
from dehusk.cli.commands import Option, run
from dehusk.cli.progress import ProgressDisplay
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.gold.yardstick import stable_hash
from dehusk.models.registry import DEFAULT

CORPUS: Final = "wcxb-dev"
PAGES: Final = 300

Faults = dict[str, dict[str, list[str]]]  # by name of the fault and id of the page


def sample(pages: Iterable[GoldPage], count: int) -> list[GoldPage]:
    """Return as many pages of each kind, chosen by a hash of their id; more of the others if a kind has too few."""
    kinds: dict[str, list[GoldPage]] = {}
    for page in sorted(pages, key=lambda page: stable_hash(f"faults:{page.id}")):
        if page.gold and page.gold.strip():
            kinds.setdefault(page.kind or "", []).append(page)
    turns = chain.from_iterable(zip_longest(*(kinds[kind] for kind in sorted(kinds))))
    return list(islice((page for page in turns if page), count))


def judge(page: GoldPage, extractor: Extractor) -> Iterator[tuple[str, list[str]]]:
    """Yield the faults of a page that has any, by name."""
    document = extractor.extract(page.html, url=page.url)
    written = Written(document.page.html, page.gold or "", page.title or "", document.markdown())
    for name, check in CHECKS.items():
        if found := list(check(written)):
            yield name, found


def table(faults: Faults, before: Faults | None = None) -> str:
    """Return the counts as a table in Markdown: pages that have a fault, and how many they have.

    >>> print(table({"words glued": {"1": ["aB", "cD"]}}))
    | fault | pages | count |
    |---|---|---|
    | words glued | 1 | 2 |
    """
    heads = ["fault", "pages", "count", *(["pages before", "count before", "fixed", "new"] if before else [])]
    lines = [heads, ["---"] * len(heads)]
    for name, pages in faults.items():
        old = (before or {}).get(name, {})
        changes = [len(old), _total(old), len(old.keys() - pages.keys()), len(pages.keys() - old.keys())]
        lines.append([name, *map(str, [len(pages), _total(pages), *(changes if before else [])])])
    return "\n".join("|" + "|".join(f" {cell} " if cell != "---" else cell for cell in line) + "|" for line in lines)


def _total(pages: dict[str, list[str]]) -> int:
    return sum(map(len, pages.values()))


def read(path: Path, ids: list[str]) -> Faults:
    """Return the faults of an earlier run over the same pages."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        pages, faults = stored["pages"], stored["faults"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); name a file that --json wrote") from error
    if pages != ids:
        raise UsageError(f"{path} has {len(pages)} pages, other ones than this run; repeat the earlier run")
    return {name: faults.get(name, {}) for name in CHECKS}


def main(
    listed: Annotated[
        str | None, Option("--list", metavar="FAULT", help=f"Print every case of one of: {', '.join(CHECKS)}")
    ] = None,
    output: Annotated[Path | None, Option("--json", metavar="FILE", help="Write every case to a file")] = None,
    against: Annotated[Path | None, Option(metavar="FILE", help="Compare with what --json wrote earlier")] = None,
    method: Annotated[str, Option(help="Method that scores the blocks")] = DEFAULT,
    pages: Annotated[int, Option(min=1, help="Number of pages")] = PAGES,
) -> None:
    """Count the faults that readers see in the Markdown of pages."""
    if listed and listed not in CHECKS:
        raise UsageError(f"there is no fault {listed!r}; choose from {', '.join(CHECKS)}")
    chosen = sample(open_corpus(CORPUS).pages("train"), pages)
    ids = [page.id for page in chosen]
    before = read(against, ids) if against else None
    faults: Faults = {name: {} for name in CHECKS}
    extractor = Extractor(method)
    with ProgressDisplay(len(chosen)) as progress:
        for page in chosen:
            for name, found in judge(page, extractor):
                faults[name][page.id] = found
            progress.advance()
    if output:
        output.write_text(json.dumps({"pages": ids, "faults": faults}, ensure_ascii=False, indent=1), encoding="utf-8")
    if listed:
        for page in chosen:
            for case in faults[listed].get(page.id, []):
                print(f"{page.id}\t{page.kind or ''}\t{case}")
    print(f"{len(chosen)} pages of {CORPUS}, training part, {method}\n\n{table(faults, before)}")


if __name__ == "__main__":
    run(main)
