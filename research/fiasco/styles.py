"""What style sheets are worth to the visual family: pages that kept theirs, and the same pages without.

python -m research.fiasco.styles

The pages are those of data/rendered: front pages, mostly, with semantic blocks marked by hand. A target is clean if the
innermost block around it is an article, content, a title or a table; dirty if it is any other; without a block, it is
left out. Every page is laid out twice: with the style sheets and pictures beside it, and with none. The machine is the
paper's (RBF, C = 32, gamma = 8), with folds by site; intervals are of 200 samples of pages.
"""

import json
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

import click
import numpy as np
import zstandard
from numpy.typing import NDArray

from dehusk import Page
from dehusk.methods.fiasco.targets import Targets, find_targets
from dehusk.methods.fiasco.visual import features
from dehusk.rendering import Photograph, Renderer
from dehusk.rendering.cache import Cache, photograph_all

CLEAN: Final = frozenset({"Article", "Content", "Title", "Table"})
WORK: Final = Path("fiasco-work")
FOLDS: Final = 10
MOST: Final = 4000  # targets that a machine is trained on
SAMPLES: Final = 200
COST, GAMMA = 32.0, 8.0
SETTINGS: Final = ("with style sheets", "without")

Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """The targets of a page that lie in a block, and how they look with and without style sheets."""

    site: str
    clean: Bools
    looks: tuple[Doubles, Doubles]


def unpacked(folder: Path) -> Path:
    """Return the folder with the pages, which is made if it is not there."""
    archive = Path(os.environ["DEHUSK_DATA"]) / "data" / "rendered" / "rendered.tar.zst"
    if not (folder / "index.json").exists():
        with (
            archive.open("rb") as packed,
            zstandard.ZstdDecompressor().stream_reader(packed) as stream,
            tarfile.open(fileobj=stream, mode="r|") as files,
        ):
            files.extractall(folder, filter="data")
    return folder


def block_types(page: Page) -> list[str]:
    """Return the type of the innermost block around each element, "" if there is none."""
    elements, styles = page.elements, [""] * len(page.elements)
    for index in range(1, len(elements)):
        node: Any = elements.node[index]
        own = node.attr("data-block-type") if node.attr("data-block") else None
        styles[index] = own or styles[elements.parent[index]]
    return styles


def labels(page: Page, targets: Targets) -> list[bool | None]:
    """Return for each target whether it is clean; None outside of all blocks."""
    types = block_types(page)
    return [types[element] in CLEAN if types[element] else None for element in targets.element]


def examples(folder: Path, cache: Cache) -> Iterator[Example]:
    """Yield the pages that could be laid out both ways and that Chromium reads as we do."""
    with Renderer() as renderer:
        for entry in json.loads((folder / "index.json").read_text(encoding="utf-8")):
            page = Page.from_bytes((folder / entry["blocks"]).read_bytes())
            path = PurePosixPath(entry["blocks"]).as_posix()
            tasks = [Photograph(page.html, str(folder), path), Photograph(page.html)]
            problems = list(photograph_all(tasks, renderer, cache))
            click.echo(f"{entry['id']} {' '.join(str(problem) for problem in problems if problem)}", err=True)
            layouts = [cache.load(task.html, task.folder) for task in tasks]
            if any(layout is None or layout.leaf_boxes(page) is None for layout in layouts):
                continue
            targets = find_targets(page)
            known = labels(page, targets)
            rows = [index for index, label in enumerate(known) if label is not None]
            styled, plain = (features(page, targets, layout)[rows] for layout in layouts)
            if rows:
                site = urlsplit(entry["url"]).hostname or entry["id"]
                yield Example(site, np.array([known[row] for row in rows]), (styled, plain))


def judged(all_looks: Doubles, clean: Bools, fold: NDArray[np.int64]) -> Doubles:
    """Return what machines that have not seen a target's site say of it: above 0 is clean."""
    from sklearn.svm import SVC  # noqa: PLC0415

    decisions = np.zeros(len(clean))
    draw = np.random.default_rng(0)
    for held_out in range(FOLDS):
        rows = np.flatnonzero(fold != held_out)
        rows = draw.permutation(rows)[:MOST]
        low, high = all_looks[rows].min(axis=0), all_looks[rows].max(axis=0)
        scaled = 2 * (all_looks - low) / np.maximum(high - low, 1e-9) - 1
        machine = SVC(C=COST, gamma=GAMMA, cache_size=200).fit(scaled[rows], clean[rows])
        decisions[fold == held_out] = machine.decision_function(scaled[fold == held_out])
    return decisions


def figures(decisions: Doubles, clean: Bools) -> tuple[float, ...]:
    """Return accuracy, precision, recall, F, reduction of error against the majority, and area under the curve."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415

    called = decisions > 0
    hits = int((called & clean).sum())
    precision, recall = hits / max(int(called.sum()), 1), hits / max(int(clean.sum()), 1)
    accuracy, share = float((called == clean).mean()), float(clean.mean())
    majority = max(share, 1 - share)
    f = 2 * precision * recall / max(precision + recall, 1e-9)
    return (
        accuracy,
        precision,
        recall,
        f,
        (accuracy - majority) / max(1 - majority, 1e-9),
        float(roc_auc_score(clean, decisions)),
    )


def report(examples: list[Example]) -> str:
    """Return the table: both settings, and their difference, with intervals."""
    clean = np.concatenate([example.clean for example in examples])
    page = np.repeat(np.arange(len(examples)), [len(example.clean) for example in examples])
    sites = {site: index for index, site in enumerate(sorted({example.site for example in examples}))}
    fold = np.array([sites[example.site] % FOLDS for example in examples])[page]
    decisions = [judged(np.concatenate([example.looks[way] for example in examples]), clean, fold) for way in range(2)]
    draw, rows = np.random.default_rng(0), [np.flatnonzero(page == index) for index in range(len(examples))]
    samples = []
    for _ in range(SAMPLES):
        drawn = np.concatenate([rows[index] for index in draw.integers(len(examples), size=len(examples))])
        samples.append([figures(each[drawn], clean[drawn]) for each in decisions])
    spread = np.array(samples)
    names = ("accuracy", "precision", "recall", "F", "reduction of error", "AUC")
    lines = [f"{len(examples)} pages, {len(sites)} sites, {len(clean)} targets, {clean.mean():.1%} of them clean"]
    for way, name in enumerate(SETTINGS):
        lines.append(f"{name:20}" + _row(names, figures(decisions[way], clean), spread[:, way]))
    apart = tuple(one - two for one, two in zip(*(figures(each, clean) for each in decisions), strict=True))
    lines.append(f"{'difference':20}" + _row(names, apart, spread[:, 0] - spread[:, 1]))
    return "\n".join(lines)


def _row(names: tuple[str, ...], values: tuple[float, ...], spread: Doubles) -> str:
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    parts = zip(names, values, low, high, strict=True)
    return ", ".join(f"{name} {value:.3f} [{least:.3f}, {most:.3f}]" for name, value, least, most in parts)


def main() -> None:
    """Print the table."""
    folder = unpacked(WORK / "rendered").resolve()
    click.echo(report(list(examples(folder, Cache(WORK / "layouts")))))


if __name__ == "__main__":
    main()
