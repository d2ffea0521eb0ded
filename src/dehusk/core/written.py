# cython: wraparound=False
"""Written: what formats write of every block, and the strings that they are joined from.

Compiled by way of written.pxd, which gives the names below their C types; as plain Python it writes the same.
"""

from json.encoder import JSONEncoder, encode_basestring
from typing import Any

import numpy as np
from numpy.typing import NDArray

LETTERS = "abcdefghij"
encode = JSONEncoder(ensure_ascii=False).encode


def quoted(text: str) -> str:
    """Return text as a string of JSON."""
    return f'"{escaped(text)}"'


def escaped(text: str) -> str:
    """Return text as it stands between the quotation marks of a string of JSON.

    The library's own way writes it letter by letter. Most texts have nothing that JSON escapes but quotation marks and
    line ends, and those are replaced many letters at a time.
    """
    common = False
    for letter in text:
        if letter < " " or letter in '"\\':
            if letter not in '"\n':
                whole = encode_basestring(text)
                return whole[1 : len(whole) - 1]
            common = True
    return text.replace('"', '\\"').replace("\n", "\\n") if common else text


def members(record: dict[str, Any]) -> str:
    """Return what stands between the braces of an object of JSON.

    Most values are strings, nothing, finite numbers, strings in a tuple or by their names. The library's own encoder,
    which has the rest, takes longer to be made ready than these to be written.
    """
    parts = []
    for name, value in record.items():
        if value is None:
            said = "null"
        elif isinstance(value, str):
            said = quoted(value)
        elif isinstance(value, tuple):
            said = "[" + ", ".join([quoted(each) for each in value]) + "]"
        elif isinstance(value, dict):
            said = "{" + members(value) + "}"
        elif isinstance(value, float):
            said = float.__repr__(value)  # one of numpy's would say what it is
        else:
            said = encode(value)
        parts.append(f'"{name}": {said}')
    return ", ".join(parts)


def fates(numbers: list[int], kept: bytes, comments: bytes, hidden: bytes, table: list[list[list[str]]]) -> list[str]:
    """Return what became of the blocks with some numbers, out of a `table` of all that may have.

    Asked by whether a block is kept, by whether it is a comment (2 where `comments` has no bytes, since nobody knows)
    and by whether it is hidden.
    """
    found = []
    for number in numbers:
        comment = comments[number] if comments else 2
        found.append(table[kept[number]][comment][hidden[number]])
    return found


def may_be_markup(text: str) -> bool:
    """Tell whether a text has any of the characters that can turn text into Markdown's markup, wherever they stand."""
    for letter in text:  # noqa: SIM110  (a generator would not compile to a loop)
        if letter in "\\`*_[]<&~$":
            return True
    return False


def joined(text: str, spans: list[tuple[int, int]]) -> str:
    """Return spans of a text as one: a line end between two if there was any between them, else a blank if any."""
    pieces = []
    previous = -1
    for start, end in spans:
        if previous >= 0 and previous < start:
            pieces.append("\n" if _ends_line(text, previous, start) else " ")
        pieces.append(text[start:end])
        previous = end
    return "".join(pieces)


def _ends_line(text: str, start: int, end: int) -> bool:
    # One character, as between the blocks of most cuts, need not be searched.
    return text[start] == "\n" if start + 1 == end else "\n" in text[start:end]


def kind_codes(  # noqa: PLR0913, PLR0917  (columns)
    tags: list[str],
    parents: NDArray[np.int32],
    own: dict[str, int],
    laid_out: NDArray[np.uint8],
    owners: NDArray[np.int32],
    numbers: list[int],
    codes: NDArray[np.int32],
    chain: NDArray[np.int32],
) -> list[int]:
    """Return what the `owners` of the blocks with some numbers pass on to the text below them.

    As `dehusk.blocks.CODES` has it for the tag of one element: a byte for the kind, one for the level, and above them,
    for the work in here, how many lists stand round it. A cell of a table that lays out the page, as `laid_out` tells
    where it has rows, makes paragraphs. `codes` has -1 for all elements but the root, `chain` as many rows.
    """
    found = []
    for number in numbers:
        index = owners[number]
        count = 0
        while codes[index] < 0:
            chain[count] = index
            count += 1
            index = parents[index]
        code = codes[index]
        while count:
            count -= 1
            index = chain[count]
            mine = own.get(tags[index], -1)
            depth = code >> 16
            if mine >= 65536:
                code += 65536
            elif mine == 2:  # a list item
                code = depth << 16 | (depth if depth < 255 else 255) << 8 | mine
            elif mine >= 0:
                code = depth << 16 | (0 if mine == 3 and len(laid_out) and laid_out[index] else mine)
            codes[index] = code
        found.append(code & 0xFFFF)
    return found


def tables_round(
    tags: list[str],
    parents: NDArray[np.int32],
    parts: dict[str, int],
    nearest: NDArray[np.int32],
    lays: NDArray[np.uint8],
) -> None:
    """Fill in the table round every element, or -1, and of tables whether they lay out the page.

    `parts` has 1 for a table and 2 for a heading, either of which a table of data does not hold.
    """
    nearest[0] = -1
    lays[0] = 0
    for index in range(1, len(tags)):
        parent = parents[index]
        mine = parts.get(tags[index], 0)
        # A table is told by its own row until what stands in it has been seen.
        lays[index] = 0
        round_it = parent if parts.get(tags[parent], 0) == 1 else nearest[parent]
        nearest[index] = round_it
        if mine and round_it >= 0:
            lays[round_it] = 1


