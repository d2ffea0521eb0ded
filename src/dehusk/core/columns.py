# cython: cdivision=True, wraparound=False, boundscheck=False
"""Columns: what the features of blocks are counted from, each in one loop over characters, elements or blocks.

The loops run over plain numbers and write into arrays that the caller made, so that they compile to C; uncompiled they
give the same numbers, only slower.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]


def block_columns(  # noqa: PLR0913, PLR0917
    text: str,
    begins: NDArray[np.uint8],
    state: NDArray[np.uint8],
    start: Ints,
    end: Ints,
    element: Ints,
    hidden: int,
    linked: int,
    verbatim: int,
    rows: Ints,
    veiled: NDArray[np.uint8],
) -> int:
    """Cut leaves into blocks, before each that `begins` marks, and return how many there are.

    Blocks of white space alone, which only verbatim text can be, are left out.

    The rows of `rows`: first leaf, one past the last leaf, start, end, the element that the block begins in, and
    characters in links. `veiled` gets 1 for blocks that are hidden altogether. Both have room for a block a leaf.
    """
    count = 0
    blank = False  # whether the block that is being made has no word so far
    for leaf in range(len(begins)):
        if begins[leaf] or count == 0:
            if blank:
                count -= 1
            blank = True
            rows[0, count] = leaf
            rows[2, count] = start[leaf]
            rows[4, count] = element[leaf]
            rows[5, count] = 0
            veiled[count] = 1
            count += 1
        here = count - 1
        rows[1, here] = leaf + 1
        rows[3, here] = end[leaf]
        if state[leaf] & linked:
            rows[5, here] += end[leaf] - start[leaf]
        if not state[leaf] & hidden:
            veiled[here] = 0
        if blank and not (state[leaf] & verbatim and text[start[leaf] : end[leaf]].isspace()):
            blank = False
    return count - 1 if blank else count


def text_columns(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    classes: NDArray[np.uint8],
    logs: Floats,
    counts: Ints,
    matrix: Floats,
    words: Floats,
    marks: Longs,
    link_chars: Ints,
    link: Floats,
) -> None:
    """Fill in what the characters of each span say, in the order of `dehusk.features.text.NAMES`.

    `classes` gives the class of each character, numbered as in that module, its last entry that of all beyond; `logs`
    the logarithm of each number from 1 on. `counts` is room for the counts of one span. `marks` get a number that two
    spans share if, and but for chance only if, their texts are the same; `link` gets the share of `link_chars`.
    """
    most, longest, mask = len(classes) - 1, len(logs) - 1, 0xFFFFFFFFFFF
    for block in range(len(start)):
        for kind in range(12):
            counts[kind] = 0
        kind = before = capitalised = 0
        mark = 1
        for place in range(start[block], end[block]):
            code = ord(text[place])
            spot = code if code < most else most
            kind = classes[spot]
            counts[kind] += 1
            mark = (mark * 112755 + spot) & mask
            if before == 0 and kind == 1:
                capitalised += 1
            before = kind
        marks[block] = mark
        length = end[block] - start[block]
        link[block] = link_chars[block] / (1.0 * length if length > 1 else 1.0)
        # Two characters make a word in scripts without blanks, near enough.
        many = counts[0] + 1 + counts[3] // 2
        words[block] = many
        matrix[0, block] = logs[length if length < longest else longest]
        matrix[1, block] = logs[many if many < longest else longest]
        matrix[2, block] = logs[counts[5] if counts[5] < longest else longest]
        matrix[3, block] = least((length - counts[0]) / (10.0 * many), 3.0)
        for row in range(4):
            matrix[4 + row, block] = counts[1 + row] / (1.0 * length)
        matrix[8, block] = counts[11] / (1.0 * length)
        matrix[9, block] = capitalised / (1.0 * many)
        matrix[10, block] = least(counts[5] / (1.0 * many), 2.0)
        matrix[11, block] = least(counts[6] / (1.0 * many), 2.0)
        matrix[12, block] = least(counts[11] / (1.0 * many), 2.0)
        matrix[13, block] = least(counts[9] / (1.0 * many), 2.0)
        matrix[14, block] = least(counts[10] / (1.0 * many), 2.0)
        matrix[15, block] = least(counts[7], 2.0)
        matrix[16, block] = least(counts[8], 2.0)
        matrix[17, block] = kind == 5
        matrix[18, block] = kind == 6
        matrix[19, block] = kind == 2
        code = ord(text[start[block]])
        kind = classes[code if code < most else most]
        matrix[20, block] = kind == 1
        matrix[21, block] = kind == 4
        matrix[22, block] = kind >= 7


def least(value: float, limit: float) -> float:
    """Return the smaller of two numbers."""
    return value if value < limit else limit


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


def title_columns(  # noqa: PLR0913, PLR0917
    text: str,
    start: Ints,
    end: Ints,
    above: Longs,
    headings: int,
    wanted: set[str],
    alike: float,
    far: int,
    logs: Floats,
    matrix: Floats,
) -> None:
    """Fill in how much each heading says of the words `wanted`; then where blocks stand to the one that says most.

    The rows of `matrix`, which come as zeros: blocks since that heading, `far` at most, as a logarithm; the share of a
    heading's words that are wanted; whether a block stands before it. None is told that says less than `alike`.
    """
    best, most = -1, 0.0
    for block in range(len(start)):
        if above[block] & headings == 0:
            continue
        words = text[start[block] : end[block]].lower().split()
        common = len(wanted.intersection(words))
        if common == 0:
            continue
        count = len(set(words))
        share = common / (1.0 * count) * least(count / 3.0, 1.0)  # one word is chance; three are not
        matrix[1, block] = share
        if share > most:
            best, most = block, share
    if best >= 0 and matrix[1, best] >= alike:
        for block in range(len(start)):
            if block < best:
                matrix[2, block] = 1.0
            else:
                matrix[0, block] = logs[block - best if block - best < far else far]


def count_repeats(marks: Longs, logs: Floats, keys: Longs, counts: Ints, row: Floats) -> None:
    """Fill in how often each mark comes up again, as a logarithm.

    `keys` and `counts` are the room of a table: zeros, with more places than there are marks. A mark that finds no
    place of its own nearby goes without, or a page made for it could have all of them searched for each.
    """
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


def best_f1(likely: NDArray[np.float64], words: Floats) -> float:
    """Return the F1 that is expected of the best choice of blocks, counted in words.

    With the best one, a block is worth taking if it is likelier than half of that F1. Choosing by half of the F1
    reached so far comes closer with each turn, and the choice gets smaller, so that it ends: mostly after five turns.
    """
    total = best = 0.0
    for index in range(len(likely)):
        total += words[index] * likely[index]
    while True:
        taken = right = 0.0
        for index in range(len(likely)):
            if 2 * likely[index] > best:
                taken += words[index]
                right += words[index] * likely[index]
        reached = 2 * right / (taken + total) if taken > 0 else 0.0
        if not reached > best:
            return best
        best = reached


def group_shares(sizes: Ints, shares: Floats) -> None:
    """Fill in one over each size, and one where there is none."""
    for way in range(sizes.shape[0]):
        for index in range(sizes.shape[1]):
            shares[way, index] = 1.0 / (sizes[way, index] if sizes[way, index] > 1 else 1)


def spread_bits(bits: Longs, used: int, out: Floats) -> None:
    """Fill in 1 for every bit that is set and 0 for others, `used` of each number, as many as there is room for."""
    for number in range(len(out)):
        out[number] = (bits[number // used] >> (number % used)) & 1


def add_rows(given: Floats, weights: Floats, total: Floats) -> None:
    """Add to `total` the rows of `weights`, each as often as is `given`; most are not, and need not be read."""
    for row in range(len(given)):
        if given[row] != 0:
            for column in range(len(total)):
                total[column] += given[row] * weights[row, column]


def moved(values: NDArray[np.float64], cut: float, above: float, out: NDArray[np.float64]) -> None:
    """Fill in the values stretched piece by piece, so that `cut` becomes 0.5, and 0.5 becomes `above`."""
    for index in range(len(values)):
        value = values[index]
        if value < cut:
            out[index] = value * (0.5 / cut)
        elif value < 0.5:
            out[index] = 0.5 + (value - cut) * ((above - 0.5) / (0.5 - cut))
        else:
            out[index] = above + (value - 0.5) * ((1.0 - above) / 0.5)


def read_tokens(  # noqa: PLR0913, PLR0917
    nodes: list[Any],
    tags: list[str],
    parent: Ints,
    holder: Ints,
    meaning: set[Any],
    keys: Longs,
    values: Ints,
    own: Longs,
    anywhere: Longs,
    page: Longs,
) -> None:
    """Read the attributes of the elements that hold blocks and of all above them, and set the bits of their tokens.

    `own` has a row an element; `anywhere` gathers what stands above, too. `keys` and `values` are the vocabulary as
    `add_tokens` wants it, `meaning` the elements that have role or itemprop. What `html` and `body` say is said of
    the whole `page`.
    """
    words = own.shape[1]
    needed = np.zeros(len(parent), np.uint8)
    for index in range(len(holder)):
        above = holder[index]
        while above > 0 and needed[above] == 0:
            needed[above] = 1
            above = parent[above]
    read_classes(nodes, needed, keys, values, own)
    for index in range(1, len(parent)):
        if needed[index] == 0:
            continue
        node = nodes[index]
        # Asked of all: what stands in a noscript was parsed apart, and no search in the page finds it.
        add_tokens(node.attr("id"), keys, values, own, index)
        if meaning and node in meaning:
            add_tokens(node.attr("role"), keys, values, own, index)
            add_tokens(node.attr("itemprop"), keys, values, own, index)
        above = parent[index]
        whole = tags[index] == "body" or tags[index] == "html"  # two comparisons compile to C
        for word in range(words):
            if whole:
                page[word] |= own[index, word]
                own[index, word] = 0
            anywhere[index, word] = anywhere[above, word] | own[index, word]


def read_classes(nodes: list[Any], needed: NDArray[np.uint8], keys: Longs, values: Ints, own: Longs) -> None:
    """Set the bits of the tokens in the class of every element that is `needed`."""
    # Most classes come up again, and to find one costs less than to take it apart.
    known: dict[str, int] = {}
    words = own.shape[1]
    for index in range(1, len(needed)):
        if needed[index] == 0:
            continue
        text = nodes[index].attr("class")
        if text is None:
            continue
        same = known.get(text, 0)
        if same == 0:
            known[text] = index
            add_tokens(text, keys, values, own, index)
        else:
            for word in range(words):
                own[index, word] = own[same, word]


def join_tokens(own: Longs, anywhere: Longs, holder: Ints, parent: Ints, both: Longs) -> None:
    """Write for every block what its holder and the two elements above that say, then what everything above says."""
    words = own.shape[1]
    for block in range(len(holder)):
        first = holder[block]
        second = parent[first]
        third = parent[second]
        for word in range(words):
            both[block, word] = own[first, word] | own[second, word] | own[third, word]
            both[block, words + word] = anywhere[first, word]


def any_bits(rows: Longs, first: int, wanted: Longs, found: NDArray[np.bool_]) -> bool:
    """Fill in which rows have any of the bits `wanted` from the column `first` on; return whether one has."""
    one = False
    for row in range(len(found)):
        found[row] = False
        for word in range(len(wanted)):
            if rows[row, first + word] & wanted[word]:
                found[row] = one = True
    return one


def add_tokens(text: str | None, keys: Longs, values: Ints, bits: Longs, row: int) -> None:
    """Set in a row of `bits` those of the tokens that `text` holds and the vocabulary knows.

    A token is a run of small ASCII letters with the capital before it, or of capitals, read without case. Its letters
    are the digits of a number to the base of 27, which is exact up to thirteen of them; longer tokens are not known.
    `keys` has those numbers, each at the first free place from its last bits on, `values` their places among the bits;
    its length is a power of two.
    """
    if text is None:
        return
    key = length = 0
    size, width = len(keys), len(text)
    small = False  # whether the letter before was small
    for place in range(width + 1):
        letter = 32
        if place < width:
            code = ord(text[place])
            letter = code if code < 128 else 128
        lower = 97 <= letter <= 122
        upper = 65 <= letter <= 90
        # A capital after a small letter begins a token; so does one before a small letter, when capitals came before.
        ends = length > 0 and not (lower or (upper and not small))
        if lower and not small and length > 1:
            # The run of capitals went one too far: its last letter begins this token.
            last = key % 27
            find_token(key // 27, length - 1, size, keys, values, bits, row)
            key, length = last, 1
        if ends:
            find_token(key, length, size, keys, values, bits, row)
            key = length = 0
        if lower or upper:
            key = key * 27 + (letter - 96 if lower else letter - 64) if length < 13 else 0
            length += 1
        small = lower


def find_token(key: int, length: int, size: int, keys: Longs, values: Ints, bits: Longs, row: int) -> None:
    """Set the bit of one token, if the vocabulary knows it."""
    if length > 13:
        return
    one = 1
    place = key & (size - 1)
    while keys[place] != 0:
        if keys[place] == key:
            number = int(values[place])  # uncompiled, what is shifted by 32 bits would else be cut to as many
            bits[row, number // 62] |= one << (number % 62)
            return
        place = (place + 1) & (size - 1)
