"""Run: every system on every page of a corpus, one row each; they take turns page by page, so noise hits all alike."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dehusk import formats
from dehusk.config import Limits
from dehusk.errors import UsageError
from dehusk.evaluation.metrics import Counts, aligned, bag_of_words, edit_similarity, snippets, tokenise
from dehusk.evaluation.peers import PEERS, find_peer
from dehusk.evaluation.rouge import rouge_lsum, rouge_n
from dehusk.extractor import Extractor
from dehusk.gold.alignment import gold_shares
from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage
from dehusk.gold.word_sequences import words
from dehusk.models.registry import TABLE
from dehusk.page import Page
from dehusk.pool import Pool

# Some peers need minutes and gigabytes for a page; what is over this is counted as an error of theirs.
LIMITS: Final = Limits(seconds=120.0, memory=8_000_000_000)
ORACLE: Final = "oracle"
UNSPACED_LANGUAGES: Final = frozenset({"zh", "ja", "th", "lo", "km", "my"})


def _bow(output: str, page: GoldPage) -> Counts:
    split = words if page.language in UNSPACED_LANGUAGES else tokenise
    return bag_of_words(output, page.gold or "", split)


# Name → from output and page to counts, or to a share.
METRICS: Final[dict[str, Callable[[str, GoldPage], Counts | float]]] = {
    "bow": _bow,
    "words": lambda output, page: aligned(output, page.gold or "").words,
    "marked": lambda output, page: aligned(output, page.gold_marked or page.gold or "").words,
    "segments": lambda output, page: aligned(output, page.gold_marked or "").marks,
    "snippets": lambda output, page: snippets(output, page.wanted, page.unwanted),
    "similarity": lambda output, page: edit_similarity(output, page.gold or "") / 100,
    "rouge5": lambda output, page: rouge_n(output, page.gold or "", 5),
    "rougelsum": lambda output, page: rouge_lsum(output, page.gold or ""),
}
# Against gold with CleanEval's marks, our methods write them too.
WITH_MARKS: Final = frozenset({"marked", "segments"})
# What a set's own papers and users report; bag of words for all others.
USUAL_METRIC: Final = {"cleaneval": "words", "cleanportaleval": "words", "snippets-dev": "snippets"}


@dataclass(frozen=True, slots=True)
class Row:
    """What one system made of one page."""

    corpus: str
    page: str
    kind: str
    language: str
    system: str
    precision: float
    recall: float
    f1: float
    tp: int
    fp: int
    fn: int
    milliseconds: float
    size: int  # of the page in bytes, as UTF-8
    error: str = ""
    empty_gold: bool = False


@dataclass(frozen=True, slots=True)
class BlockColumns:
    """Scores of one of our methods on all blocks of a page, beside the gold: True = boilerplate."""

    system: str
    scores: npt.NDArray[np.float64]
    boilerplate: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """All systems' rows for one page."""

    rows: list[Row]
    columns: list[BlockColumns] = field(default_factory=list)
    unaligned: str = ""  # the id of the page, if its gold could not be found in it


@dataclass(frozen=True, slots=True)
class Plan:
    """Which systems run, and by what they are measured."""

    systems: tuple[str, ...]
    metric: str
    blocks: bool = False  # whether to keep the scores of our methods' blocks, for curves


def known_systems() -> list[str]:
    """Return all names that `Plan.systems` may hold: our methods, the oracle, the peers."""
    return [*(entry.name for entry in TABLE), ORACLE, *PEERS]


def usual_metric(corpus: str) -> str:
    """Return the metric that a corpus is measured by unless another is asked for.

    >>> usual_metric("cleaneval"), usual_metric("wcxb-dev")
    ('words', 'bow')
    """
    return USUAL_METRIC.get(corpus, "bow")


def evaluate(
    corpus: Corpus, plan: Plan, part: str = "all", sample: int | None = None, seed: int = 0, *, jobs: int = 1
) -> Iterator[Judged]:
    """Yield the judgement of each page of a part of a corpus, in the corpus's order.

    Pages run in worker processes. Where a page kills its worker, each system gets a worker of its own, so that only the
    one that dies is charged with it.
    """
    if plan.metric not in METRICS:
        raise UsageError(f"no metric is called {plan.metric!r}; there are {', '.join(METRICS)}")
    if plan.metric == "segments" and (others := [name for name in plan.systems if name in (ORACLE, *PEERS)]):
        raise UsageError(f"only our methods mark what they write, so segments cannot measure {', '.join(others)}")
    pages = (page for page in corpus.pages(part, sample, seed) if measurable(page, plan.metric))
    with Pool(("dehusk.evaluation.run", "judged", plan), jobs, LIMITS) as pool:
        for page, answer in pool.map(pages):
            yield _one_by_one(plan, page) if isinstance(answer, str) else answer


def measurable(page: GoldPage, metric: str) -> bool:
    """Tell whether a page has the gold that a metric needs: snippets, the text with marks, or the full text."""
    if metric == "snippets":
        return bool(page.wanted or page.unwanted)
    return page.gold_marked is not None if metric == "segments" else page.gold is not None


