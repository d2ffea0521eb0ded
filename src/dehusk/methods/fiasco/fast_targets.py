# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops that find target nodes: texts summed up over the tree, paragraphs between line breaks, and the choice.

Compiled with the C types in fast_targets.pxd; as plain Python it returns the same. Elements come in document order, so
parents before their children; a leaf comes before the element whose number its `opened` gives.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

# What comes last among the children of an element that have text.
NOTHING = 0
INLINE = 1
BLOCK_LIKE = 2


def sum_up(  # noqa: PLR0913, PLR0917  (columns)
    parents: Ints,
    is_block: Bytes,
    element: Ints,
    lengths: Ints,
    own: Ints,
    whole: Ints,
    first: Ints,
    holds_block: Bytes,
) -> None:
    """Fill in, for each element, the characters of its own text nodes and of its subtree, and the first leaf in it.

    `holds_block` gets a 1 where a block-level element with text is below; all other columns must hold 0, `first` the
    number of leaves.
    """
    for leaf in range(len(element) - 1, -1, -1):
        own[element[leaf]] += lengths[leaf]
        first[element[leaf]] = leaf
    for index in range(len(parents) - 1, -1, -1):
        whole[index] += own[index]
        parent = parents[index]
        if parent >= 0 and whole[index]:
            whole[parent] += whole[index]
            first[parent] = min(first[parent], first[index])
            if is_block[index] or holds_block[index]:
                holds_block[parent] = 1


def find_breaks(  # noqa: PLR0913, PLR0917  (columns)
    parents: Ints, block_like: Bytes, whole: Ints, first: Ints, element: Ints, opened: Ints, gap: Bytes, widest: Bytes
) -> None:
    """Fill in the widest gap between two pieces of inline content that follow each other in an element.

    `widest` must hold 0; it becomes NEW_LINE where there is one `br` and NEW_BLOCK where there are several.
    """
    last: Bytes = np.zeros(len(parents), np.uint8)
    leaf = 0
    for index in range(1, len(parents) + 1):
        while leaf < len(element) and (opened[leaf] <= index or index == len(parents)):
            parent = element[leaf]
            if last[parent] == INLINE and gap[leaf] > widest[parent]:
                widest[parent] = gap[leaf]
            last[parent] = INLINE
            leaf += 1
        if index < len(parents) and whole[index]:
            parent = parents[index]
            if block_like[index]:
                last[parent] = BLOCK_LIKE
            else:
                if last[parent] == INLINE and gap[first[index]] > widest[parent]:
                    widest[parent] = gap[first[index]]
                last[parent] = INLINE


class TargetFinder:
    """Cuts the inline content of some elements into virtual paragraphs, and chooses the targets, outermost first."""

    def __init__(self, elements: int, leaves: int) -> None:
        self.element_run = np.full(elements, -1, np.int32)  # the virtual paragraph that an element is directly in
        self.leaf_run = np.full(leaves, -1, np.int32)
        self.current = np.full(elements, -1, np.int32)  # the paragraph that the next inline child belongs to
        self.run_own = np.zeros(elements + leaves, np.int32)
        self.run_whole = np.zeros(elements + leaves, np.int32)
        self.run_target = np.full(elements + leaves, -2, np.int32)  # -2: not decided, -1: none
        self.runs = 0
        self.of_element = np.full(elements, -1, np.int32)
        self.of_leaf = np.full(leaves, -1, np.int32)
        self.target_element = np.zeros(elements + leaves, np.int32)
        self.is_virtual = np.zeros(elements + leaves, np.uint8)
        self.targets = 0

    def run_at(self, parent: int, gap: int, break_at: int) -> int:
        """Return the paragraph of inline content that stands in `parent` after a gap."""
        if self.current[parent] < 0 or gap >= break_at:
            self.current[parent] = self.runs
            self.runs += 1
        run: int = self.current[parent]
        return run

    def cut_paragraphs(  # noqa: PLR0913, PLR0917  (columns)
        self,
        parents: Ints,
        block_like: Bytes,
        whole: Ints,
        first: Ints,
        element: Ints,
        opened: Ints,
        gap: Bytes,
        lengths: Ints,
        break_at: Bytes,
    ) -> None:
        """Cut the inline content of elements at gaps of at least `break_at`, where that is not 0."""
        leaf = 0
        for index in range(1, len(parents) + 1):
            while leaf < len(element) and (opened[leaf] <= index or index == len(parents)):
                parent = element[leaf]
                if break_at[parent]:
                    run = self.run_at(parent, gap[leaf], break_at[parent])
                    self.leaf_run[leaf] = run
                    self.run_own[run] += lengths[leaf]
                    self.run_whole[run] += lengths[leaf]
                leaf += 1
            if index < len(parents) and whole[index] and break_at[parents[index]]:
                parent = parents[index]
                if block_like[index]:
                    self.current[parent] = -1
                else:
                    run = self.run_at(parent, gap[first[index]], break_at[parent])
                    self.element_run[index] = run
                    self.run_whole[run] += whole[index]

    def choose(
        self, parents: Ints, own: Ints, whole: Ints, element: Ints, opened: Ints, break_at: Bytes, least: float
    ) -> None:
        """Choose the targets: nodes that hold at least the share `least` of their text themselves."""
        leaf = 0
        if whole[0] and not break_at[0] and own[0] >= least * whole[0]:
            self.of_element[0] = self.new_target(0, False)
        for index in range(1, len(parents) + 1):
            while leaf < len(element) and (opened[leaf] <= index or index == len(parents)):
                parent = element[leaf]
                self.of_leaf[leaf] = self.of_element[parent]
                if self.of_leaf[leaf] < 0 and self.leaf_run[leaf] >= 0:
                    self.of_leaf[leaf] = self.target_of_run(self.leaf_run[leaf], parent, least)
                leaf += 1
            if index < len(parents):
                parent = parents[index]
                target = self.of_element[parent]
                if target < 0 and self.element_run[index] >= 0:
                    target = self.target_of_run(self.element_run[index], parent, least)
                if target < 0 and whole[index] and not break_at[index] and own[index] >= least * whole[index]:
                    target = self.new_target(index, False)
                self.of_element[index] = target

    def target_of_run(self, run: int, parent: int, least: float) -> int:
        """Return the target that a paragraph is, or -1; decided when its first piece is met."""
        if self.run_target[run] == -2:
            self.run_target[run] = -1
            if self.run_own[run] >= least * self.run_whole[run]:
                self.run_target[run] = self.new_target(parent, True)
        target: int = self.run_target[run]
        return target

    def new_target(self, element: int, virtual: bool) -> int:
        """Add a target and return its number."""
        self.target_element[self.targets] = element
        self.is_virtual[self.targets] = virtual
        self.targets += 1
        return self.targets - 1
