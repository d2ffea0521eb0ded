"""Walk: one pass over a tree that finds its text nodes and the elements round them.

Compiled by way of walk.pxd, which gives the names below their C types; as plain Python it brings home the same.
"""

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from turbohtml import Document, Element, Node, Text, parse_fragment

from dehusk.core.marks import (
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

    An explicit stack in place of recursion, since markup decides how deep it goes; one function in place of several,
    since at a thousand nodes a page every call would show in the profile.
    """
    tags: list[str] = ["#document"]
    nodes: list[Node] = [tree]
    pieces: list[str] = []
    veiled = _hidden(tree)
    # Of the elements; what is needed to go on at one after its children stands in its row.
    rows = ROOM
    parents, inherited, roles = _integers(rows), _bytes(rows), _bytes(rows)
    parents[0] = -1
    # Of the leaves.
    room = ROOM
    starts, ends, owners, opened = _integers(room), _integers(room), _integers(room), _integers(room)
    breaks, states = _bytes(room), _bytes(room)
    stack: list[Iterator[Node]] = []
    children: Iterator[Node] = iter(tree.children)
    count, leaf, at, here, state, role = 1, 0, 0, 0, 0, 0
    parted, complete = NEW_BLOCK, True
    while True:
        for node in children:
            if type(node) is Text:
                data = node.data
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
                    # All white space but the blank is unprintable, so most text is seen to be clean without a split.
                    if not string.isprintable() or "  " in string:
                        string = " ".join(string.split())
                if leaf == room:
                    starts, ends, owners, opened = _twice(starts), _twice(ends), _twice(owners), _twice(opened)
                    breaks, states = _twice(breaks), _twice(states)
                    room *= 2
                if parted == APART:
                    parted = SPACED
                elif leaf and parted != GLUED:
                    pieces.append(SEPARATOR[parted])
                    at += 1
                pieces.append(string)
                starts[leaf] = at
                at += len(string)
                ends[leaf] = at
                owners[leaf] = here
                opened[leaf] = count
                breaks[leaf] = parted
                states[leaf] = state
                leaf += 1
                parted = after
            elif type(node) is Element:
                tag = node.tag
                kind = ROLES.get(tag, 0)
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
                if count == rows:
                    parents, inherited, roles = _twice(parents), _twice(inherited), _twice(roles)
                    rows *= 2
                tags.append(tag)
                nodes.append(node)
                parents[count] = here
                count += 1
                # Icons: thousands of paths and no word. Only the outermost is asked, or nested ones cost a square.
                if kind == DRAWING and not state & DRAWN and not node.text.strip():
                    continue
                stack.append(children)
                here, role = count - 1, kind
                # A node iterates over its children, without the lookup of an attribute.
                below: Iterable[Node] = node.flattened_children if shadows else node
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
                if (veiled and node in veiled) or (shadows and _says_hidden(node)):
                    state |= HIDDEN
                inherited[here] = state
                roles[here] = role
                children = iter(below)
                break
        else:
            if not stack:
                break
            if role & BLOCK:
                parted = NEW_BLOCK
            children = stack.pop()
            here = parents[here]
            state, role = inherited[here], roles[here]
            continue
        if not complete:
            break
    return Found(
        "".join(pieces),
        complete,
        tags,
        nodes,
        np.frombuffer(parents, np.int32)[:count].copy(),
        np.frombuffer(starts, np.int32)[:leaf].copy(),
        np.frombuffer(ends, np.int32)[:leaf].copy(),
        np.frombuffer(owners, np.int32)[:leaf].copy(),
        np.frombuffer(opened, np.int32)[:leaf].copy(),
        np.frombuffer(breaks, np.uint8)[:leaf].copy(),
        np.frombuffer(states, np.uint8)[:leaf].copy(),
    )


def _integers(rows: int) -> "array[int]":
    return array("i", bytes(4 * rows))


def _bytes(rows: int) -> "array[int]":
    return array("B", bytes(rows))


def _twice(column: "array[int]") -> "array[int]":
    """Return a column with room for twice as many rows; compiled, what comes in is a view of the array."""
    return array("B" if memoryview(column).itemsize == 1 else "i", bytes(column) * 2)


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


def _parsed(children: Iterable[Node], veiled: set[Node]) -> list[Node]:
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