def escaped_blocks(text: str, numbers: list[int], starts: NDArray[np.int32], ends: NDArray[np.int32]) -> list[str]:
    """Return the texts of blocks with some numbers as they stand in strings of JSON."""
    return [escaped(text[starts[number] : ends[number]]) for number in numbers]


def joined_blocks(
    text: str,
    spans: list[tuple[int, int]],
    blocks: list[str],
    numbers: list[int],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
) -> str | None:
    """Return what `joined` makes of spans as it stands in a string of JSON, out of `blocks` that are written so.

    None where the spans are not those of the blocks with these numbers.
    """
    if len(spans) != len(numbers):
        return None
    pieces = []
    previous = -1
    for place in range(len(numbers)):
        start, end = spans[place]
        number = numbers[place]
        if start != starts[number] or end != ends[number]:
            return None
        if previous >= 0 and previous < start:
            pieces.append("\\n" if _ends_line(text, previous, start) else " ")
        pieces.append(blocks[place])
        previous = end
    return "".join(pieces)


def json_rows(  # noqa: PLR0913, PLR0917  (columns)
    blocks: list[str],
    numbers: list[int],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    values: NDArray[np.float64],
    marks: list[str],
    kinds: list[str],
    more: list[str],
) -> list[str]:
    """Return blocks as objects of JSON; their texts, `marks`, `kinds` and `more` have been written already.

    What was not scored is NaN, which is neither more nor less than anything.
    """
    rows = []
    for place in range(len(numbers)):
        number = numbers[place]
        start, end, value = starts[number], ends[number], values[number]
        if value >= 0:
            tenth = int(value * 10)
            letter = LETTERS[tenth if tenth < 10 else 9]
            score = f'{decimals(value)}, "letter": "{letter}"'
        else:
            score = 'null, "letter": "-"'
        rows.append(
            f'{{"text": "{blocks[place]}", {kinds[place]}, "score": {score}, {marks[place]}, '
            f'"start": {start}, "end": {end}{more[place]}}}'
        )
    return rows


def decimals(value: float) -> str:
    """Return a score, from 0 to 1, with four decimals."""
    scaled = value * 10000 + 0.5
    number = int(scaled)
    # Where the next decimals are close to a half, only the library knows which way they go; it takes much longer.
    if number > 9999 or not 1e-6 < scaled - number < 0.999999:
        return f"{value:.4f}"
    return f"0.{number:04d}"


def xml_rows(
    text: str,
    pieces: list[tuple[int, tuple[int, int]]],
    values: NDArray[np.float64],
    kinds: list[str],
    marks: dict[int, str],
) -> list[str]:
    """Return pieces of a text as `div` elements; `kinds` and `marks` are attributes that have been written already."""
    rows = []
    for place, (number, (start, end)) in enumerate(pieces):
        value = values[number]
        score = ""
        if value >= 0:
            tenth = int(value * 10)
            score = f' bpv="{decimals(value)}" bpc="{LETTERS[tenth if tenth < 10 else 9]}"'
        piece = text[start:end]
        if "&" in piece:
            piece = piece.replace("&", "&amp;")
        if "<" in piece:
            piece = piece.replace("<", "&lt;")
        if ">" in piece:
            piece = piece.replace(">", "&gt;")
        if "\r" in piece:
            piece = piece.replace("\r", "&#13;")
        mark = marks.get(number, "") if marks else ""
        rows.append(f'<div idx="{number}" {kinds[place]}{mark}{score}>{piece}</div>')
    return rows


def whole_pieces(
    spans: list[tuple[int, int]], kept: NDArray[np.uint8], starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> list[tuple[int, tuple[int, int]]] | None:
    """Return spans with the numbers of their blocks; None unless each is a whole block, and no two touch."""
    pieces = []
    count = len(spans)
    place, previous = 0, -1
    for number in range(len(kept)):
        if kept[number]:
            if place == count or starts[number] == previous:
                return None
            span = spans[place]
            start, end = span
            if start != starts[number] or end != ends[number]:
                return None
            pieces.append((number, span))
            previous = end
            place += 1
    return pieces if place == count else None


def totals(
    starts: NDArray[np.int32], ends: NDArray[np.int32], kept: NDArray[np.uint8], values: NDArray[np.float64]
) -> tuple[int, int, int, int, int, float, float]:
    """Return characters, those that are kept, blocks that are kept; characters and blocks with a score, and its sums.

    The first sum counts a block once a character, the second once.
    """
    characters = kept_characters = kept_blocks = scored = blocks = 0
    weighted = plain = 0.0
    for number in range(len(starts)):
        length, value = ends[number] - starts[number], values[number]
        characters += length
        if kept[number]:
            kept_characters += length
            kept_blocks += 1
        if value >= 0:
            scored += length
            blocks += 1
            weighted += value * length
            plain += value
    return characters, kept_characters, kept_blocks, scored, blocks, weighted, plain


def line_edges(
    parted: NDArray[np.uint8], leaf: int, above: int, below: int, most: int, new: int
) -> tuple[list[int], int]:
    """Return where the lines round a leaf begin, at last where the last one ends, and which of them is the leaf's own.

    At most so many lines `above` and `below` it, and about `most` leaves a line; `new` is what parts two lines.
    """
    low, high = leaf - most * above, leaf + most * below
    low = max(low, 0)
    high = min(high, len(parted))
    here = leaf
    while here > low and parted[here] < new:
        here -= 1
    edges = [here]
    place, count = here, 0
    while place > low and count < above:
        place -= 1
        if parted[place] >= new:
            edges.append(place)
            count += 1
    edges.reverse()
    place, found = leaf + 1, 0
    while place < high and found <= below:
        if parted[place] >= new:
            edges.append(place)
            found += 1
        place += 1
    if found <= below:
        edges.append(high)
    return edges, count
