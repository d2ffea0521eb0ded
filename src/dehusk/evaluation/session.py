"""Session: one evaluation from start to end: which corpora, which systems, what came out."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from dehusk.errors import ModelError, UsageError
from dehusk.evaluation.peers import PEERS, installed_peers
from dehusk.evaluation.run import (
    BlockScores,
    Plan,
    Row,
    evaluate,
    has_gold_for,
    is_ours,
    is_peer,
    known_systems,
    peak_memory,
    usual_metric,
)
from dehusk.gold.corpora import Corpus, open_corpus
from dehusk.models.registry import METHODS, is_folder, method

MEMORY_PAGES: Final = 100  # enough for the peak of an ordinary process to show


@dataclass(frozen=True, slots=True)
class PageSelection:
    """Which pages of each corpus are measured, and by which metric."""

    part: str = "all"
    sample: int | None = None
    seed: int = 0
    metric: str | None = None  # None: the default of the corpus

    def metric_of(self, corpus: Corpus) -> str:
        """Return the metric for a corpus."""
        return self.metric or usual_metric(corpus.name)


@dataclass(frozen=True, slots=True)
class Session:
    """The result of an evaluation."""

    about: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    block_scores: dict[str, BlockScores] = field(default_factory=dict)  # of each of our methods, over all pages
    unaligned: list[str] = field(default_factory=list)  # pages that do not contain their gold
    # Pages by the peer that lacks their language, and its code ("" if it could not be detected).
    unknown_languages: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def metrics(self) -> dict[str, str]:
        """The metric of each corpus."""
        return {name: entry["metric"] for name, entry in self.about["corpora"].items()}


def open_corpora(names: Iterable[str]) -> list[Corpus]:
    """Return the corpora of these names or paths, each once; raise UsageError if two of them share a name."""
    corpora = [open_corpus(name) for name in dict.fromkeys(names)]
    if len({corpus.name for corpus in corpora}) < len(corpora):
        raise UsageError("two corpora have the same name; rename one, or measure them one by one", setting="corpus")
    return corpora


def choose_systems(names: Sequence[str] = (), *, peers: bool = False) -> tuple[list[str], dict[str, str]]:
    """Return the systems to run, each once, and those that cannot run here with the reason.

    Without names these are all of our methods; `peers` adds the tools that are installed. A system that was named must
    be able to run.

    >>> choose_systems(["bte", "oracle", "bte"])
    (['bte', 'oracle'], {})
    """
    systems = list(dict.fromkeys(names)) or list(METHODS)
    for name in systems:
        if name not in known_systems() and not is_folder(name):
            raise UsageError(
                f"there is no method or peer {name!r}; choose from {', '.join(known_systems())}, "
                "or name the folder of a model of your own",
                setting="method",
            )
    _, missing = installed_peers(filter(is_peer, systems))
    for name in filter(is_ours, systems):
        try:
            method(name)  # as for a page: it may lack a package or its weights
        except ModelError as error:
            missing[name] = str(error)
    if names:
        for name, reason in missing.items():
            raise UsageError(f"{name} cannot run: {reason}", setting="method")
    if peers:
        available, absent = installed_peers()
        systems, missing = [*systems, *filter(is_peer, available)], missing | absent
    return [name for name in dict.fromkeys(systems) if name not in missing], missing


def count_pages(corpora: Iterable[Corpus], selection: PageSelection) -> int:
    """Return how many pages `measure` will measure; raise UsageError if a corpus has none with the gold it needs."""
    total = 0
    for corpus in corpora:
        metric = selection.metric_of(corpus)
        pages = corpus.pages(selection.part, selection.sample, selection.seed, skipped=Counter())
        usable = [has_gold_for(page, metric) for page in pages]
        if not any(usable):
            raise UsageError(
                f"part {selection.part!r} of {corpus.name} has {len(usable)} pages, none with the gold that {metric} "
                "needs; choose another part or metric (snippets needs `with` and `without`, segments text with marks, "
                "the others the full text)",
                setting="part",
            )
        total += sum(usable)
    return total


def measure(
    corpora: Sequence[Corpus],
    systems: Sequence[str],
    selection: PageSelection,
    *,
    jobs: int = 1,
    blocks: bool = False,
    page_done: Callable[[], None] = lambda: None,
) -> Session:
    """Run all systems on the chosen pages of all corpora; `page_done` is called after each page."""
    versions = {name: PEERS[name].version() if name in PEERS else "" for name in systems}
    session = Session({"systems": versions, "corpora": {}})
    parts: dict[str, list[BlockScores]] = {}
    for corpus in corpora:
        metric = selection.metric_of(corpus)
        session.about["corpora"][corpus.name] = {
            "sha256": corpus.sha256,
            "part": selection.part,
            "sample": selection.sample,
            "seed": selection.seed,
            "metric": metric,
        }
        plan = Plan(tuple(systems), metric, blocks)
        for page in evaluate(corpus, plan, selection.part, selection.sample, selection.seed, jobs=jobs):
            session.rows.extend(page.rows)
            session.unknown_languages.update(page.unknown)
            if page.unaligned:
                session.unaligned.append(f"{corpus.name} {page.unaligned}")
            for scores in page.block_scores:
                parts.setdefault(scores.system, []).append(scores)
            page_done()
    for system, scored in parts.items():
        values = np.concatenate([part.scores for part in scored])
        session.block_scores[system] = BlockScores(
            system, values, np.concatenate([part.boilerplate for part in scored])
        )
    return session


def memory_of(corpus: Corpus, selection: PageSelection) -> Callable[[str], float]:
    """Return a function from a system to its peak memory in MB, over up to `MEMORY_PAGES` of the chosen pages."""
    count = min(selection.sample or MEMORY_PAGES, MEMORY_PAGES)
    pages = [page.html for page in corpus.pages(selection.part, count, selection.seed)]
    return lambda system: peak_memory(system, pages)
