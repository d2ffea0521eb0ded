# cython: boundscheck=False
"""The walk: one pass over a tree that collects its text nodes and the elements around them.

Compiled with the C types in fast_walk.pxd; as plain Python it returns the same.
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from turbohtml import Comment, Document, Element, Node, SourceSpan, Text, parse_fragment

from dehusk.page.fast_formatting import affordable
from dehusk.page.leaves import Elements, Leaves
from dehusk.page.walk_flags import (
    ANCHOR,
    BLOCK,
    BR,
    GLUED,
    HEAD,
    HIDDEN,
    IN_SVG,
    LINKED,
    NEW_BLOCK,
    NEW_LINE,
    PASSED,
    PRE,
    RAW,
    ROLES,
    SELF_SPACED,
    SEPARATOR,
    SPACED,
    SPECIAL,
    SVG,
    TEMPLATE,
    VERBATIM,
)

# What may be hidden, and what has attributes that features look at: a search takes its time whatever it looks for.
MARKED = "[hidden], [aria-hidden=true i], [style*=none i], [role], [itemprop]"
INITIAL_ROWS = 1024  # of a column, which doubles when it is full: half of all pages need no more
# How deep fragments are parsed inside fragments: each level reads all that is left, and markup nests them at will.
MOST_FRAGMENTS = 3
FRAGMENT_BYTES = 200_000_000  # for formatting that is repeated, in all fragments together


class WalkResult(NamedTuple):
    """What a walk collects."""

    text: str
    elements: Elements
    leaves: Leaves
    complete: bool  # False when the walk stopped at the limit on elements
    whole_fragments: bool  # False when a fragment was too costly to be parsed to its end
    shadow_roots: bool  # True when the walk stopped at one, since `shadows` was False


class WalkStep(Enum):
    """What a walk does, beside opening elements."""

    CLOSE = auto()  # the element that was opened last
    LEAF = auto()
    OTHER = auto()  # a node that is neither an element nor a leaf: a comment, or white space
    ENTER_FRAGMENT = auto()  # what a text was parsed into
    LEAVE_FRAGMENT = auto()


CLOSE, LEAF, OTHER, ENTER_FRAGMENT, LEAVE_FRAGMENT = WalkStep  # C variables, unlike the members of a class


Span = tuple[int, int]
Tags = tuple[Span | None, Span | None]  # where the start tag and the end tag of an element are in the source


def walk(tree: Document, limit: int, shadows: bool, steps: list[Tags | WalkStep] | None = None) -> WalkResult:
    """Return the leaves below `tree` in document order, and at most `limit` elements.

    This walk alone decides what is entered, left out, or parsed again. Whoever needs to follow it gets the tags of
    every element that it opens, and its other steps, appended to `steps`; the elements are then not kept.
    """
    walker = _Walker(tree, limit, shadows, steps)
    walker.run()
    return walker.result()


class _Walker:
    """The state of a walk.

    All nodes come in one sequence, and an element ends when as many children as it has have been met: asking the parser
    for the children of one element at a time takes three times as long. No recursion, since markup decides its depth.
    """

    def __init__(self, tree: Document, limit: int, shadows: bool, steps: list[Tags | WalkStep] | None) -> None:
        self.limit, self.shadows, self.steps = limit, shadows, steps
        self.nodes_ahead: Iterator[Node] = _all_below(tree, shadows)
        self.suspended: list[tuple[Iterator[Node], int]] = []  # around each fragment: nodes still to come, its element
        self.annotated: set[Element] = set(tree.select(MARKED))
        self.hidden: set[Element] = {node for node in self.annotated if _is_hidden(node)}
        self.known: dict[str, tuple[str, int]] = {}  # one string per tag: the parser makes a new one for each element
        # Columns of the elements. What they hold is needed to go on at an element after one of its children.
        self.tags: list[str] = ["#document"]
        self.nodes: list[Node] = [tree]
        self.element_room, self.element_count = INITIAL_ROWS, 1
        self.element_columns = _room(np.int32, np.int32, np.uint8, np.uint8)
        self.open_element_columns()
        self.parents[0], self.states[0], self.roles[0] = -1, 0, 0
        # Columns of the leaves.
        self.leaf_room, self.leaf_count = INITIAL_ROWS, 0
        self.leaf_columns = _room(np.int32, np.int32, np.int32, np.int32, np.uint8, np.uint8)
        self.open_leaf_columns()
        self.pieces: list[str] = []
        self.length = 0
        # Where the walk is: the element, what is known of it, and the gap since the last leaf.
        self.here, self.left, self.state, self.role = 0, len(tree.children), 0, 0
        self.gap, self.complete, self.shadow_roots = NEW_BLOCK, True, False
        self.affordable, self.whole_fragments = FRAGMENT_BYTES, True

    def run(self) -> None:
        while self.complete and not self.shadow_roots:
            for node in self.nodes_ahead:
                self.leave_finished_elements()
                self.left -= 1
                if self.role & HEAD and not (type(node) is Element and node.tag == "noscript"):
                    # The only text in a head is in the noscript of a page that begins with one.
                    self.pass_over(self.child_count(node))
                elif type(node) is Text:
                    if self.role & RAW and len(self.suspended) < MOST_FRAGMENTS:
                        self.enter_fragment(self.fragment(node.data))
                        break
                    self.add_text(node.data)
                elif type(node) is Element:
                    self.meet_element(node)
                    if not self.complete or self.shadow_roots:
                        break
                elif type(node) is Comment:
                    self.record(OTHER)
            else:
                if not self.suspended:
                    break
                self.leave_fragment()

    def record(self, step: WalkStep) -> None:
        if self.steps is not None:
            self.steps.append(step)

    def record_element(self, node: Element) -> None:
        if self.steps is not None:
            location = node.source_location
            self.steps.append((_offsets(location.start_tag), _offsets(location.end_tag)) if location else (None, None))

    def leave_finished_elements(self) -> None:
        while self.left == 0 and self.here:
            if self.role & BLOCK:
                self.gap = NEW_BLOCK
            self.record(CLOSE)
            self.here = self.parents[self.here]
            self.left, self.state, self.role = self.remaining[self.here], self.states[self.here], self.roles[self.here]

    def fragment(self, markup: str) -> Node:
        """Return what a text is parsed into, or as much of it as formatting that repeats itself leaves memory for."""
        length, cost = affordable(markup, self.affordable)
        self.affordable -= cost
        if length < len(markup):
            markup = markup[:length]
            self.whole_fragments = False
        return parse_fragment(markup, source_locations=self.steps is not None)

    def enter_fragment(self, root: Node) -> None:
        self.record(ENTER_FRAGMENT)
        self.hidden.update(node for node in root.select(MARKED) if _is_hidden(node))
        self.left += len(root.children)
        self.suspended.append((self.nodes_ahead, self.here))
        self.nodes_ahead = _all_below(root, self.shadows)
        # What was parsed is not parsed again.
        self.role ^= RAW
        self.roles[self.here] = self.role

    def leave_fragment(self) -> None:
        self.record(LEAVE_FRAGMENT)
        self.nodes_ahead, raw = self.suspended.pop()
        self.roles[raw] |= RAW
        self.role = self.roles[self.here]

    def add_text(self, data: str) -> None:
        if self.state & VERBATIM:
            self.add_verbatim(data)
        else:
            self.add_collapsed(data)

    def add_verbatim(self, text: str) -> None:
        """Add a text node as it is."""
        if self.gap < NEW_LINE and (text[0].isspace() or (self.leaf_count and self.pieces[-1][-1].isspace())):
            self.gap = SELF_SPACED
        self.add_leaf(text)
        self.gap = GLUED

    def add_collapsed(self, data: str) -> None:
        """Add a text node with its white space collapsed, or only the gap if it holds nothing else."""
        text = data.strip()
        if text:
            if self.gap == GLUED and data[0] != text[0]:
                self.gap = SPACED
            self.add_leaf(" ".join(text.split()) if _has_other_space(text) else text)
            self.gap = GLUED if data[-1] == text[-1] else SPACED
        else:
            self.record(OTHER)
            if self.gap == GLUED:
                self.gap = SPACED

    def add_leaf(self, text: str) -> None:
        self.record(LEAF)
        leaf = self.leaf_count
        if leaf == self.leaf_room:
            self.double_leaf_room()
        if self.gap == SELF_SPACED:
            self.gap = SPACED
        elif leaf and self.gap != GLUED:
            self.pieces.append(SEPARATOR[self.gap])
            self.length += 1
        self.pieces.append(text)
        self.start[leaf] = self.length
        self.length += len(text)
        self.end[leaf] = self.length
        self.element[leaf] = self.here
        self.opened[leaf] = self.element_count
        self.gaps[leaf] = self.gap
        self.leaf_states[leaf] = self.state
        self.leaf_count = leaf + 1

    def meet_element(self, node: Element) -> None:
        """Enter an element, or leave it out with all that it holds."""
        self.record_element(node)
        tag = node.tag
        known = self.known.get(tag)
        if known is None:
            known = (tag, ROLES.get(tag, 0))
            self.known[tag] = known
        role = known[1]
        size = self.child_count(node)
        if role & BLOCK:
            self.gap = NEW_BLOCK
        elif role & BR:
            # One br breaks the line; two in a row are how pages laid out by tables wrote paragraphs.
            self.gap = NEW_LINE if self.gap < NEW_LINE else NEW_BLOCK
        if role & PASSED:
            if role & TEMPLATE and not self.shadows and not self.suspended and node.attr("shadowrootmode") is not None:
                self.shadow_roots = True
            else:
                self.leave_out(size)
        elif self.element_count > self.limit:
            self.complete = False
        else:
            self.add_element(known[0], node)
            # Icons have thousands of paths and no word. Only the outermost is asked: nested ones would cost a square.
            if role == SVG and not self.state & IN_SVG and not node.text.strip():
                self.leave_out(size)
            else:
                self.enter_element(node, role, size)

    def add_element(self, tag: str, node: Element) -> None:
        if self.element_count == self.element_room:
            self.double_element_room()
        self.tags.append(tag)
        if self.steps is None:  # a node keeps its whole tree alive, and each fragment's takes kilobytes
            self.nodes.append(node)
        self.parents[self.element_count] = self.here
        self.element_count += 1

    def enter_element(self, node: Element, role: int, size: int) -> None:
        """Go on with the children of the element that was added last."""
        self.remaining[self.here] = self.left
        self.here, self.role, self.left = self.element_count - 1, role, size
        if role & SPECIAL:
            if role & SVG:
                self.state |= IN_SVG
            elif role & PRE:
                self.state |= VERBATIM
            elif role & ANCHOR and node.attr("href") is not None:
                self.state |= LINKED
        if (self.hidden and node in self.hidden) or (self.shadows and _is_hidden(node)):
            self.state |= HIDDEN
        self.states[self.here] = self.state
        self.roles[self.here] = role

    def leave_out(self, size: int) -> None:
        """Close an element that has just been met, without what is in it."""
        self.pass_over(size)
        self.record(CLOSE)

    def pass_over(self, size: int) -> None:
        """Leave out what is below an element with `size` children."""
        while size:
            size += self.child_count(next(self.nodes_ahead)) - 1

    def child_count(self, node: Node) -> int:
        if type(node) is Text:
            return 0
        return len(node.flattened_children) if self.shadows else len(node)

    def open_element_columns(self) -> None:
        self.parents, self.remaining, self.states, self.roles = self.element_columns

    def open_leaf_columns(self) -> None:
        self.start, self.end, self.element, self.opened, self.gaps, self.leaf_states = self.leaf_columns

    def double_element_room(self) -> None:
        self.element_columns = [_doubled(column) for column in self.element_columns]
        self.open_element_columns()
        self.element_room *= 2

    def double_leaf_room(self) -> None:
        self.leaf_columns = [_doubled(column) for column in self.leaf_columns]
        self.open_leaf_columns()
        self.leaf_room *= 2

    def result(self) -> WalkResult:
        leaves = Leaves(*[column[: self.leaf_count] for column in self.leaf_columns])
        parents = self.element_columns[0][: self.element_count]
        elements = Elements(self.tags, parents, self.nodes, self.annotated, self.known)
        text = "".join(self.pieces)
        return WalkResult(text, elements, leaves, self.complete, self.whole_fragments, self.shadow_roots)


def _offsets(span: SourceSpan | None) -> Span | None:
    return None if span is None else (span.start_offset, span.end_offset)


def _has_other_space(text: str) -> bool:
    """Return whether a text has white space other than single blanks; most texts have not."""
    blank = False
    for letter in text:
        if "!" <= letter <= "~":
            blank = False
        elif letter.isspace():
            if blank or letter != " ":
                return True
            blank = True
        else:
            blank = False
    return False


def _room(*types: type[np.generic]) -> list[NDArray[Any]]:
    """Return one empty column of each type."""
    return [np.empty(INITIAL_ROWS, each) for each in types]


def _doubled(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column with room for twice as many rows."""
    return np.concatenate((column, column))


def _all_below(root: Node, shadows: bool) -> Iterator[Node]:
    """Return all nodes below one in document order; where there are shadow roots, as they are shown."""
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


def _is_hidden(node: Element) -> bool:
    """Return whether an element is hidden by its own attributes."""
    if node.attr("hidden") is not None:
        return True
    hidden, style = node.attr("aria-hidden"), node.attr("style")
    if hidden is not None and hidden.lower() == "true":
        return True
    return style is not None and "display:none" in "".join(style.lower().split())
