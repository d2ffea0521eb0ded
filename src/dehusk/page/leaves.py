"""Leaves: the text nodes of a page, found in one walk over its tree, and the one string that they make up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from turbohtml import Document, Element, Node, Text, parse_fragment

IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]


# What parts a leaf from the one before it. Plain numbers, since the walk compares them for every node.
GLUED: Final = 0
SPACED: Final = 1
NEW_LINE: Final = 2
NEW_BLOCK: Final = 3
APART: Final = 4  # verbatim text that brings its own white space: words are parted, yet nothing is put between
SEPARATOR: Final = ("", " ", "\n", "\n")

# What a leaf inherits from its ancestors.
HIDDEN: Final = 1
VERBATIM: Final = 2
LINKED: Final = 4
DRAWN: Final = 8

# What the walk does at an element.
SKIP: Final = 1
BLOCK: Final = 2
BR: Final = 4
PRE: Final = 8
RAW: Final = 16
ANCHOR: Final = 32
DRAWING: Final = 64
HEAD: Final = 128
PASSED: Final = SKIP | BR
SPECIAL: Final = PRE | RAW | ANCHOR | DRAWING | HEAD

# Everything that browsers show on lines of its own, and form controls, whose labels never form one word.
BLOCK_TAGS: Final = """
    address article aside blockquote body button caption center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noframes ol
    optgroup option p search section select summary table tbody td tfoot th thead tr ul
"""
ROLES: Final[dict[str, int]] = {
    **dict.fromkeys(BLOCK_TAGS.split(), BLOCK),
    # `title`, `desc` and `metadata` outside of head belong to drawings, which show them to nobody.
    **dict.fromkeys(("script", "style", "template", "title", "desc", "metadata", "iframe", "noembed"), SKIP),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext", "textarea"), BLOCK | PRE),
    "code": PRE,
    "noscript": RAW,
    "noframes": RAW | BLOCK,
    "br": BR,
    "a": ANCHOR,
    "svg": DRAWING,
    "head": HEAD,
}
SAYS_HIDDEN: Final = "[hidden], [aria-hidden=true i], [style*=none i]"


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """The elements that were entered, in document order; row 0 is the root, whose parent is -1."""

    tag: list[str]
    parent: list[int]
    node: list[Node]

    def __len__(self) -> int:
        return len(self.tag)

    @classmethod
    def none(cls) -> Self:
        """Return the elements of what has no tree: the root alone."""
        return cls(["#document"], [-1], [])

    def chain(self, index: int) -> Iterator[int]:
        """Yield the element at `index` and its ancestors, the root last."""
        while index >= 0:
            yield index
            index = self.parent[index]


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """Columns, one row a text node: its span in the page's text, its element, and what it inherits."""

    start: IntArray
    end: IntArray
    element: IntArray
    opened: IntArray  # how many elements had been opened before the leaf: what lies between two leaves are tags
    parted: NDArray[np.uint8]  # GLUED, SPACED, NEW_LINE or NEW_BLOCK
    state: NDArray[np.uint8]  # HIDDEN, VERBATIM, LINKED and DRAWN, added up

    def __len__(self) -> int:
        return len(self.start)

    @property
    def hidden(self) -> BoolArray:
        """Which leaves a browser would not show; tabs and accordions hide main text too."""
        hidden: BoolArray = (self.state & HIDDEN) != 0
        return hidden

    @property
    def link(self) -> BoolArray:
        """Which leaves can be clicked."""
        link: BoolArray = (self.state & LINKED) != 0
        return link


@dataclass(frozen=True, slots=True)
class Walk:
    """What one walk over a tree brings home."""

    text: str
    elements: Elements
    leaves: Leaves
    complete: bool  # False when the walk stopped at the limit on elements


