"""Features of target nodes in four families that can be switched on and off.

`own` counts the target's own text nodes, `whole` all text below it. Counts are logarithms of one plus their number, so
that a long page does not squeeze all others into a corner of the scale; shares lie between 0 and 1.

linguistic      characters, tokens, types, sentences, tokens per sentence, and the shares of clean and dirty keywords
parts of speech shares of closed-class, open-class, unknown and special words among the tokens; numbers are none of them
structural      depth; whether it is or stands in a heading, a paragraph, a list item; the shares of links, of addresses
                (links with href) and of images among the elements; the share of its text that can be clicked
visual          see `dehusk.methods.fiasco.visual`
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.html_tables import HEADINGS
from dehusk.methods.fiasco.fast_tokens import TokenKind, inherit
from dehusk.methods.fiasco.targets import Targets
from dehusk.methods.fiasco.words import CLEAN, CLOSED, DIRTY, OPEN, SPECIAL, Lexicon, PageTokens, tokens
from dehusk.page import Page

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer]

SCOPES: Final = ("own", "whole")
COUNTS: Final = ("characters", "tokens", "types", "sentences", "sentence_length")
KEYWORDS: Final = tuple(f"{kind}_keywords_{scope}" for scope in SCOPES for kind in ("clean", "dirty"))
FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "linguistic": (*(f"{name}_{scope}" for scope in SCOPES for name in COUNTS), *KEYWORDS),
    "pos": tuple(f"{name}_{scope}" for scope in SCOPES for name in ("closed", "open", "unknown", "special")),
    "structural": (
        "depth", "heading", "paragraph", "list_item", "links", "addresses", "images",
        "link_text_own", "link_text_whole",
    ),
    "visual": ("solidity_1", "solidity_2", "solidity_3", "relative_width", "headline"),
}  # fmt: skip
WITHOUT_VISUAL: Final = ("linguistic", "pos", "structural")

# What elements pass on to those below them, and 128 for those that may have an address.
HEADING, PARAGRAPH, ITEM, LINK = 1, 2, 4, 128
TAG_FLAGS: Final = {
    **dict.fromkeys(HEADINGS, HEADING), "p": PARAGRAPH, **dict.fromkeys(("li", "dt", "dd"), ITEM), "a": LINK,
}  # fmt: skip


def columns(families: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the features of some families.

    >>> columns(["visual"])
    ('solidity_1', 'solidity_2', 'solidity_3', 'relative_width', 'headline')
    """
    return tuple(name for family in families for name in FAMILIES[family])


def target_features(page: Page, targets: Targets, lexicon: Lexicon, read: PageTokens | None = None) -> Floats:
    """Return one row per target, and the columns of the three families that need no browser."""
    read = tokens(page, targets) if read is None else read
    flags = lexicon.flags(read.key)
    texts, parts, keywords = [], [], []
    for leaves in (targets.own, targets.of_leaf >= 0):  # in the order of `SCOPES`
        scope = Scope(page, targets, read, leaves)
        texts.append(scope.counts())
        keywords.append(scope.shares((flags & CLEAN) != 0, (flags & DIRTY) != 0))
        parts.append(scope.parts_of_speech(flags))
    return np.concatenate([*texts, *keywords, *parts, structural(page, targets)], axis=1)


class Scope:
    """The own text of all targets, or all text below them: which tokens and leaves belong to which target."""

    def __init__(self, page: Page, targets: Targets, read: PageTokens, leaves: Bools) -> None:
        inside = leaves[read.leaf]
        self.count = len(targets)
        self.inside, self.everything = inside, bool(inside.all())
        self.target = targets.of_leaf[read.leaf][inside]
        self.key, self.kind = read.key[inside], read.kind[inside]
        self.characters = np.bincount(
            targets.of_leaf[leaves], (page.leaves.end - page.leaves.start)[leaves], self.count
        )
        self.tokens = np.bincount(self.target, minlength=self.count).astype(np.float64)

    def total(self, of: Bools) -> Floats:
        """Return how many of some tokens each target has."""
        counts: Floats = np.bincount(self.target[of], minlength=self.count).astype(np.float64)
        return counts

    def types(self) -> Floats:
        """Return how many different words each target has."""
        words = self.kind == TokenKind.WORD
        # Keys have 32 bits.
        pairs = np.unique((self.target[words].astype(np.int64) << 32) | self.key[words])
        counts: Floats = np.bincount(pairs >> 32, minlength=self.count).astype(np.float64)
        return counts

    def counts(self) -> Floats:
        """Return the columns `COUNTS`."""
        sentences = self.total(self.kind == TokenKind.SENTENCE_END)
        length = self.tokens / np.maximum(sentences, 1)
        rows: Floats = np.log1p([self.characters, self.tokens, self.types(), sentences, length])
        return rows.T

    def shares(self, *kinds: Bools) -> Floats:
        """Return the shares of kinds of tokens, given for all tokens of the page, one column each."""
        rows = [self.total(kind[self.inside]) for kind in kinds]
        return np.stack(rows, axis=1) / np.maximum(self.tokens, 1)[:, None]

    def parts_of_speech(self, flags: NDArray[np.uint8]) -> Floats:
        """Return the shares of closed-class, open-class, unknown and special words."""
        mine = flags[self.inside]
        words = self.kind == TokenKind.WORD
        symbols = (self.kind == TokenKind.SYMBOL) | (self.kind == TokenKind.SENTENCE_END)
        known = (mine & (CLOSED | OPEN | SPECIAL)) != 0
        rows = [
            self.total(words & ((mine & CLOSED) != 0)),
            self.total(words & ((mine & OPEN) != 0)),
            self.total(words & ~known),
            self.total(symbols | (words & ((mine & SPECIAL) != 0))),
        ]
        return np.stack(rows, axis=1) / np.maximum(self.tokens, 1)[:, None]


def structural(page: Page, targets: Targets) -> Floats:
    """Return the columns of the structural family."""
    elements, count = page.elements, len(targets)
    flags, depth = np.empty(len(elements), np.uint8), np.empty(len(elements), np.int32)
    has_address = np.empty(len(elements), np.uint8)
    inherit(elements.tag, elements.node, elements.parents, TAG_FLAGS, flags, depth, has_address)
    mine = flags[targets.element]
    inside = targets.of_element >= 0
    kinds = np.array([1 if tag == "a" else 2 if tag == "img" else 0 for tag in elements.tag], np.uint8)

    def share(of: Bools) -> Floats:
        counted: Floats = np.bincount(targets.of_element[of & inside], minlength=count) / np.maximum(1, below)
        return counted

    below = np.bincount(targets.of_element[inside], minlength=count) + targets.virtual
    return np.stack(
        [
            np.log1p(depth[targets.element]),
            (mine & HEADING) != 0,
            ((mine & PARAGRAPH) != 0) | targets.virtual,
            (mine & ITEM) != 0,
            share(kinds == 1),
            share(has_address != 0),
            share(kinds == 2),
            _link_share(page, targets, targets.own),
            _link_share(page, targets, targets.of_leaf >= 0),
        ],
        axis=1,
    )


def _link_share(page: Page, targets: Targets, leaves: Bools) -> Floats:
    """Return the share of the characters of some leaves that can be clicked, for each target."""
    lengths, linked = page.leaves.end - page.leaves.start, leaves & page.leaves.link
    clicked = np.bincount(targets.of_leaf[linked], lengths[linked], len(targets))
    total = np.bincount(targets.of_leaf[leaves], lengths[leaves], len(targets))
    share: Floats = clicked / np.maximum(total, 1)
    return share
