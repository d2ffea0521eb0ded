"""Cuts for tests: documents whose blocks are text nodes or any pieces of a page, so that edges run through words."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np

from dehusk import Blocks, Document, Page, Scores
from dehusk.assemble import assemble
from dehusk.page.leaves import IntArray


def by_leaf(html: str, scores: Sequence[float], threshold: float = 0.5) -> Document:
    """Return a page with one block per text node, scored as given."""
    page = Page.from_html(html)
    leaves, rows = page.leaves, np.arange(len(page.leaves), dtype=np.int32)
    blocks = Blocks(
        page.text, leaves.start, leaves.end, leaves.hidden, rows * 0, page.elements, leaves.element, rows, rows + 1
    )
    return assemble(page, blocks, Scores(blocks, np.array(scores, np.float64), "leaf"), threshold)


def by_spans(page: Page, spans: Sequence[tuple[int, int]], scores: Sequence[float]) -> Document:
    """Return a page whose blocks are these spans of its text, scored as given."""
    leaves = page.leaves
    edges = np.array(spans, np.int32).reshape(-1, 2)
    start, end = np.ascontiguousarray(edges[:, 0]), np.ascontiguousarray(edges[:, 1])
    first: IntArray = np.searchsorted(leaves.end, start, "right").astype(np.int32)
    last: IntArray = np.searchsorted(leaves.start, end, "left").astype(np.int32)
    hidden = np.array([bool(leaves.hidden[a:b].all()) for a, b in zip(first, last, strict=True)], np.bool_)
    owner = np.array([leaves.element[leaf] for leaf in first], np.int32)
    blocks = Blocks(page.text, start, end, hidden, start * 0, page.elements, owner, first, last)
    return assemble(page, blocks, Scores(blocks, np.array(scores, np.float64), "spans"))


def at_random(page: Page, random: Random) -> Document:
    """Return a page cut at random places, or at its text nodes, with a random score for each block.

    Some pieces are in no block, as a method may leave out what it does not judge.
    """
    text = page.text
    if random.random() < 0.5:
        edges = [0, *page.leaves.start.tolist(), *page.leaves.end.tolist()]
    else:
        edges = [0, *(random.randrange(len(text) + 1) for _ in range(random.randrange(20))), len(text)]
    spans = [(left, right) for left, right in pairwise(sorted(set(edges))) if text[left:right].strip()]
    spans = [span for span in spans if random.random() < 0.9]
    share = random.choice((0.0, 0.5, 0.9))  # of the blocks that are dropped
    return by_spans(page, spans, [float(random.random() < share) for _ in spans])
