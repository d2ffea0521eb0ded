# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops over elements and blocks: what elements inherit and hold, and the tree features of blocks.

Compiled with the C types in fast_tree.pxd; runs as plain Python with the same results.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dehusk.features import Floats, Ints, Longs

Doubles = NDArray[np.float64]

# Of each element: its parent; how deep it is; the nearest block-level element, itself included; the number of the path
# of block-level tags that leads to it; the number of its tag; its first block; the block after its last; how many
# elements are in it, itself included.
Element = IntEnum("Element", "PARENT LEVEL HOLDER PATH TAG FIRST_BLOCK END_BLOCK SIZE", start=0)
# How blocks are grouped: by the path of tags that leads to the element that holds them, or by an ancestor of it.
Grouping = IntEnum("Grouping", "BY_PATH BY_PARENT BY_GRANDPARENT BY_ANCESTOR", start=0)
# Words of all blocks up to each one: all, those in links, those outside of links in long blocks, those outside of links
# in any block, and all in long blocks.
Total = IntEnum("Total", "ALL_WORDS LINK_WORDS PLAIN_PROSE PLAIN_WORDS PROSE", start=0)
TreeRow = IntEnum(
    "TreeRow",
    "DEPTH LEAVES TAGS LINK_LEAVES SAME_PATH SIBLINGS COUSINS REPEATED SINCE_HEADING SINCE_H1 "
    "WORDS_1 WORDS_2 WORDS_3 WORDS_5 BLOCKS_1 BLOCKS_2 BLOCKS_3 BLOCKS_5 ELEMENTS_1 ELEMENTS_2 ELEMENTS_3 ELEMENTS_5 "
    "LINKS_1 LINKS_2 LINKS_3 LINKS_5 PROSE_1 PROSE_2 PROSE_3 PROSE_5 PAGE_1 PAGE_2 PAGE_3 PAGE_5 "
    "BLOCK_POSITION TEXT_POSITION HIDDEN LINK_DENSITY ALL_LINKS SAME_PATH_WORDS SAME_PATH_LINKS SAME_PATH_PAGE "
    "INSIDE_20 BELOW_20 INSIDE_40 BELOW_40 INSIDE_70 BELOW_70",
    start=0,
)
# The members as C numbers: Python objects would have to be looked up for every block.
PARENT, LEVEL, HOLDER, PATH, TAG, FIRST_BLOCK, END_BLOCK, SIZE = Element
BY_PATH, BY_PARENT, BY_GRANDPARENT, BY_ANCESTOR = Grouping
ALL_WORDS, LINK_WORDS, PLAIN_PROSE, PLAIN_WORDS, PROSE = Total
DEPTH, LEAVES, TAGS, LINK_LEAVES = TreeRow.DEPTH, TreeRow.LEAVES, TreeRow.TAGS, TreeRow.LINK_LEAVES
WORDS_1, BLOCKS_1, ELEMENTS_1 = TreeRow.WORDS_1, TreeRow.BLOCKS_1, TreeRow.ELEMENTS_1
LINKS_1, PROSE_1, PAGE_1 = TreeRow.LINKS_1, TreeRow.PROSE_1, TreeRow.PAGE_1
BLOCK_POSITION, TEXT_POSITION, HIDDEN = TreeRow.BLOCK_POSITION, TreeRow.TEXT_POSITION, TreeRow.HIDDEN
LINK_DENSITY, ALL_LINKS, SAME_PATH = TreeRow.LINK_DENSITY, TreeRow.ALL_LINKS, TreeRow.SAME_PATH
SAME_PATH_WORDS, SAME_PATH_LINKS = TreeRow.SAME_PATH_WORDS, TreeRow.SAME_PATH_LINKS
SAME_PATH_PAGE = TreeRow.SAME_PATH_PAGE


