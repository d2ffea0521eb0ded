# cython: wraparound=False
"""Blocks as rows of JSON and of XML.

Compiled with the C types in fast_rows.pxd; as plain Python it returns the same.
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


def _ends_line(text: str, start: int, end: int) -> bool:
    # One character, as between the blocks of most cuts, need not be searched.
    return text[start] == "\n" if start + 1 == end else "\n" in text[start:end]


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
