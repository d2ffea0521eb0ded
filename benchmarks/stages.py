"""Time per stage on real pages, as a ratio to resiliparse's main-content extraction of the same pages.

Both run on each page in turn, so that a busy machine slows both alike. A ratio is the sum of ours over the sum of
theirs in one round over all pages; the median of the rounds is reported.

    python benchmarks/stages.py                      wcxb-dev if DEHUSK_DATA is set, else the golden pages
    python benchmarks/stages.py FOLDER --pages 50    the .html files below a folder
    python benchmarks/stages.py pages.jsonl.zst      any corpus that `dehusk.evaluation` reads
"""

import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Final, Self
from unittest.mock import patch

import numpy as np
import turbohtml
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import dehusk.page
from dehusk import DehuskError, Extractor, InputError, Page, __version__, formats
from dehusk.assemble import assemble
from dehusk.cli.commands import Argument, Option, run
from dehusk.extras import install_command
from dehusk.gold.corpora import open_corpus
from dehusk.methods.base import Method
from dehusk.models.registry import DEFAULT
from dehusk.page.charset import decode

# `release` frees the tree and the columns, which resiliparse does inside its one call.
STAGES: Final = ("decode", "parse", "leaves", "cut", "score", "render", "release")
HOT: Final = ("parse", "leaves", "cut")
GOLDEN: Final = Path(__file__).parent.parent / "tests" / "pages"
HISTORY: Final = Path(__file__).parent / "history.jsonl"
WARM_UP: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """CPU seconds for all pages: one row per round, one column per stage, and resiliparse's one step."""

    pages: int
    ours: NDArray[np.float64]
    theirs: NDArray[np.float64]

    def milliseconds(self, *stages: str) -> float:
        """Return the time per page of the stages together, in the median round."""
        return float(np.median(self._rounds(stages))) / self.pages * 1000

    def peer_milliseconds(self) -> float:
        """Return resiliparse's time per page in the median round."""
        return float(np.median(self.theirs)) / self.pages * 1000

    def ratio(self, *stages: str) -> float:
        """Return the time of the stages together as a multiple of resiliparse's, in the median round."""
        return float(np.median(self._rounds(stages) / self.theirs))

    def _rounds(self, stages: Sequence[str]) -> NDArray[np.float64]:
        columns = [STAGES.index(stage) for stage in stages]
        rounds: NDArray[np.float64] = self.ours[:, columns].sum(axis=1)
        return rounds


class StageClock:
    """Runs the stages on a page and measures the CPU time of each.

    It times the library's own path, not a copy of it: `Page.from_bytes` goes through decode, parse and leaves, which
    are separated by the call of the parser and its return.
    """

    def __init__(self, method: str = DEFAULT) -> None:
        self._extractor = Extractor(method)
        self._marks: list[float] = []

    def __enter__(self) -> Self:
        parse = turbohtml.parse

        def watched(*args: Any, **options: Any) -> Any:
            self._marks.append(process_time())
            tree = parse(*args, **options)
            self._marks.append(process_time())
            return tree

        self._patch = patch.object(dehusk.page, "parse", watched)
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()

    def seconds(self, data: bytes) -> list[float]:
        """Return the CPU seconds of every stage on one page."""
        method = self._extractor.method
        assert isinstance(method, Method)
        marks = self._marks = [process_time()]
        page = Page.from_bytes(data)
        marks.append(process_time())
        blocks = method.segment(page)
        marks.append(process_time())
        scores = method.score(page, blocks)
        marks.append(process_time())
        document = assemble(page, blocks, scores, selection=self._extractor.selection)
        formats.render(document, "text")
        marks.append(process_time())
        del page, blocks, scores, document
        marks.append(process_time())
        return [end - start for start, end in pairwise(marks)]


def measure(pages: Sequence[bytes], rounds: int = 5, method: str = DEFAULT) -> Timing:
    """Time all stages and resiliparse on every page, page by page in turn, `rounds` times over."""
    extract = peer()
    with StageClock(method) as clock:
        for data in pages[:WARM_UP]:
            _both(clock, extract, data, ours_first=True)
        laps = [
            [_both(clock, extract, data, ours_first=(number + lap) % 2 == 0) for number, data in enumerate(pages)]
            for lap in range(rounds)
        ]
    ours = np.array([[times for times, _ in lap] for lap in laps]).sum(axis=1)
    return Timing(len(pages), ours, np.array([[time for _, time in lap] for lap in laps]).sum(axis=1))