def inherit(
    tags: list[str], parents: Ints, facts: dict[str, int], above: Longs, elements: Ints, tag_shift: int
) -> None:
    """Fill in the first five rows of `Element` from parents to children, and in `above` the bits of all tags above.

    Of the `facts` about a tag, the lowest bits are passed on, bit `tag_shift` - 1 says that it is block-level, and the
    higher bits are its number.
    """
    # Of each path: its first continuation by one more tag, the next continuation of its parent, and its last tag. A
    # path has no more continuations than there are tags, so that no page can make the search long.
    first, sibling, last = np.zeros((3, len(tags) + 1), np.int32)
    paths = 0
    one = 1  # compiled, it is as wide as the facts; a literal 1 would not be
    block_level = one << (tag_shift - 1)
    for index in range(1, len(tags)):
        parent = parents[index]
        fact = facts.get(tags[index], 0)
        above[index] = above[parent] | (fact & (block_level - 1))
        elements[PARENT, index] = parent
        elements[LEVEL, index] = elements[LEVEL, parent] + 1
        elements[TAG, index] = fact >> tag_shift
        if fact & block_level:
            elements[HOLDER, index] = index
            # A path is a shorter path and a tag, so that one number represents it whatever its length.
            shorter = elements[PATH, parent]
            path = first[shorter]
            while path > 0 and last[path] != elements[TAG, index]:
                path = sibling[path]
            if path == 0:
                paths += 1
                path = paths
                last[path] = elements[TAG, index]
                sibling[path] = first[shorter]
                first[shorter] = path
            elements[PATH, index] = path
        else:
            elements[HOLDER, index] = elements[HOLDER, parent]
            elements[PATH, index] = elements[PATH, parent]


def find_contents(elements: Ints, opened: Ints, element: Ints, first_leaf: Ints, last_leaf: Ints) -> None:
    """Fill in the last three rows of `Element`: the blocks and elements that each element contains.

    `opened` and `element` are columns of the leaves, `first_leaf` and `last_leaf` of the blocks.
    """
    count, leaves, blocks = elements.shape[1], len(opened), len(first_leaf)
    leaf = block = 0
    for index in range(count):
        while leaf < leaves and opened[leaf] <= index:
            leaf += 1
        while block < blocks and last_leaf[block] <= leaf:
            block += 1
        elements[FIRST_BLOCK, index] = block
    block = 0
    for leaf in range(leaves):
        while block < blocks and first_leaf[block] <= leaf:
            block += 1
        elements[END_BLOCK, element[leaf]] = block
    for index in range(count - 1, -1, -1):
        elements[SIZE, index] += 1
        elements[END_BLOCK, index] = max(elements[END_BLOCK, index], elements[FIRST_BLOCK, index])
        if index:
            above = elements[PARENT, index]
            elements[SIZE, above] += elements[SIZE, index]
            elements[END_BLOCK, above] = max(elements[END_BLOCK, above], elements[END_BLOCK, index])


def find_holders(elements: Ints, bits: Longs, owner: Ints, holder: Ints, keys: Ints, above: Longs) -> None:
    """Fill in the block-level element that holds each block, its bits, and a key for each `Grouping`."""
    for block in range(len(owner)):
        above[block] = bits[owner[block]]
        element = elements[HOLDER, owner[block]]
        holder[block] = element
        keys[BY_PATH, block] = elements[PATH, element]
        element = elements[PARENT, element]
        keys[BY_PARENT, block] = element
        element = elements[PARENT, element]
        keys[BY_GRANDPARENT, block] = element
        keys[BY_ANCESTOR, block] = elements[PARENT, elements[PARENT, element]]


def number_groups(keys: Ints, sizes: Ints, seen: Ints) -> None:
    """Replace the keys by 0, 1, 2… in order of appearance, and count each.

    `sizes` and `seen` come as zeros; `seen` has room for every key.
    """
    count = 0
    for index in range(len(keys)):
        key = keys[index]
        if seen[key] == 0:
            count += 1
            seen[key] = count
        keys[index] = seen[key] - 1
        sizes[seen[key] - 1] += 1


