# cython: wraparound=False
"""Blocks as rows of JSON, of XML and of CleanEval's gold.

Compiled with the C types in fast_rows.pxd; as plain Python it returns the same.
"""

from json.encoder import JSONEncoder, encode_basestring
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_spans import ends_line

LETTERS = "abcdefghij"
encode = JSONEncoder(ensure_ascii=False).encode


def json_string(text: str) -> str:
    """Return text as a JSON string."""
    return f'"{json_escaped(text)}"'


def json_escaped(text: str) -> str:
    """Return text as it is written between the quotation marks of a JSON string.

    The json module writes letter by letter. Most texts have nothing to escape but quotation marks and line ends, and
    `str.replace` does many letters at a time.
    """
    common = False
    for letter in text:
        if letter < " " or letter in '"\\':
            if letter not in '"\n':
                whole = encode_basestring(text)
                return whole[1 : len(whole) - 1]
            common = True
    return text.replace('"', '\\"').replace("\n", "\\n") if common else text


def json_members(record: dict[str, Any]) -> str:
    """Return what is between the braces of a JSON object.

    Most values are strings, None, finite numbers, tuples or dicts of strings; the json module, which writes the rest,
    takes longer to set up than these take to write.
    """
    parts = []
    for name, value in record.items():
        if value is None:
            value_text = "null"
        elif isinstance(value, str):
            value_text = json_string(value)
        elif isinstance(value, tuple):
            value_text = "[" + ", ".join([json_string(each) for each in value]) + "]"
        elif isinstance(value, dict):
            value_text = "{" + json_members(value) + "}"
        elif isinstance(value, float):
            value_text = float.__repr__(value)  # that of a numpy float names its type
        else:
            value_text = encode(value)
        parts.append(f'"{name}": {value_text}')
    return ", ".join(parts)


def block_flags(
    indexes: list[int], kept: bytes, comments: bytes, hidden: bytes, table: list[list[list[str]]]
) -> list[str]:
    """Return the entries of `table` for some blocks, by whether a block is kept, a comment and hidden.

    The index of a comment is 2 where `comments` is empty: the method does not tell.
    """
    flags = []
    for index in indexes:
        comment = comments[index] if comments else 2
        flags.append(table[kept[index]][comment][hidden[index]])
    return flags


def escaped_blocks(text: str, indexes: list[int], starts: NDArray[np.int32], ends: NDArray[np.int32]) -> list[str]:
    """Return the texts of some blocks, escaped for JSON."""
    return [json_escaped(text[starts[index] : ends[index]]) for index in indexes]


def joined_blocks(
    text: str,
    spans: list[tuple[int, int]],
    blocks: list[str],
    indexes: list[int],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
) -> str | None:
    """Return what `joined` makes of spans, escaped for JSON, put together from `blocks` that are escaped already.

    None where the spans are not those of the blocks with these indexes.
    """
    if len(spans) != len(indexes):
        return None
    pieces = []
    previous = -1
    for row in range(len(indexes)):
        start, end = spans[row]
        index = indexes[row]
        if start != starts[index] or end != ends[index]:
            return None
        if previous >= 0 and previous < start:
            pieces.append("\\n" if ends_line(text, previous, start) else " ")
        pieces.append(blocks[row])
        previous = end
    return "".join(pieces)


def json_rows(  # noqa: PLR0913, PLR0917  (columns)
    blocks: list[str],
    indexes: list[int],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    values: NDArray[np.float64],
    flags: list[str],
    kinds: list[str],
    extras: list[str],
) -> list[str]:
    """Return blocks as JSON objects; their texts, `flags`, `kinds` and `extras` are JSON already.

    A block without a score has NaN, for which no comparison holds.
    """
    rows = []
    for row in range(len(indexes)):
        index = indexes[row]
        start, end, value = starts[index], ends[index], values[index]
        if value >= 0:
            tenth = int(value * 10)
            letter = LETTERS[tenth if tenth < 10 else 9]
            score = f'{decimals(value)}, "letter": "{letter}"'
        else:
            score = 'null, "letter": "-"'
        rows.append(
            f'{{"text": "{blocks[row]}", {kinds[row]}, "score": {score}, {flags[row]}, '
            f'"start": {start}, "end": {end}{extras[row]}}}'
        )
    return rows


def decimals(value: float) -> str:
    """Return a score, from 0 to 1, with four decimals."""
    scaled = value * 10000 + 0.5
    rounded = int(scaled)
    # Close to a half only Python's own rounding is right; it takes much longer.
    if rounded > 9999 or not 1e-6 < scaled - rounded < 0.999999:
        return f"{value:.4f}"
    return f"0.{rounded:04d}"


def xml_rows(
    text: str,
    pieces: list[tuple[int, tuple[int, int]]],
    values: NDArray[np.float64],
    kinds: list[str],
    flags: dict[int, str],
) -> list[str]:
    """Return pieces of a text as `div` elements; `kinds` and `flags` are attributes, as XML already."""
    rows = []
    for row, (index, (start, end)) in enumerate(pieces):
        value = values[index]
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
        flag = flags.get(index, "") if flags else ""
        rows.append(f'<div idx="{index}" {kinds[row]}{flag}{score}>{piece}</div>')
    return rows


def cleaneval_lines(
    text: str, pieces: list[tuple[int, tuple[int, int]]], codes: list[int], tags: list[str], tag_in_text: Any
) -> list[str]:
    """Return pieces of a text as lines; `codes` has the kind of each in its lowest byte, `tags` those of kinds."""
    lines = []
    for row, (_, (start, end)) in enumerate(pieces):
        code = codes[row]
        lines.append(tags[code & 0xFF] + cleaneval_line(text[start:end], tag_in_text))
    return lines


def cleaneval_line(text: str, tag_in_text: Any) -> str:
    """Return a text on one line, with a blank in what looks like a tag."""
    # White space other than the space is unprintable, and most blocks have none.
    line = text if text.isprintable() and "  " not in text else " ".join(text.split())
    return str(tag_in_text.sub("< ", line)) if "<" in line else line
