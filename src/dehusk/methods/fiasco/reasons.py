"""Reasons: the decision on each target, and the features that moved it most.

What a feature does for a target is how much the decision changes if the feature has the mean of the machine's vectors
instead: a support vector machine has no weights that could be shown.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.fiasco.machine import Machine
from dehusk.methods.fiasco.targets import Targets
from dehusk.page import Page

SHOWN: Final = 3
LEAST: Final = 0.05  # of the decision; less is not worth a line
WORDS: Final = {
    "characters": "characters", "tokens": "tokens", "types": "different words", "sentences": "sentences",
    "sentence_length": "tokens per sentence", "clean_keywords": "keywords of main text",
    "dirty_keywords": "keywords of boilerplate", "closed": "function words", "open": "content words",
    "unknown": "unknown words", "special": "special symbols", "depth": "depth", "heading": "in a heading",
    "paragraph": "in a paragraph", "list_item": "in a list item", "links": "links among its elements",
    "addresses": "addresses among its elements", "images": "images among its elements", "link_text": "text in links",
    "solidity_1": "solidity I", "solidity_2": "solidity II", "solidity_3": "solidity III",
    "relative_width": "relative width", "headline": "headline",
}  # fmt: skip
COUNTED: Final = ("characters", "tokens", "types", "sentences", "sentence_length", "depth")  # as logarithms
YES_OR_NO: Final = ("heading", "paragraph", "list_item")


def reasons(
    page: Page, targets: Targets, machine: Machine, names: Sequence[str], matrix: NDArray[np.float64]
) -> list[tuple[str, ...]]:
    """Return for each target what it is, and the few features that moved the decision most, "-" for boilerplate."""
    if not len(matrix):
        return []
    decisions, scores = machine.decisions(matrix), machine.scores(matrix)
    width = machine.scaling.high - machine.scaling.low
    usual = machine.scaling.low + (machine.vectors.mean(axis=0) + 1) / 2 * width
    moved = np.empty_like(matrix)
    for column in range(len(names)):
        changed = matrix.copy()
        changed[:, column] = usual[column]
        moved[:, column] = decisions - machine.decisions(changed)
    facts = []
    for row, (decision, score) in enumerate(zip(decisions.tolist(), scores.tolist(), strict=True)):
        tag = page.elements.tag[targets.element[row]]
        node = f"a paragraph in {tag}" if targets.virtual[row] else tag
        order = np.argsort(-np.abs(moved[row]), kind="stable")[:SHOWN].tolist()
        moving = [fact(names[column], float(matrix[row, column]), float(moved[row, column])) for column in order]
        first = f"{'-' if score >= 0.5 else '+'} target node: {node}; decision {decision:+.2f}"
        facts.append((first, *filter(None, moving)))
    return facts


def fact(name: str, value: float, moved: float) -> str:
    """Return a feature in words, with its value and what it adds to the decision; "" if little.

    >>> fact("list_item", 1.0, 0.31), fact("tokens_own", 0.0, 0.02)
    ('- in a list item: +0.31', '')
    >>> fact("types_whole", 3.0, -0.5), fact("link_text_own", 0.25, 0.4)
    ('+ different words 19: -0.50', '- text in links (own) 0.25: +0.40')
    """
    if abs(moved) < LEAST:
        return ""
    own = name.endswith("_own")
    base = name.removesuffix("_own").removesuffix("_whole")
    if base in YES_OR_NO:
        shown = "" if value else " (no)"
    else:
        shown = f" {np.expm1(value):.0f}" if base in COUNTED else f" {value:.2f}"
    return f"{'-' if moved > 0 else '+'} {WORDS[base]}{' (own)' * own}{shown}: {moved:+.2f}"
