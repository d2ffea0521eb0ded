"""Run: every system on every page of a corpus, one row each; they take turns on each page, so noise hits all alike."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from functools import partial
from math import nan
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dehusk import formats
from dehusk.config import Limits
from dehusk.errors import UsageError
from dehusk.evaluation.metrics import MatchCounts, aligned, bag_of_words, edit_similarity, snippets, tokenise
from dehusk.evaluation.peers import ORACLE, PEERS, shared_node
from dehusk.evaluation.rouge import rouge_lsum, rouge_n
from dehusk.extractor import Extractor
from dehusk.gold.alignment import gold_shares
from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage
from dehusk.gold.word_sequences import words
from dehusk.models.registry import DEFAULT, METHODS
from dehusk.page import Page
from dehusk.pool import Pool
from dehusk.reasons import Reason

# Some peers need minutes and gigabytes for a page; exceeding this counts as their error.
LIMITS: Final = Limits(seconds=120.0, memory=8_000_000_000)
UNSPACED_LANGUAGES: Final = frozenset({"zh", "ja", "th", "lo", "km", "my"})


def _bow(output: str, page: GoldPage) -> MatchCounts:
    split = words if page.language in UNSPACED_LANGUAGES else tokenise
    return bag_of_words(output, page.gold or "", split)


# Name → from output and page to counts, or to a share.
METRICS: Final[dict[str, Callable[[str, GoldPage], MatchCounts | float]]] = {
    "bow": _bow,
    "words": lambda output, page: aligned(output, page.gold or "").words,
    "marked": lambda output, page: aligned(output, page.gold_marked or page.gold or "").words,
    "segments": lambda output, page: aligned(output, page.gold_marked or "").marks,
    "snippets": lambda output, page: snippets(output, page.wanted, page.unwanted),
    "similarity": lambda output, page: edit_similarity(output, page.gold or "") / 100,
    "rouge5": lambda output, page: rouge_n(output, page.gold or "", 5),
    "rougelsum": lambda output, page: rouge_lsum(output, page.gold or ""),
}
# Against gold with CleanEval's marks, our methods write marks too.
WITH_MARKS: Final = frozenset({"marked", "segments"})
# What papers on a corpus and its users report; bag of words for all others.
USUAL_METRIC: Final = {"cleaneval": "words", "cleanportaleval": "words", "snippets-dev": "snippets"}


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one system on one page."""

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
class BlockScores:
    """Scores that one of our methods gave to blocks, with their gold: True = boilerplate."""

    system: str
    scores: npt.NDArray[np.float64]
    boilerplate: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PageResult:
    """The rows of all systems for one page."""

    rows: list[Row]
    block_scores: list[BlockScores] = field(default_factory=list)
    unaligned: str = ""  # the id of the page, if it does not contain its gold
    unknown: list[tuple[str, str]] = field(default_factory=list)  # peers that lack the page's language, and its code


@dataclass(frozen=True, slots=True)
class Plan:
    """Which systems run, and by which metric they are measured."""

    systems: tuple[str, ...]
    metric: str
    blocks: bool = False  # whether to keep the scores of our methods' blocks, for curves


def known_systems() -> list[str]:
    """Return all names that `Plan.systems` may hold: our methods, the oracle, the peers."""
    return [*METHODS, ORACLE, *PEERS]


def is_ours(system: str) -> bool:
    """Return whether a system is a method of ours, by its name or the folder of its model."""
    return system != ORACLE and not is_peer(system)


def is_peer(system: str) -> bool:
    """Return whether a system is another tool; a name that a method has, too, means the method."""
    return system in PEERS and system not in METHODS


def usual_metric(corpus: str) -> str:
    """Return the default metric of a corpus.

    >>> usual_metric("cleaneval"), usual_metric("wcxb-dev")
    ('words', 'bow')
    """
    return USUAL_METRIC.get(corpus, "bow")


def evaluate(
    corpus: Corpus, plan: Plan, part: str = "all", sample: int | None = None, seed: int = 0, *, jobs: int = 1
) -> Iterator[PageResult]:
    """Yield the result of each page of a part of a corpus, in the order of the corpus.

    Pages run in worker processes. If a page kills its worker, each system gets a worker of its own, so that only the
    one that dies is charged with it.
    """
    if plan.metric not in METRICS:
        raise UsageError(f"there is no metric {plan.metric!r}; choose from {', '.join(METRICS)}", setting="metric")
    if plan.metric == "segments" and (others := [name for name in plan.systems if not is_ours(name)]):
        raise UsageError(
            f"only our methods write marks, so segments cannot measure {', '.join(others)}", setting="metric"
        )
    pages = (page for page in corpus.pages(part, sample, seed) if has_gold_for(page, plan.metric))
    with Pool[GoldPage, PageResult](partial(run_page, plan), jobs, LIMITS) as pool:
        for page, answer in pool.map(pages):
            yield _run_separately(plan, page) if isinstance(answer, Reason) else answer


def has_gold_for(page: GoldPage, metric: str) -> bool:
    """Return whether a page has the gold that a metric needs: snippets, text with marks, or the full text."""
    if metric == "snippets":
        return bool(page.wanted or page.unwanted)
    return page.gold_marked is not None if metric == "segments" else page.gold is not None


