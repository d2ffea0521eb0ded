"""Session: one evaluation from start to end: which corpora, which systems, what came out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dehusk.evaluation.peers import PEERS
from dehusk.evaluation.run import BlockColumns, Plan, Row, evaluate, usual_metric
from dehusk.gold.corpora import Corpus


@dataclass(frozen=True, slots=True)
class Selection:
    """Which pages of each corpus are measured, and by what."""

    part: str = "all"
    sample: int | None = None
    seed: int = 0
    metric: str | None = None  # None: the corpus's own


@dataclass(frozen=True, slots=True)
class Session:
    """What an evaluation brought to light."""

    about: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    columns: dict[str, BlockColumns] = field(default_factory=dict)  # of each of our methods, over all pages
    unaligned: list[str] = field(default_factory=list)  # pages whose gold was not found in them

    @property
    def metrics(self) -> dict[str, str]:
        """The metric that each corpus was measured by."""
        return {name: entry["metric"] for name, entry in self.about["corpora"].items()}


def measure(
    corpora: Sequence[Corpus],
    systems: Sequence[str],
    selection: Selection,
    *,
    jobs: int = 1,
    blocks: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> Session:
    """Run all systems on the chosen pages of all corpora; `tick` is called after each page."""
    session = Session({"systems": _versions(systems), "corpora": {}})
    parts: dict[str, list[BlockColumns]] = {}
    for corpus in corpora:
        metric = selection.metric or usual_metric(corpus.name)
        session.about["corpora"][corpus.name] = {
            "sha256": corpus.sha256,
            "part": selection.part,
            "sample": selection.sample,
            "seed": selection.seed,
            "metric": metric,
        }
        plan = Plan(tuple(systems), metric, blocks)
        chosen = (selection.part, selection.sample, selection.seed)
        for page in evaluate(corpus, plan, *chosen, jobs=jobs):
            session.rows.extend(page.rows)
            if page.unaligned:
                session.unaligned.append(f"{corpus.name} {page.unaligned}")
            for column in page.columns:
                parts.setdefault(column.system, []).append(column)
            tick()
    session.columns.update({system: _joined(system, found) for system, found in parts.items()})
    return session


def _versions(systems: Sequence[str]) -> dict[str, str]:
    return {name: PEERS[name].version() if name in PEERS else "" for name in systems}


def _joined(system: str, found: list[BlockColumns]) -> BlockColumns:
    scores = np.concatenate([column.scores for column in found])
    return BlockColumns(system, scores, np.concatenate([column.boilerplate for column in found]))