def _one_by_one(plan: Plan, page: GoldPage) -> Judged:
    rows: list[Row] = []
    for system in plan.systems:
        alone = Plan((system,), plan.metric)
        with Pool(("dehusk.evaluation.run", "judged", alone), 1, LIMITS) as pool:
            _, answer = next(iter(pool.map([page])))
        if isinstance(answer, str):
            size = len(_decoded(page).encode())
            rows.append(_row(page, system, METRICS[plan.metric]("", page), float("nan"), size, answer))
        else:
            rows += answer.rows
    return Judged(rows)


def judged(plan: Plan, page: GoldPage) -> Judged:
    """Run in a worker: let every system have its turn at one page."""
    html = _decoded(page)
    rows = [_measured(plan, page, html, system) for system in plan.systems]
    if not plan.blocks or not page.gold:
        return Judged(rows)
    ours = [entry.name for entry in TABLE if entry.name in plan.systems]
    columns = [column for name in ours if (column := block_columns(name, page))]
    return Judged(rows, columns, "" if len(columns) == len(ours) else page.id)


def block_columns(method: str, page: GoldPage) -> BlockColumns | None:
    """Return the scores of a method's blocks beside their gold, None where the gold is not on the page."""
    document = Extractor(method).extract(page.html, url=page.url)
    blocks = document.blocks
    alignment = gold_shares(document.page.text, blocks.start, blocks.end, page.gold or "")
    if not alignment.usable:
        return None
    known = ~np.isnan(alignment.shares) & ~np.isnan(document.scores.values)
    return BlockColumns(method, document.scores.values[known], alignment.shares[known] <= 0.5)


def _measured(plan: Plan, page: GoldPage, html: str, system: str) -> Row:
    run = _runner(system, page, "cleaneval" if plan.metric in WITH_MARKS and page.gold_marked else "text")
    start = time.process_time()
    try:
        output, error = run(html), ""
    except Exception as problem:  # a peer may raise anything; it is counted, and the run goes on
        output, error = "", f"{type(problem).__name__}: {problem}"[:200]
    milliseconds = 1000 * (time.process_time() - start)
    return _row(page, system, METRICS[plan.metric](output, page), milliseconds, len(html.encode()), error)


def _decoded(page: GoldPage) -> str:
    return page.html if isinstance(page.html, str) else Page.from_bytes(page.html).html


def _runner(system: str, page: GoldPage, format: str = "text") -> Callable[[str], str]:
    if system == ORACLE:
        return lambda html: oracle(html, page.gold or "")
    if system in PEERS:
        peer = find_peer(system)
        peer.load()
        return lambda html: peer.run(html, page.language)
    extractor = Extractor(system)
    return lambda html: formats.render(extractor.extract(html, url=page.url), format)


def oracle(html: str, gold: str) -> str:
    """Return the blocks that the gold calls content: the ceiling of every method that uses the common cut.

    >>> oracle("<p>Home<p>It rained all day.", "It rained all day.")
    'It rained all day.'
    """
    document = Extractor("alltext").extract(html)
    blocks = document.blocks
    shares = gold_shares(document.page.text, blocks.start, blocks.end, gold).shares
    return "\n".join(text for text, share in zip(blocks.strings(), shares.tolist(), strict=True) if share > 0.5)


def _row(page: GoldPage, system: str, measure: Counts | float, milliseconds: float, size: int, error: str) -> Row:
    counts = measure if isinstance(measure, Counts) else Counts(0, 0, 0)
    precision, recall, f1 = astuple(counts.prf) if isinstance(measure, Counts) else (measure,) * 3
    if error:  # a crash is no right answer, not even where nothing was wanted
        precision = recall = f1 = 0.0
    return Row(
        corpus=page.corpus,
        page=page.id,
        kind=page.kind or "",
        language=page.language or "",
        system=system,
        precision=precision,
        recall=recall,
        f1=f1,
        tp=counts.tp,
        fp=counts.fp,
        fn=counts.fn,
        milliseconds=milliseconds,
        size=size,
        error=error,
        empty_gold=page.gold is not None and not page.gold.strip(),
    )


def peak_memory(system: str, pages: Sequence[str | bytes]) -> float:
    """Return the peak memory, in MB, of a process of its own in which a system runs over `pages`."""
    with Pool(("dehusk.evaluation.run", "memory_after", system), 1, LIMITS) as pool:
        peaks = [answer for _, answer in pool.map(pages) if not isinstance(answer, str)]
    return max(peaks, default=float("nan"))


def memory_after(system: str, html: str | bytes) -> float:
    """Run in a worker: let a system have a page and return the process's peak memory so far, in MB."""
    page = GoldPage("", "", "", html, "")
    with suppress(Exception):  # counted by `evaluate`; here only the memory matters
        _runner(system, page)(_decoded(page))
    return _peak_memory()


def _peak_memory() -> float:
    """Return the peak memory of this process in MB, NaN where the system does not tell."""
    status = Path("/proc/self/status")
    # Not getrusage: there a process starts with the peak of the one that started it.
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), float("nan"))