def _run_separately(plan: Plan, page: GoldPage) -> PageResult:
    rows: list[Row] = []
    for system in plan.systems:
        alone = Plan((system,), plan.metric)
        with Pool[GoldPage, PageResult](partial(run_page, alone), 1, LIMITS) as pool:
            _, answer = next(iter(pool.map([page])))
        if isinstance(answer, Reason):
            size = len(_decoded(page).encode())
            rows.append(score_row(page, system, METRICS[plan.metric]("", page), nan, size, str(answer)))
        else:
            rows += answer.rows
    return PageResult(rows)


def run_page(plan: Plan, page: GoldPage) -> PageResult:
    """Run every system on one page, in a worker."""
    html = _decoded(page)
    taking = [name for name in plan.systems if is_peer(name) and PEERS[name].languages]
    language = page.language or None
    if taking and not language:
        language = Extractor(DEFAULT).extract(html).metadata.language
    rows = [_run_system(plan, page, html, system, language) for system in plan.systems]
    unknown = [(name, language or "") for name in taking if not PEERS[name].knows(language)]
    if not plan.blocks or not page.gold:
        return PageResult(rows, unknown=unknown)
    ours = [name for name in plan.systems if is_ours(name)]
    scored = [scores for name in ours if (scores := score_blocks(name, page))]
    return PageResult(rows, scored, "" if len(scored) == len(ours) else page.id, unknown)


def score_blocks(method: str, page: GoldPage) -> BlockScores | None:
    """Return the scores of a method's blocks with their gold, None if the page does not contain its gold."""
    document = Extractor(method).extract(page.html, url=page.url)
    blocks = document.blocks
    alignment = gold_shares(document.page.text, blocks.start, blocks.end, page.gold or "")
    if not alignment.usable:
        return None
    known = ~np.isnan(alignment.shares) & ~np.isnan(document.scores.values)
    return BlockScores(method, document.scores.values[known], alignment.shares[known] <= 0.5)


def _run_system(plan: Plan, page: GoldPage, html: str, system: str, language: str | None) -> Row:
    format_name = "cleaneval" if plan.metric in WITH_MARKS and page.gold_marked else "text"
    run = _runner(system, page, format_name, language)
    start = _cpu_seconds()
    try:
        output, error = run(html), ""
    except Exception as problem:  # a peer may raise anything; it is counted, and the run continues
        output, error = "", f"{type(problem).__name__}: {problem}"[:200]
    milliseconds = 1000 * (_cpu_seconds() - start)
    return score_row(page, system, METRICS[plan.metric](output, page), milliseconds, len(html.encode()), error)


def _cpu_seconds() -> float:
    return time.process_time() + shared_node().cpu_seconds


def _decoded(page: GoldPage) -> str:
    return page.html if isinstance(page.html, str) else Page.from_bytes(page.html).html


def _runner(system: str, page: GoldPage, format: str = "text", language: str | None = None) -> Callable[[str], str]:
    if system == ORACLE:
        return lambda html: oracle(html, page.gold or "")
    if is_peer(system):
        peer = PEERS[system]
        peer.load()
        return lambda html: peer.run(html, language, page.url)
    extractor = Extractor(system)
    return lambda html: formats.render(extractor.extract(html, url=page.url), format)


def oracle(html: str, gold: str) -> str:
    """Return the blocks that the gold calls content: the upper bound for methods on the common cut.

    >>> oracle("<p>Home<p>It rained all day.", "It rained all day.")
    'It rained all day.'
    """
    document = Extractor("alltext").extract(html)
    blocks = document.blocks
    shares = gold_shares(document.page.text, blocks.start, blocks.end, gold).shares
    return "\n".join(text for text, share in zip(blocks.strings(), shares.tolist(), strict=True) if share > 0.5)


def score_row(
    page: GoldPage, system: str, measure: MatchCounts | float, milliseconds: float = nan, size: int = 0, error: str = ""
) -> Row:
    """Return the row of a system whose output on a page has these counts, or this share."""
    counts = measure if isinstance(measure, MatchCounts) else MatchCounts(0, 0, 0)
    precision, recall, f1 = astuple(counts.prf) if isinstance(measure, MatchCounts) else (measure,) * 3
    if error:  # a crash is not a right answer, even if nothing was wanted
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
    """Return the peak memory, in MB, of a separate process in which a system runs over `pages`."""
    with Pool[str | bytes, float](partial(memory_after, system), 1, LIMITS) as pool:
        peaks = [answer for _, answer in pool.map(pages) if not isinstance(answer, Reason)]
    return max(peaks, default=nan)


def memory_after(system: str, html: str | bytes) -> float:
    """Run a system on a page, in a worker; return the peak memory of the process and its Node so far, in MB.

    NaN if the operating system does not report it.
    """
    page = GoldPage("", "", "", html, "")
    with suppress(Exception):  # counted by `evaluate`; here only the memory matters
        _runner(system, page)(_decoded(page))
    processes = ["self", *([str(node)] if (node := shared_node().process_id) else [])]
    return sum(_peak_memory_of(Path("/proc", process, "status")) for process in processes)


def _peak_memory_of(status: Path) -> float:
    # Not getrusage: there a process starts with the peak of its parent.
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), nan)