def walk(tree: Document, limit: int, *, shadows: bool = False) -> Walk:  # noqa: C901, PLR0912, PLR0915
    """Collect the text nodes below `tree` in document order, entering at most `limit` elements.

    An explicit stack in place of recursion, since markup decides how deep it goes; one function in place of several,
    since at a thousand nodes a page every call would show in the profile.
    """
    tags, parents, nodes = ["#document"], [-1], [tree]  # type: tuple[list[str], list[int], list[Node]]
    lengths: list[int] = []
    owners: list[int] = []
    opened: list[int] = []
    breaks: list[int] = []
    states: list[int] = []
    pieces: list[str] = []
    roles = ROLES.get
    veiled = _hidden(tree)
    stack: list[tuple[Iterator[Node], int, int, int]] = []
    children, here, state, role = iter(tree.children), 0, 0, 0
    count, parted, complete = 1, NEW_BLOCK, True
    while True:
        for node in children:
            if type(node) is Text:
                data = node.data
                if state & VERBATIM:
                    if parted < NEW_LINE and (data[0].isspace() or (pieces and pieces[-1][-1].isspace())):
                        parted = APART
                    string = data
                    after = GLUED
                else:
                    string = data.strip()
                    if not string:
                        if parted == GLUED:
                            parted = SPACED
                        continue
                    after = GLUED
                    if len(string) != len(data):
                        if parted == GLUED and data[0] != string[0]:
                            parted = SPACED
                        if data[-1] != string[-1]:
                            after = SPACED
                    # All white space but the blank is unprintable, so most text is seen to be clean without a split.
                    if not string.isprintable() or "  " in string:
                        string = " ".join(string.split())
                if pieces and GLUED < parted < APART:
                    pieces.append(SEPARATOR[parted])
                pieces.append(string)
                lengths.append(len(string))
                owners.append(here)
                opened.append(count)
                breaks.append(parted)
                states.append(state)
                parted = after
            elif type(node) is Element:
                tag = node.tag
                kind = roles(tag, 0)
                if kind:
                    if kind & BLOCK:
                        parted = NEW_BLOCK
                    elif kind & PASSED:
                        if kind & BR:
                            # One br breaks the line; two in a row are how the web of the tables wrote paragraphs.
                            parted = NEW_LINE if parted < NEW_LINE else NEW_BLOCK
                        continue
                if count > limit:
                    complete = False
                    break
                tags.append(tag)
                parents.append(here)
                nodes.append(node)
                count += 1
                # Icons: thousands of paths and no word. Only the outermost is asked, or nested ones cost a square.
                if kind == DRAWING and not state & DRAWN and not node.text.strip():
                    continue
                if below := node.flattened_children if shadows else node.children:
                    stack.append((children, here, state, role))
                    here, role = count - 1, kind
                    if kind & SPECIAL:
                        if kind & DRAWING:
                            state |= DRAWN
                        elif kind & PRE:
                            state |= VERBATIM
                        elif kind & RAW:
                            below = _parsed(below, veiled)
                        elif kind & HEAD:
                            below = in_head(below)
                        elif node.attr("href") is not None:
                            state |= LINKED
                    if node in veiled or (shadows and _says_hidden(node)):
                        state |= HIDDEN
                    children = iter(below)
                    break
        else:
            if not stack:
                break
            if role & BLOCK:
                parted = NEW_BLOCK
            children, here, state, role = stack.pop()
            continue
        if not complete:
            break
    leaves = _columns(lengths, owners, opened, breaks, states)
    return Walk("".join(pieces), Elements(tags, parents, nodes), leaves, complete)


def _columns(lengths: list[int], owners: list[int], opened: list[int], breaks: list[int], states: list[int]) -> Leaves:
    """Turn what the walk noted of each leaf into columns; the spans follow from lengths and separators."""
    parted = np.frombuffer(bytearray(breaks), np.uint8)
    length = _column(lengths)
    separated = (parted > GLUED) & (parted < APART)
    separated[:1] = False
    end = np.cumsum(length + separated, dtype=np.int32)
    parted[parted == APART] = SPACED
    state = np.frombuffer(bytearray(states), np.uint8)
    return Leaves(end - length, end, _column(owners), _column(opened), parted, state)


def _column(values: list[int]) -> IntArray:
    # np.array looks at every value twice.
    return np.fromiter(values, np.int32, len(values))


def _hidden(root: Node) -> set[Node]:
    """Return the elements that say of themselves that they are not shown."""
    return {node for node in root.select(SAYS_HIDDEN) if _says_hidden(node)}


def _says_hidden(node: Element) -> bool:
    if node.attr("hidden") is not None or str(node.attr("aria-hidden")).lower() == "true":
        return True
    style = "".join(str(node.attr("style")).lower().split())
    return "display:none" in style


def in_head(children: Sequence[Node]) -> list[Node]:
    """Return what may hold text in a head: the noscripts of a page that begins with one."""
    return [node for node in children if type(node) is Element and node.tag == "noscript"]


def _parsed(children: Sequence[Node], veiled: set[Node]) -> list[Node]:
    """Parse the raw text inside noscript or noframes, and note what is hidden in it."""
    found: list[Node] = []
    for node in children:
        if type(node) is Text:
            root = parse_fragment(node.data)
            veiled |= _hidden(root)
            found.extend(root.children)
        else:
            found.append(node)
    return found