def running_totals(words: Floats, link_density: Floats, prose: float, totals: Doubles) -> None:
    """Fill in the rows of `Total`, each one number longer than there are blocks, zero first.

    Blocks of at least `prose` words are long.
    """
    for block in range(len(words)):
        count = float(words[block])
        plain = count * (1.0 - float(link_density[block]))
        totals[ALL_WORDS, block + 1] = totals[ALL_WORDS, block] + count
        totals[LINK_WORDS, block + 1] = totals[LINK_WORDS, block] + count - plain
        totals[PLAIN_PROSE, block + 1] = totals[PLAIN_PROSE, block] + (plain if count >= prose else 0.0)
        totals[PLAIN_WORDS, block + 1] = totals[PLAIN_WORDS, block] + plain
        totals[PROSE, block + 1] = totals[PROSE, block] + (count if count >= prose else 0.0)


def count_columns(  # noqa: PLR0913, PLR0917
    matrix: Floats,
    logs: Floats,
    elements: Ints,
    holder: Ints,
    groups: Ints,
    sizes: Ints,
    opened: Ints,
    state: NDArray[np.uint8],
    first_leaf: Ints,
    last_leaf: Ints,
    linked: int,
) -> None:
    """Fill in seven rows of counts: depth, leaves, tags between them, leaves in links, and sizes of three groups."""
    longest = len(logs) - 1
    for block in range(len(holder)):
        first, last = first_leaf[block], last_leaf[block]
        links = 0
        for leaf in range(first, last):
            if state[leaf] & linked:
                links += 1
        matrix[DEPTH, block] = logs[min(elements[LEVEL, holder[block]], longest)]
        matrix[LEAVES, block] = logs[min(last - first, longest)]
        matrix[TAGS, block] = logs[min(opened[last - 1] - opened[first], longest)]
        matrix[LINK_LEAVES, block] = logs[min(links, longest)]
        for way in range(3):  # siblings and cousins come after those with the same path
            matrix[SAME_PATH + way, block] = logs[min(sizes[way, groups[way, block]], longest)]


def position_columns(matrix: Floats, start: Ints, hidden: NDArray[np.bool_], link_density: Floats, length: int) -> None:
    """Fill in five rows: position among the blocks and in the text, hidden or not, link density, nothing but links."""
    blocks = len(start)
    for block in range(blocks):
        matrix[BLOCK_POSITION, block] = block / (blocks - 1.0 if blocks > 1 else 1.0)
        matrix[TEXT_POSITION, block] = start[block] / (1.0 * length)
        matrix[HIDDEN, block] = 1.0 if hidden[block] else 0.0
        matrix[LINK_DENSITY, block] = link_density[block]
        matrix[ALL_LINKS, block] = 1.0 if link_density[block] > 0.9 else 0.0


def count_repeats(hashes: Longs, logs: Floats, keys: Longs, counts: Ints, row: Floats) -> None:
    """Fill in how often each hash occurs again, as a logarithm.

    `keys` and `counts` are the room of a hash table: zeros, and more of them than there are hashes. A hash that is not
    placed after 64 tries counts as the only one: otherwise a hostile page could make every search long.
    """
    # Not `dehusk.fast_hash_table`, whose searches have no limit: here a page decides which keys the table holds.
    longest, size = len(logs) - 1, len(keys)
    for turn in range(2):
        for block in range(len(hashes)):
            slot, tries = hashes[block] % size, 64
            while tries > 0 and keys[slot] != 0 and keys[slot] != hashes[block]:
                slot = (slot + 1) % size
                tries -= 1
            if turn:
                count = counts[slot] if keys[slot] == hashes[block] else 1
                row[block] = logs[min(count - 1, longest)]
            elif tries > 0:
                keys[slot] = hashes[block]
                counts[slot] += 1