def _both(
    clock: StageClock, extract: Callable[[str], object], data: bytes, *, ours_first: bool
) -> tuple[list[float], float]:
    """Time a page both ways; the second finds warm caches, so the order alternates from page to page."""
    html = decode(data)[0]
    if ours_first:
        times = clock.seconds(data)
    start = process_time()
    extract(html)
    taken = process_time() - start
    if not ours_first:
        times = clock.seconds(data)
    return times, taken


def peer() -> Callable[[str], object]:
    """Return resiliparse's main-content extraction."""
    try:
        from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415
    except ImportError as error:
        raise InputError(
            f"resiliparse is not installed, and all times are multiples of its own; {install_command('dev')}"
        ) from error
    return lambda html: extract_plain_text(html, main_content=True)


def load(source: Path | None, count: int) -> list[bytes]:
    """Return the first pages of a folder or corpus, in UTF-8 if the corpus has them decoded."""
    pages = list(islice(_readable(source), count))
    if not pages:
        raise InputError(f"{source} holds no page; expected .html files below it, or JSON lines with `html`")
    return pages


def _readable(source: Path | None) -> Iterator[bytes]:
    """Yield the pages that are parsed: those refused for their size or format have no stages to time."""
    return (data for data in _read(source) if not Page.from_bytes(data).refused)


def _read(source: Path | None) -> Iterator[bytes]:
    if source is None:
        source = Path("wcxb-dev") if os.environ.get("DEHUSK_DATA") else GOLDEN
    if source.is_dir():
        for path in sorted(source.rglob("*.htm*")):
            yield path.read_bytes()
        return
    for page in open_corpus(source).pages():
        yield page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace")


def record(timing: Timing, name: str) -> dict[str, Any]:
    """Return the figures as one line of the history."""
    return {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "corpus": name,
        "pages": timing.pages,
        "rounds": len(timing.theirs),
        "milliseconds": {
            **{stage: round(timing.milliseconds(stage), 4) for stage in STAGES},
            "resiliparse": round(timing.peer_milliseconds(), 4),
        },
        "ratio": {
            **{stage: round(timing.ratio(stage), 4) for stage in STAGES},
            "+".join(HOT): round(timing.ratio(*HOT), 4),
            "all": round(timing.ratio(*STAGES), 4),
        },
    }


def table(timing: Timing, title: str) -> Table:
    """Return the figures as a table."""
    drawn = Table("stage", title=title, title_justify="left")
    drawn.add_column("ms per page", justify="right")
    drawn.add_column("× resiliparse", justify="right")
    for stage in STAGES:
        drawn.add_row(stage, f"{timing.milliseconds(stage):.3f}", f"{timing.ratio(stage):.3f}")
    drawn.add_section()
    drawn.add_row(" + ".join(HOT), f"{timing.milliseconds(*HOT):.3f}", f"{timing.ratio(*HOT):.3f}")
    drawn.add_row("all", f"{timing.milliseconds(*STAGES):.3f}", f"{timing.ratio(*STAGES):.3f}")
    drawn.add_row("resiliparse", f"{timing.peer_milliseconds():.3f}", "1.000")
    return drawn


def main(
    source: Annotated[Path | None, Argument("SOURCE")] = None,
    pages: Annotated[int, Option(min=1, help="How many pages to take.")] = 400,
    rounds: Annotated[int, Option(min=1, help="How often to time each page.")] = 5,
    method: Annotated[str, Option(help="Method that cuts and scores.")] = DEFAULT,
    json_file: Annotated[Path | None, Option("--json", help="Write the figures to this file.")] = None,
    keep: Annotated[bool, Option("--record", help="Add a line to benchmarks/history.jsonl.")] = False,
) -> None:
    """Print the time per page of each stage, in milliseconds and as a multiple of resiliparse's.

    SOURCE is a folder of .html files, or a corpus.
    """
    try:
        timing = measure(load(source, pages), rounds, method)
    except DehuskError as error:
        raise SystemExit(f"stages.py: {error}") from error
    name = source.name if source else "wcxb-dev" if os.environ.get("DEHUSK_DATA") else "golden pages"
    Console().print(table(timing, f"{timing.pages} pages of {name}, {method}, CPU time, median of {rounds} rounds"))
    print(f"{' + '.join(HOT)}: {timing.ratio(*HOT):.2f} times resiliparse")
    line = json.dumps(record(timing, name))
    if json_file:
        json_file.write_text(line + "\n", encoding="utf-8")
    if keep:
        with HISTORY.open("a", encoding="utf-8") as history:
            history.write(line + "\n")


if __name__ == "__main__":
    run(main)
