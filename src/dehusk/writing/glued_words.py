"""Glued words: where a style sheet sets two inline elements apart, so that a blank has to be written between them.

The page does not say so, and its text has `agentsAutomate`. The signs were chosen on the pages that may be trained on,
by words that their gold text has only apart; research/kernel/glued-words.md has both errors of each sign.
"""

from typing import Any, Final

from dehusk.characters import joins_words
from dehusk.page import Page, Span
from dehusk.page.leaves import Elements
from dehusk.page.walk_flags import BLOCK, ROLES
from dehusk.writing.fast_touching import touching_leaves

# What belongs to the word before it, and what is no prose.
JOINED: Final = frozenset({"sup", "sub", "ruby", "math", "mjx-container", "tt", "samp", "kbd", "var"})
FORMULAS: Final = ("katex", "MathJax")  # classes
SET_APART: Final = frozenset({"time", "label"})
CURRENCIES: Final = "$€£"
MAX_STEPS: Final = 100  # in the tree; few pages are that deep, and it bounds the cost of hostile ones


def separators(page: Page, spans: list[Span]) -> list[int]:
    """Return the offsets in spans of a page's text where words touch that a reader would see apart, in order.

    >>> page = Page.from_html("<p><span>For agents</span><span>Automate</span> <b>H</b>ello")
    >>> separators(page, [(0, len(page.text))])
    [10]
    """
    leaves = page.leaves
    touching = touching_leaves(page.text, spans, leaves.start, leaves.gap, leaves.state, leaves.element)
    return [int(leaves.start[leaf]) for leaf in touching if _are_apart(page, leaf)]


def _are_apart(page: Page, leaf: int) -> bool:
    text, leaves, elements = page.text, page.leaves, page.elements
    start, offset, end = int(leaves.start[leaf - 1]), int(leaves.start[leaf]), int(leaves.end[leaf])
    before, after = text[max(start, offset - 3) : offset], text[offset : min(end, offset + 3)]
    are_letters = joins_words(before[-1]) and joins_words(after[0])
    if not are_letters and not _are_parted(before, after, in_prose=text.find(" ", start, offset) >= 0):
        return False
    path = _path(elements, int(leaves.element[leaf - 1]), int(leaves.element[leaf]))
    return path is not None and (not are_letters or _differ(before, after) or _are_set_apart(elements, *path))


def _are_parted(before: str, after: str, *, in_prose: bool) -> bool:
    """Return whether a mark separates the last three characters of a text from the first three of the next.

    A full stop does if the text before it has a blank: else it is often part of a name.

    >>> [_are_parted(*pair, in_prose=True) for pair in (("ay.", "The"), ("er:", "404"), ("was", "$12"), ("52)", "In "))]
    [True, True, True, True]
    >>> [_are_parted(*pair, in_prose=True) for pair in (("ay.", "the"), ("12:", "30"), ("2.", "5"), ("(x)", "-1"))]
    [False, False, False, False]
    """
    mark, rest = before[-1], before[:-1]
    if mark in ".!?":
        follows = after[1:2].islower() if after[0].isupper() else after[0].isdecimal() and rest[-1:].islower()
        return in_prose and follows
    if mark == ":":
        return len(rest) == 2 and all(map(joins_words, rest)) and rest.isalpha() and joins_words(after[0])
    if mark == ")":
        return len(after) > 1 and after[:2].isalpha() and joins_words(after[0])
    return after[0] in CURRENCIES and len(before) == 3 and before.isalpha() and before.islower()


def _differ(before: str, after: str) -> bool:
    """Return whether the last three characters of a text and the first three of the next cannot be one word.

    >>> _differ("nts", "Aut"), _differ("ber", "802"), _differ("99", "MSR"), _differ("EEN", "Tar"), _differ("EUR", "11")
    (True, True, True, True, True)
    >>> _differ("H", "ell"), _differ("Fe", "3"), _differ("MO", "RE"), _differ("2", "nd")
    (False, False, False, False)
    """
    if before[-1].islower():
        if after[0].isupper():
            return before[-2:].isalnum() and len(before) > 1 and after[:2].isalnum() and len(after) > 1
        return after[0].isdecimal() and len(before) == 3 and before.isalpha()
    if before.isupper() and before.isalpha() and len(before) == 3:
        return after[0].isdecimal() or (len(after) == 3 and after.isalpha() and after.istitle())
    return before[-1].isdecimal() and after[0].isupper() and len(after) == 3 and after.isalnum()


def _path(elements: Elements, left: int, right: int) -> tuple[list[int], list[int]] | None:
    """Return the elements around each of two leaves that are not around both; None in formulas and the like."""
    tags, parents = elements.tag, elements.parents  # few are asked for, so an array of all is quicker than a list
    before: list[int] = []
    after: list[int] = []
    for _ in range(MAX_STEPS):
        index = max(left, right)  # parents have smaller numbers than their children
        if index <= 0 or ROLES.get(tags[index], 0) & BLOCK:
            return before, after
        node: Any = elements.node[index]
        if tags[index] in JOINED or (node.attr("class") or "").startswith(FORMULAS):
            return None
        if left == right:
            left = right = int(parents[index])
        elif index == left:
            before.append(index)
            left = int(parents[index])
        else:
            after.append(index)
            right = int(parents[index])
    return None


def _are_set_apart(elements: Elements, before: list[int], after: list[int]) -> bool:
    """Return whether elements that end and begin at the same offset show that what they hold is not one word."""
    tags = elements.tag
    if any(tags[index] in SET_APART for index in before + after):
        return True
    # Parts of one link lead to the same page.
    addresses: list[Any] = [_address(elements, path) for path in (before, after)]
    return None not in addresses and addresses[0] != addresses[1]


def _address(elements: Elements, path: list[int]) -> Any:
    links: list[Any] = [elements.node[index] for index in path if elements.tag[index] == "a"]
    return links[0].attr("href") if links else None
