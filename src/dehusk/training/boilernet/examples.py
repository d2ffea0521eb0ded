"""Examples: the text nodes of pages with gold, as boilernet sees them, beside what people say of each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.config import Limits
from dehusk.gold.labelled import Labelled
from dehusk.gold.labels import gold_shares
from dehusk.gold.word_alignment import common, numbered
from dehusk.methods.boilernet.features import cut, tokens
from dehusk.page import Page, as_page
from dehusk.training.boilernet.packed import About, Example, Floats
from dehusk.training.makers import NO_BLOCKS, UNALIGNED, Tick, made_in_workers
from dehusk.word_boundaries import word_totals

NO_GOLD: Final = "neither labels nor gold text"

Longs = NDArray[np.int64]


class NodesLabelled(Labelled, Protocol):
    """A page with labelled text nodes or gold text, as the corpora have them."""

    @property
    def split(self) -> str:
        """The part of the set that it is in."""

    @property
    def labels(self) -> tuple[tuple[str, int], ...] | None:
        """Its text nodes, 1 for boilerplate; None where nobody has labelled them."""


def examples(
    pages: Iterable[NodesLabelled], jobs: int, skipped: Counter[str], tick: Tick = lambda: None
) -> Iterator[Example]:
    """Return the examples of all pages, one after the other; what is no good is counted by reason."""
    return made_in_workers(__name__, pages, jobs, skipped, tick)


def made(_: None, source: NodesLabelled) -> tuple[Example | str]:
    """Run in a worker: return a page's example, or what is wrong with it; in a tuple, since a str means a failure."""
    if source.labels is None and source.gold is None:
        return (NO_GOLD,)
    page = as_page(source.html, url=None, charset=None, limits=Limits())
    leaves = cut(page)
    if not len(leaves):
        return (NO_BLOCKS,)
    said = labels_of(leaves, source.labels) if source.labels else said_by_gold(page, leaves, source.gold or "")
    if said is None:
        return (UNALIGNED,)
    lost = said.lost_boilerplate, said.lost_content
    about = About(source.corpus, source.id, source.split, source.site, *lost)
    totals = word_totals(page.text)
    sizes = (totals[leaves.end] - totals[leaves.start]).astype(np.float32)
    words = tuple(tuple(tokens(text)) for text in leaves.strings())
    return (Example(about, chains_of(leaves), words, said.labels, said.nodes, sizes),)


def chains_of(leaves: Blocks) -> tuple[str, ...]:
    """Return the tags above each leaf.

    >>> chains_of(cut(Page.from_html("<p>One <b>two</b>")))
    ('html body p', 'html body p b')
    """
    elements = leaves.elements
    known: dict[int, str] = {}
    for owner in leaves.owner.tolist():
        if owner not in known:
            known[owner] = " ".join([elements.tag[index] for index in elements.chain(owner) if index > 0][::-1])
    return tuple(known[owner] for owner in leaves.owner.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What labelled nodes say of leaves, and how many of either class have no leaf."""

    labels: Floats
    nodes: NDArray[np.uint16]
    lost_boilerplate: int
    lost_content: int


def labels_of(leaves: Blocks, nodes: Sequence[tuple[str, int]]) -> Said:
    """Return the labels of the leaves by those of nodes, which stand in document order.

    >>> page = Page.from_html("<p>Home <a href=/>News</a><p>It rained.")
    >>> said = labels_of(cut(page), [("Home", 1), ("It rained.", 0)])
    >>> said.labels, said.nodes
    (array([ 1., nan,  0.], dtype=float32), array([1, 0, 1], dtype=uint16))
    """
    ours = ["".join(text.split()) for text in leaves.strings()]
    owner = owners(ours, ["".join(text.split()) for text, _ in nodes])
    marked = np.array([label for _, label in nodes], np.float64)
    found = owner >= 0
    counts = np.bincount(owner[found], minlength=len(ours))
    sums = np.bincount(owner[found], marked[found], len(ours))
    labels = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(np.float32)
    lost = marked[~found]
    return Said(labels, counts.astype(np.uint16), int(np.sum(lost == 1)), int(np.sum(lost == 0)))


def owners(leaves: Sequence[str], nodes: Sequence[str]) -> Longs:
    """Return for each node the leaf that it is, or that holds most of its characters; -1 where none does.

    Most are the same in text and order. What lies between those was parsed or decoded otherwise by whoever labelled it.

    >>> owners(["Menu", "Itrained", "allday.", "End"], ["Menu", "It", "rainedall", "day.", "?!", "End"]).tolist()
    [0, 1, 1, 2, -1, 3]
    """
    here, there = common(*numbered(leaves, nodes))
    owner: Longs = np.full(len(nodes), -1)
    owner[there] = here
    left, right = np.concatenate([[-1], here, [len(leaves)]]), np.concatenate([[-1], there, [len(nodes)]])
    for gap in np.flatnonzero((np.diff(left) > 1) & (np.diff(right) > 1)).tolist():
        first, between = left[gap] + 1, slice(right[gap] + 1, right[gap + 1])
        inside = _by_characters(leaves[first : left[gap + 1]], nodes[between])
        owner[between] = np.where(inside >= 0, inside + first, -1)
    return owner


def _by_characters(leaves: Sequence[str], nodes: Sequence[str]) -> Longs:
    """Return for each node the leaf that at least half of its characters are matched with, else -1."""
    here = np.repeat(np.arange(len(leaves)), [len(leaf) for leaf in leaves])
    there = np.repeat(np.arange(len(nodes)), [len(node) for node in nodes])
    places, partners = common(*numbered("".join(leaves), "".join(nodes)))
    matched = np.zeros((len(nodes), len(leaves)))
    np.add.at(matched, (there[partners], here[places]), 1)
    enough = matched.sum(axis=1) * 2 >= np.array([len(node) for node in nodes])
    return np.where(enough, matched.argmax(axis=1), -1)


def said_by_gold(page: Page, leaves: Blocks, gold: str) -> Said | None:
    """Return what gold text says of the leaves, None where it is not the page's."""
    labels = np.ones(len(leaves))
    if gold.strip():
        found = gold_shares(page.text, leaves.start, leaves.end, gold)
        if not found.usable:
            return None
        labels = 1 - found.shares
    return Said(labels.astype(np.float32), (~np.isnan(labels)).astype(np.uint16), 0, 0)
