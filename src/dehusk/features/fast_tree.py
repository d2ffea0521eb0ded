# cython: cdivision=True, wraparound=False, boundscheck=False
"""Loops over elements and blocks that tree features are counted in.

Compiled with the C types in fast_tree.pxd; as plain Python it returns the same.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def climb(tags: list[str], parents: Ints, facts: dict[str, int], above: Longs, columns: Ints, own: int) -> None:
    """Work out what every element inherits; parents come before their children.

    Of `facts` about a tag, the bits below `own` - 1 are passed on and end up in `above`; bit `own` - 1 says that it is
    block-level; what lies above numbers the tag. The rows of `columns`: parent, depth, the nearest block-level element
    (itself, if it is one), a number for the path of block-level tags that leads to it, and that of its tag.
    """
    # Of each path: the first that is longer by one tag, the next that is so beside it, and its last tag. No path has
    # more below it than there are tags, so that a page cannot make the search long.
    first, beside, last = np.zeros((3, len(tags) + 1), np.int32)
    paths = 0
    one = 1  # as wide as the facts once it is compiled, which a plain 1 would not be
    block_level = one << (own - 1)
    for index in range(1, len(tags)):
        parent = parents[index]
        fact = facts.get(tags[index], 0)
        above[index] = above[parent] | (fact & (block_level - 1))
        columns[0, index] = parent
        columns[1, index] = columns[1, parent] + 1
        columns[4, index] = fact >> own
        if fact & block_level:
            columns[2, index] = index
            # Every path is a shorter path and a tag, so that one number stands for it however long it is.
            above_it = columns[3, parent]
            path = first[above_it]
            while path > 0 and last[path] != columns[4, index]:
                path = beside[path]
            if path == 0:
                paths += 1
                path = paths
                last[path] = columns[4, index]
                beside[path] = first[above_it]
                first[above_it] = path
            columns[3, index] = path
        else:
            columns[2, index] = columns[2, parent]
            columns[3, index] = columns[3, parent]


def block_ranges(parent: Ints, opened: Ints, element: Ints, first_leaf: Ints, last_leaf: Ints, ranges: Ints) -> None:
    """Find what lies below every element. The rows of `ranges`: first block, block after the last, elements.

    `opened` and `element` are columns of the leaves, `first_leaf` and `last_leaf` of the blocks.
    """
    count, leaves, blocks = len(parent), len(opened), len(first_leaf)
    # Which block comes next at a leaf, and how many blocks have begun before it.
    leaf = block = 0
    for index in range(count):
        while leaf < leaves and opened[leaf] <= index:
            leaf += 1
        while block < blocks and last_leaf[block] <= leaf:
            block += 1
        ranges[0, index] = block
    block = 0
    for leaf in range(leaves):
        while block < blocks and first_leaf[block] <= leaf:
            block += 1
        ranges[1, element[leaf]] = block
    for index in range(count - 1, -1, -1):
        ranges[2, index] += 1
        if ranges[1, index] < ranges[0, index]:  # noqa: PLR1730  (comparisons compile to C)
            ranges[1, index] = ranges[0, index]
        if index:
            above = parent[index]
            ranges[2, above] += ranges[2, index]
            if ranges[1, index] > ranges[1, above]:  # noqa: PLR1730
                ranges[1, above] = ranges[1, index]


def hold(columns: Ints, bits: Longs, owner: Ints, holder: Ints, keys: Ints, above: Longs) -> None:
    """Find the block-level element that holds each block, its bits, and what blocks are grouped by.

    `columns` as `climb` fills them. The rows of `keys`: the path to the holder, its parent, that one's parent, and the
    element two further up.
    """
    for block in range(len(owner)):
        above[block] = bits[owner[block]]
        element = columns[2, owner[block]]
        holder[block] = element
        keys[0, block] = columns[3, element]
        element = columns[0, element]
        keys[1, block] = element
        element = columns[0, element]
        keys[2, block] = element
        keys[3, block] = columns[0, columns[0, element]]


def group(keys: Ints, numbers: Ints, sizes: Ints, seen: Ints) -> int:
    """Number the keys 0, 1, 2… as they first come up and count each; return how many there are.

    `sizes` and `seen` come as zeros; `seen` has room for every key.
    """
    count = 0
    for index in range(len(keys)):
        key = keys[index]
        if seen[key] == 0:
            count += 1
            seen[key] = count
        numbers[index] = seen[key] - 1
        sizes[seen[key] - 1] += 1
    return count


def running_totals(words: Floats, link: Floats, prose: float, totals: NDArray[np.float64]) -> None:
    """Add up over the blocks, a row each, zero first: words, words in links, of plain prose, plain words, of prose."""
    for block in range(len(words)):
        count = float(words[block])
        plain = count * (1.0 - float(link[block]))
        totals[0, block + 1] = totals[0, block] + count
        totals[1, block + 1] = totals[1, block] + count - plain
        totals[2, block + 1] = totals[2, block] + (plain if count >= prose else 0.0)
        totals[3, block + 1] = totals[3, block] + plain
        totals[4, block + 1] = totals[4, block] + (count if count >= prose else 0.0)


def place_columns(  # noqa: PLR0913, PLR0917
    matrix: Floats,
    logs: Floats,
    columns: Ints,
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
        tags = opened[last - 1] - opened[first]
        depth = columns[1, holder[block]]
        matrix[0, block] = logs[depth if depth < longest else longest]
        matrix[1, block] = logs[last - first if last - first < longest else longest]
        matrix[2, block] = logs[tags if tags < longest else longest]
        matrix[3, block] = logs[links if links < longest else longest]
        for row in range(3):
            size = sizes[row, groups[row, block]]
            matrix[4 + row, block] = logs[size if size < longest else longest]


def page_columns(
    rows: Floats, start: Ints, hidden: NDArray[np.bool_], link: Floats, words: Floats, length: int
) -> None:
    """Fill in six rows: place among the blocks and in the text, hidden or not, share of links, all of it, and words."""
    blocks = len(start)
    for block in range(blocks):
        rows[0, block] = block / (blocks - 1.0 if blocks > 1 else 1.0)
        rows[1, block] = start[block] / (1.0 * length)
        rows[2, block] = 1.0 if hidden[block] else 0.0
        rows[3, block] = link[block]
        rows[4, block] = 1.0 if link[block] > 0.9 else 0.0
        rows[5, block] = words[block]


def count_repeats(marks: Longs, logs: Floats, keys: Longs, counts: Ints, row: Floats) -> None:
    """Fill in how often each mark comes up again, as a logarithm.

    `keys` and `counts` are the room of a table: zeros, with more places than there are marks. A mark that finds no
    place of its own nearby goes without, or a page made for it could have all of them searched for each.
    """
    # Not `dehusk.fast_hash_table`, whose searches have no limit: here a page decides which keys the table holds.
    longest, size = len(logs) - 1, len(keys)
    for turn in range(2):
        for block in range(len(marks)):
            place, tries = marks[block] % size, 64
            while tries > 0 and keys[place] != 0 and keys[place] != marks[block]:
                place = (place + 1) % size
                tries -= 1
            if turn:
                many = counts[place] if keys[place] == marks[block] else 1
                row[block] = logs[many - 1 if many <= longest else longest]
            elif tries > 0:
                keys[place] = marks[block]
                counts[place] += 1


def since_marked(bits: Longs, wanted: int, far: int, logs: Floats, row: Floats) -> None:
    """Fill in how many blocks have gone by since one with any of the bits, `far` at most, as a logarithm."""
    gone = far
    for block in range(len(bits)):
        gone = 0 if bits[block] & wanted else gone + 1 if gone < far else far
        row[block] = logs[gone]


def group_means(groups: Ints, sizes: Ints, words: Floats, link: Floats, total: float, rows: Floats) -> None:
    """Fill in for each block, of those in its group: mean words (as a logarithm) and links, share of all words.

    The first row comes with the logarithms of words, and `sizes` with the sizes of the groups.
    """
    blocks, count = len(groups), len(sizes)
    sums = np.zeros((count, 3), np.float64)
    for block in range(blocks):
        index = groups[block]
        sums[index, 0] += rows[0, block]
        sums[index, 1] += link[block]
        sums[index, 2] += words[block]
    for block in range(blocks):
        index = groups[block]
        rows[0, block] = sums[index, 0] / sizes[index]
        rows[1, block] = sums[index, 1] / sizes[index]
        rows[2, block] = sums[index, 2] / total


def subtrees(  # noqa: PLR0913, PLR0917
    counts: Floats,
    shares: Floats,
    logs: Floats,
    levels: Ints,
    columns: Ints,
    ranges: Ints,
    holder: Ints,
    totals: NDArray[np.float64],
) -> None:
    """Fill in what the ancestors some `levels` up hold: three rows of counts and three of shares for every level.

    The counts: words, blocks and elements, as logarithms; the shares: links, prose and the page's words.
    """
    blocks, steps, longest = len(holder), len(levels), len(logs) - 1
    page = totals[0, blocks] if totals[0, blocks] > 1 else 1.0
    for block in range(blocks):
        element, level = holder[block], 0
        for step in range(steps):
            while level < levels[step]:
                element = columns[0, element]
                level += 1
            first, last = ranges[0, element], ranges[1, element]
            held = totals[0, last] - totals[0, first]
            safe = held if held > 1 else 1.0
            many = int(held)
            counts[step, block] = logs[many if many < longest else longest]
            counts[steps + step, block] = logs[last - first if last - first < longest else longest]
            below = ranges[2, element]
            counts[2 * steps + step, block] = logs[below if below < longest else longest]
            shares[step, block] = (totals[1, last] - totals[1, first]) / safe
            shares[steps + step, block] = (totals[2, last] - totals[2, first]) / safe
            shares[2 * steps + step, block] = held / page


def dominant(columns: Ints, ranges: Ints, total: NDArray[np.float64], share: float) -> int:
    """Return the deepest element that holds at least `share` of the words, of two as deep the one with more."""
    least = share * total[len(total) - 1]
    best, deepest, most = 0, -1, 0.0
    for index in range(columns.shape[1]):
        held = total[ranges[1, index]] - total[ranges[0, index]]
        if held >= least and held > 0:
            depth = columns[1, index]
            if depth > deepest or (depth == deepest and held > most):
                best, deepest, most = index, depth, held
    return best


def dominance(
    columns: Ints, ranges: Ints, total: NDArray[np.float64], share: float, holder: Ints, rows: Floats
) -> None:
    """Fill in whether a block lies in the deepest element with a share of the words, and how far below it."""
    chosen = dominant(columns, ranges, total, share)
    first, last = ranges[0, chosen], ranges[1, chosen]
    for block in range(len(holder)):
        inside = first <= block < last
        below = columns[1, holder[block]] - columns[1, chosen]
        rows[0, block] = 1.0 if inside else 0.0
        rows[1, block] = least(below / 5.0 + 0.2, 3.0) if inside else 0.0


def least(value: float, limit: float) -> float:
    """Return the smaller of two numbers."""
    return value if value < limit else limit
