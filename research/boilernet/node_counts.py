"""Node counts: how many labelled text nodes are rightly and wrongly dropped, the measure of the paper."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dehusk.evaluation.metrics import ByClass, by_class
from dehusk.gold.alignment import gold_shares
from dehusk.gold.pages import GoldPage
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.tuning import leaves_of


def leaf_counts(packed: BoilernetPacked, pages: Sequence[int], dropped: NDArray[np.bool_]) -> ByClass:
    """Return the counts of labelled nodes by leaves of some pages; nodes that are not in our tree count as dropped."""
    leaves = leaves_of(packed, pages)
    nodes, labels = packed.nodes[leaves].astype(np.int64), np.nan_to_num(packed.labels[leaves])
    bad = np.round(nodes * labels).astype(np.int64)
    info = [packed.info[page] for page in pages]
    lost = [sum(each.lost_boilerplate for each in info), sum(each.lost_content for each in info)]
    predicted = np.concatenate([dropped, dropped, [True, True]])
    gold = np.concatenate([np.ones(len(bad), np.bool_), np.zeros(len(bad), np.bool_), [True, False]])
    return by_class(predicted, gold, np.concatenate([bad, nodes - bad, lost]))


def node_counts(page: GoldPage, output: str) -> NDArray[np.int64]:
    """Return how many nodes are dropped rightly and wrongly, then kept wrongly and rightly.

    A node is kept if most of its words are in the output.

    >>> page = GoldPage("", "", "", "", None, labels=(("Home", 1), ("It rained all day.", 0)))
    >>> node_counts(page, "It rained all day.")
    array([1, 0, 0, 1])
    """
    texts = [" ".join(text.split()) for text, _ in page.labels or ()]
    end = np.cumsum([len(text) + 1 for text in texts]) - 1
    start = end - [len(text) for text in texts]
    kept = gold_shares("\n".join(texts), start, end, output).shares > 0.5
    bad = np.array([label == 1 for _, label in page.labels or ()])
    return np.array([np.sum(~kept & bad), np.sum(~kept & ~bad), np.sum(kept & bad), np.sum(kept & ~bad)])
