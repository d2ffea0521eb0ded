# cython: boundscheck=False
"""Walk: one pass over a tree that finds its text nodes and the elements round them.

Compiled by way of walk.pxd, which gives the names below their C types; as plain Python it brings home the same.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from turbohtml import Document, Element, Node, Text, parse_fragment

from dehusk.page.walk_flags import (
    ANCHOR,
    APART,
    BLOCK,
    BR,
    DRAWING,
    DRAWN,
    GLUED,
    HEAD,
    HIDDEN,
    LINKED,
    NEW_BLOCK,
    NEW_LINE,
    PASSED,
    PRE,
    RAW,
    ROLES,
    SEPARATOR,
    SPACED,
    SPECIAL,
    VERBATIM,
)

SAYS_HIDDEN = "[hidden], [aria-hidden=true i], [style*=none i]"
ROOM = 1024  # rows that a column begins with: half of all pages need no more, and it doubles
PARSED = 3  # times that text found in parsed text is parsed: each time reads what is left, and markup nests it at will


class Found(NamedTuple):
    """What one walk over a tree brings home: columns of the elements that were entered, then those of the leaves."""

    text: str
    complete: bool  # False when the walk stopped at the limit on elements
    tag: list[str]
    node: list[Node]
    parent: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    element: NDArray[np.int32]
    opened: NDArray[np.int32]
    parted: NDArray[np.uint8]
    state: NDArray[np.uint8]


def walk(tree: Document, limit: int, shadows: bool) -> Found:  # noqa: C901, PLR0912, PLR0915
    """Collect the text nodes below `tree` in document order, entering at most `limit` elements.

    All nodes come in one line, and how many children each has tells where an element ends: the parser hands over the
    children of one element at a time in a tuple, which costs three times as much. No recursion, since markup decides
    how deep it goes; one function in place of several, since at a thousand nodes a page every call would show.
    """
    tags: list[str] = ["#document"]
    nodes: list[Node] = [tree]
    pieces: list[str] = []
    known: dict[str, tuple[str, int]] = {}  # one string a tag, since the parser makes a new one for every element
    veiled = _hidden(tree)
    # Of the elements: parent, and children to come; then what is needed to go on at one after a child of it.
    rows = ROOM
    places, held = np.empty((2, rows), np.int32), np.empty((2, rows), np.uint8)
    places[0, 0], held[0, 0], held[1, 0] = -1, 0, 0
    # Of the leaves: start, end, element, elements opened before; what parts it from the one before, and its state.
    room = ROOM
    spans, marks = np.empty((4, room), np.int32), np.empty((2, room), np.uint8)
    stack: list[tuple[Iterator[Node], int]] = []
    line: Iterator[Node] = _all_below(tree, shadows)
    left = len(tree.children)
    count, leaf, at, here, state, role = 1, 0, 0, 0, 0, 0
    parted, complete = NEW_BLOCK, True
    while True:
        for node in line:
            while left == 0 and here:
                if role & BLOCK:
                    parted = NEW_BLOCK
                here = places[0, here]
                left, state, role = places[1, here], held[0, here], held[1, here]
            left -= 1
            if type(node) is Text:
                if role & HEAD:
                    continue
                data = node.data
                if role & RAW and len(stack) < PARSED:
                    root = parse_fragment(data)
                    veiled |= _hidden(root)
                    left += len(root.children)
                    stack.append((line, here))
                    line = _all_below(root, shadows)
                    # What was parsed is not parsed again.
                    role ^= RAW
                    held[1, here] = role
                    break
                if state & VERBATIM:
                    string = data
                    after = GLUED
                    if parted < NEW_LINE:
                        if data[0].isspace():
                            parted = APART
                        elif leaf:
                            last = pieces[-1]
                            if last[-1].isspace():
                                parted = APART
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
                    # Most text is clean, which one look at its letters tells.
                    blank = False
                    for letter in string:
                        if "!" <= letter <= "~":
                            blank = False
                        elif letter.isspace():
                            if blank or letter != " ":
                                string = " ".join(string.split())
                                break
                            blank = True
                        else:
                            blank = False
                if leaf == room:
                    spans, marks = _twice(spans), _twice(marks)
                    room *= 2
                if parted == APART:
                    parted = SPACED
                elif leaf and parted != GLUED:
                    pieces.append(SEPARATOR[parted])
                    at += 1
                pieces.append(string)
                spans[0, leaf] = at
                at += len(string)
                spans[1, leaf] = at
                spans[2, leaf] = here
                spans[3, leaf] = count
                marks[0, leaf] = parted
                marks[1, leaf] = state
                leaf += 1
                parted = after
            elif type(node) is Element:
                tag = node.tag
                pair = known.get(tag)
                if pair is None:
                    pair = (tag, ROLES.get(tag, 0))
                    known[tag] = pair
                kind = pair[1]
                size = len(node.flattened_children) if shadows else len(node)
                if role & HEAD and tag != "noscript":  # of a head only what a page that begins with one has there
                    _pass_over(line, size, shadows)
                    continue
                if kind:
                    if kind & BLOCK:
                        parted = NEW_BLOCK
                    elif kind & PASSED:
                        if kind & BR:
                            # One br breaks the line; two in a row are how the web of the tables wrote paragraphs.
                            parted = NEW_LINE if parted < NEW_LINE else NEW_BLOCK
                        _pass_over(line, size, shadows)
                        continue
                if count > limit:
                    complete = False
                    break
                if count == rows:
                    places, held = _twice(places), _twice(held)
                    rows *= 2
                tags.append(pair[0])
                nodes.append(node)
                places[0, count] = here
                count += 1
                # Icons: thousands of paths and no word. Only the outermost is asked, or nested ones cost a square.
                if kind == DRAWING and not state & DRAWN and not node.text.strip():
                    _pass_over(line, size, shadows)
                    continue
                places[1, here] = left
                here, role, left = count - 1, kind, size
                if kind & SPECIAL:
                    if kind & DRAWING:
                        state |= DRAWN
                    elif kind & PRE:
                        state |= VERBATIM
                    elif kind & ANCHOR and node.attr("href") is not None:
                        state |= LINKED
                if (veiled and node in veiled) or (shadows and _says_hidden(node)):
                    state |= HIDDEN
                held[0, here] = state
                held[1, here] = role
        else:
            if not stack:
                break
            line, raw = stack.pop()
            held[1, raw] |= RAW
            role = held[1, here]
            continue
        if not complete:
            break
    leaves, found = np.asarray(spans), np.asarray(marks)
    return Found(
        "".join(pieces), complete, tags, nodes, np.asarray(places)[0, :count], *leaves[:, :leaf], *found[:, :leaf]
    )


def _all_below(root: Node, shadows: bool) -> Iterator[Node]:
    """Return all nodes below one in document order, as they are shown where there are shadow roots."""
    return _shown(root) if shadows else iter(root.descendants)


def _shown(root: Node) -> Iterator[Node]:
    stack = [iter(root.children)]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        yield node
        stack.append(iter(node.flattened_children))


def _pass_over(line: Iterator[Node], size: int, shadows: bool) -> None:
    """Leave out what is below an element with `size` children."""
    while size:
        node = next(line)
        size -= 1
        if type(node) is not Text:
            size += len(node.flattened_children) if shadows else len(node)


def _twice(columns: NDArray[Any]) -> NDArray[Any]:
    """Return columns with room for twice as many rows."""
    return np.concatenate((columns, columns), axis=1)


def _hidden(root: Node) -> set[Node]:
    """Return the elements that say of themselves that they are not shown."""
    return {node for node in root.select(SAYS_HIDDEN) if _says_hidden(node)}


def _says_hidden(node: Element) -> bool:
    if node.attr("hidden") is not None or str(node.attr("aria-hidden")).lower() == "true":
        return True
    style = "".join(str(node.attr("style")).lower().split())
    return "display:none" in style


def in_head(children: Iterable[Node]) -> list[Node]:
    """Return what may hold text in a head: the noscripts of a page that begins with one."""
    return [node for node in children if type(node) is Element and node.tag == "noscript"]
