"""Examples: the text nodes of pages with gold as boilernet sees them, and the label of each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.gold.pages import GoldPage
from dehusk.gold.word_sequences import common_subsequence, numbered
from dehusk.methods.boilernet.features import cut, tokens
from dehusk.training.boilernet.packed import BoilernetExample, BoilernetPacked, BoilernetPageInfo
from dehusk.training.columns import Floats, Longs
from dehusk.training.examples import label_blocks, make_in_workers, parse
from dehusk.training.progress import Tick

NO_LABELS: Final = "neither labels nor gold text"


def pack_pages(
    pages: Iterable[GoldPage], licences: Mapping[str, str], jobs: int, tick: Tick = lambda: None
) -> BoilernetPacked:
    """Return the examples of all pages; those that are left out are counted by reason."""
    skipped: Counter[str] = Counter()
    return BoilernetPacked.of(make_in_workers(make_examples, pages, jobs, skipped, tick), licences, skipped)


def make_examples(source: GoldPage) -> tuple[list[BoilernetExample], str]:
    """Return the example of a page, or what is wrong with it; runs in a worker."""
    if source.labels is None and source.gold is None:
        return [], NO_LABELS
    page = parse(source.html)
    leaves = cut(page)
    by_gold = label_blocks(page, leaves.start, leaves.end, "" if source.labels else source.gold or "")
    if isinstance(by_gold, str):
        return [], by_gold
    if source.labels:
        labelled = labels_from_nodes(leaves, source.labels)
    else:
        shares = by_gold.shares
        labelled = LeafLabels((1 - shares).astype(np.float32), (~np.isnan(shares)).astype(np.uint16), 0, 0)
    lost = labelled.lost_boilerplate, labelled.lost_content
    info = BoilernetPageInfo(source.corpus, source.id, source.site, source.split, *lost)
    sizes, words = by_gold.words.astype(np.float32), tuple(tuple(tokens(text)) for text in leaves.strings())
    return [BoilernetExample(info, chains_of(leaves), words, labelled.labels, labelled.nodes, sizes)], ""


def chains_of(leaves: Blocks) -> tuple[str, ...]:
    """Return the tags above each leaf.

    >>> chains_of(cut(parse("<p>One <b>two</b>")))
    ('html body p', 'html body p b')
    """
    elements = leaves.elements
    chains = {
        owner: " ".join([elements.tag[index] for index in elements.chain(owner) if index > 0][::-1])
        for owner in set(leaves.owner.tolist())
    }
    return tuple(chains[owner] for owner in leaves.owner.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class LeafLabels:
    """The labels of leaves, and how many labelled nodes of each class have no leaf."""

    labels: Floats
    nodes: NDArray[np.uint16]
    lost_boilerplate: int
    lost_content: int


def labels_from_nodes(leaves: Blocks, nodes: Sequence[tuple[str, int]]) -> LeafLabels:
    """Return the labels of leaves by those of nodes, which are in document order.

    >>> page = parse("<p>Home <a href=/>News</a><p>It rained.")
    >>> labelled = labels_from_nodes(cut(page), [("Home", 1), ("It rained.", 0)])
    >>> labelled.labels, labelled.nodes
    (array([ 1., nan,  0.], dtype=float32), array([1, 0, 1], dtype=uint16))
    """
    ours = ["".join(text.split()) for text in leaves.strings()]
    owner = owners(ours, ["".join(text.split()) for text, _ in nodes])
    node_labels = np.array([label for _, label in nodes], np.float64)
    matched = owner >= 0
    counts = np.bincount(owner[matched], minlength=len(ours))
    sums = np.bincount(owner[matched], node_labels[matched], len(ours))
    labels = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(np.float32)
    lost = node_labels[~matched]
    return LeafLabels(labels, counts.astype(np.uint16), int(np.sum(lost == 1)), int(np.sum(lost == 0)))


def owners(leaves: Sequence[str], nodes: Sequence[str]) -> Longs:
    """Return for each node the leaf with the same text, or with most of its characters; -1 if there is none.

    Most are equal in text and order. Those in between were parsed or decoded differently when they were labelled.

    >>> owners(["Menu", "Itrained", "allday.", "End"], ["Menu", "It", "rainedall", "day.", "?!", "End"]).tolist()
    [0, 1, 1, 2, -1, 3]
    """
    here, there = common_subsequence(*numbered(leaves, nodes))
    owner: Longs = np.full(len(nodes), -1)
    owner[there] = here
    left, right = np.concatenate([[-1], here, [len(leaves)]]), np.concatenate([[-1], there, [len(nodes)]])
    for gap in np.flatnonzero((np.diff(left) > 1) & (np.diff(right) > 1)).tolist():
        first, between = left[gap] + 1, slice(right[gap] + 1, right[gap + 1])
        inside = _by_characters(leaves[first : left[gap + 1]], nodes[between])
        owner[between] = np.where(inside >= 0, inside + first, -1)
    return owner


def _by_characters(leaves: Sequence[str], nodes: Sequence[str]) -> Longs:
    """Return for each node the leaf that matches at least half of its characters, else -1."""
    here = np.repeat(np.arange(len(leaves)), [len(leaf) for leaf in leaves])
    there = np.repeat(np.arange(len(nodes)), [len(node) for node in nodes])
    ours, theirs = common_subsequence(*numbered("".join(leaves), "".join(nodes)))
    matched = np.zeros((len(nodes), len(leaves)))
    np.add.at(matched, (there[theirs], here[ours]), 1)
    enough = matched.sum(axis=1) * 2 >= np.array([len(node) for node in nodes])
    return np.where(enough, matched.argmax(axis=1), -1)
