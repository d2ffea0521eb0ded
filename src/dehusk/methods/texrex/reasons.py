"""Reasons: the output of a net for each block, and the features that moved it most.

What a feature does for a block is how much the output changes if the feature is 0, which it is where the thing that it
counts is absent.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.texrex.fann import Perceptron
from dehusk.methods.texrex.features import NAMES

SHOWN: Final = 3
LEAST: Final = 0.05  # of the output; less is not worth a line
WORDS: Final = {
    "Length": "length in thousands of characters", "PageProp": "share of the page's text",
    "PercText": "distance from the middle of the text", "PercDiv": "distance from the middle of the page",
    "DocMarkupProp": "share of markup in the page", "MarkupProp": "share of markup in its source",
    "PunctProp": "share of punctuation", "LetterProp": "share of letters", "NumberProp": "share of digits",
    "TagProp": "tags per character", "EmailProp": "mail addresses per character", "UriProp": "addresses per character",
    "HashProp": "hashtags per character", "YearProp": "years per character", "AnchorProp": "links per character",
    "UpperProp": "share of capitals", "SentBogus": "no sentence ends", "SentLength": "length of its sentences",
    "SentCount": "tens of sentences", "Copy": "a copyright sign", "EndsPunct": "ends like a sentence",
    "DtXhtml": "the page is XHTML", "DtHtml4": "the page is HTML 4", "DtHtml5": "the page is HTML 5",
    "ContArticle": "in article", "ContSection": "in section", "ContDiv": "in div", "ContP": "in p",
    "ContH": "in a heading", "ContBlock": "in blockquote", "ContTd": "in td", "ContLi": "in li",
    "ContClose": "after a closing tag", "OpenProp": "share of opening tags", "SkippedDivs": "empty blocks before it",
    "Window1": "share of markup around it", "Window2": "share of markup in a wider window",
}  # fmt: skip


def reasons(net: Perceptron, threshold: float, name: str, matrix: NDArray[np.float32]) -> list[tuple[str, ...]]:
    """Return for each block (column) the raw output, and the few features that moved it most, "-" for boilerplate."""
    output = net.run(matrix).astype(np.float64)
    moved = np.empty(matrix.shape)
    for row in range(len(NAMES)):
        changed = matrix.copy()
        changed[row] = 0
        moved[row] = output - net.run(changed).astype(np.float64)
    facts = []
    for block, value in enumerate(output.tolist()):
        order = np.argsort(-np.abs(moved[:, block]), kind="stable")[:SHOWN].tolist()
        moving = [_fact(row, float(matrix[row, block]), float(moved[row, block])) for row in order]
        sign = "-" if value >= threshold else "+"
        first = f"{sign} output {value:.3f} of the net {name}, whose threshold is {threshold:g}"
        facts.append((first, *filter(None, moving)))
    return facts


def _fact(row: int, value: float, moved: float) -> str:
    """Return a feature in words, with its value unless it is a yes, and what it adds to the output; "" if little.

    >>> _fact(NAMES.index("ContLi"), 1.0, 0.31), _fact(NAMES.index("MarkupProp"), 0.82, -0.5)
    ('- in li: +0.31', '+ share of markup in its source 0.82: -0.50')
    """
    if abs(moved) < LEAST:
        return ""
    shown = "" if value == 1 else f" {value:.2f}"
    return f"{'-' if moved > 0 else '+'} {WORDS[NAMES[row]]}{shown}: {moved:+.2f}"