def blocks_since(bits: Longs, mask: int, farthest: int, logs: Floats, row: Floats) -> None:
    """Fill in the number of blocks since the last one with any of the bits, at most `farthest`, as a logarithm."""
    gone = farthest
    for block in range(len(bits)):
        gone = 0 if bits[block] & mask else min(gone + 1, farthest)
        row[block] = logs[gone]


def path_means(
    matrix: Floats, groups: Ints, sizes: Ints, words: Floats, log_words: Floats, link_density: Floats, total: float
) -> None:
    """Fill in for blocks with the same path: mean logarithm of words, mean link density, and their share of words."""
    blocks, count = len(groups), len(sizes)
    sums = np.zeros((count, 3), np.float64)
    for block in range(blocks):
        index = groups[block]
        sums[index, 0] += log_words[block]
        sums[index, 1] += link_density[block]
        sums[index, 2] += words[block]
    for block in range(blocks):
        index = groups[block]
        matrix[SAME_PATH_WORDS, block] = sums[index, 0] / sizes[index]
        matrix[SAME_PATH_LINKS, block] = sums[index, 1] / sizes[index]
        matrix[SAME_PATH_PAGE, block] = sums[index, 2] / total


def subtree_columns(
    matrix: Floats, logs: Floats, steps_up: Ints, elements: Ints, holder: Ints, totals: Doubles
) -> None:
    """Fill in what the ancestors some steps up contain: six groups of rows, each with one row per entry of `steps_up`.

    As logarithms: words, blocks and elements; as shares: words in links, in long blocks, and of the page's words.
    """
    blocks, longest = len(holder), len(logs) - 1
    page = max(totals[ALL_WORDS, blocks], 1.0)
    for block in range(blocks):
        element, level = holder[block], 0
        for step in range(len(steps_up)):
            while level < steps_up[step]:
                element = elements[PARENT, element]
                level += 1
            first, last = elements[FIRST_BLOCK, element], elements[END_BLOCK, element]
            words = totals[ALL_WORDS, last] - totals[ALL_WORDS, first]
            count, divisor = int(words), max(words, 1.0)
            matrix[WORDS_1 + step, block] = logs[min(count, longest)]
            matrix[BLOCKS_1 + step, block] = logs[min(last - first, longest)]
            matrix[ELEMENTS_1 + step, block] = logs[min(elements[SIZE, element], longest)]
            matrix[LINKS_1 + step, block] = (totals[LINK_WORDS, last] - totals[LINK_WORDS, first]) / divisor
            matrix[PROSE_1 + step, block] = (totals[PLAIN_PROSE, last] - totals[PLAIN_PROSE, first]) / divisor
            matrix[PAGE_1 + step, block] = words / page


def dominant(elements: Ints, total: Doubles, share: float) -> int:
    """Return the deepest element with at least `share` of the words; of several equally deep, the one with most."""
    enough = share * total[len(total) - 1]
    best, deepest, most = 0, -1, 0.0
    for index in range(elements.shape[1]):
        words = total[elements[END_BLOCK, index]] - total[elements[FIRST_BLOCK, index]]
        if words >= enough and words > 0:
            depth = elements[LEVEL, index]
            if depth > deepest or (depth == deepest and words > most):
                best, deepest, most = index, depth, words
    return best


def dominance_columns(matrix: Floats, row: int, elements: Ints, total: Doubles, share: float, holder: Ints) -> None:
    """Fill in two rows: whether a block is in the deepest element with a share of the words, and how far below it."""
    chosen = dominant(elements, total, share)
    first, last = elements[FIRST_BLOCK, chosen], elements[END_BLOCK, chosen]
    for block in range(len(holder)):
        inside = first <= block < last
        below = elements[LEVEL, holder[block]] - elements[LEVEL, chosen]
        matrix[row, block] = 1.0 if inside else 0.0
        matrix[row + 1, block] = min(below / 5.0 + 0.2, 3.0) if inside else 0.0
