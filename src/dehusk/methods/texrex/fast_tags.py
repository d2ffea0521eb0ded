# cython: cdivision=True, wraparound=False, boundscheck=False
"""Tags in the source of a page, and the places in it that leaves came from.

The parser does not report where text is in the source. So the source is scanned for runs of text between tags, and each
leaf of the tree is matched with the run that it came from.

Compiled with the C types in fast_tags.pxd; as plain Python it returns the same.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dehusk.fast_hash_table import find_slot

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Codes = NDArray[np.uint32]


class Boundary(IntEnum):
    """The columns that `scan_source` fills in for each boundary: a container's tag, or an end of the page."""

    END = 0
    OPENING_TAGS = 1  # from here on, how many there are up to and including the boundary
    CLOSING_TAGS = 2
    HREFS = 3
    NAMES_WITH_A = 4
    COMMENTS = 5
    CONTAINER = 6  # its number
    CLOSES = 7


class Flag(IntEnum):
    """What `scan_source` must know about a tag name."""

    CONTAINER_NUMBER = 15  # the bits that hold it
    NO_TEXT = 16
    ANCHOR = 32


END, OPENING_TAGS, CLOSING_TAGS, HREFS, NAMES_WITH_A, COMMENTS, CONTAINER, CLOSES = Boundary
CONTAINER_NUMBER, NO_TEXT, ANCHOR = Flag
TEXT, OPENING_TAG, CLOSING_TAG, COMMENT, PAGE_END = range(5)  # what an opening angle bracket begins
# How many leaves or runs ahead a match is searched for. On 200 pages of wcxb-dev 98.9 % of the leaves are found.
LOOK_AHEAD = 16


def scan_source(  # noqa: C901, PLR0912
    html: Codes, keys: Longs, flags: Ints, run_start: Ints, run_row: Ints, boundaries: Ints
) -> tuple[int, int]:
    """Find the runs of text in a page's source and the boundaries between texrex's blocks; return how many of each.

    `html` holds code points, which are read several times faster than a string. `keys` and `flags` are a hash table
    from `name_key` to `Flag`. `boundaries` must come as zeros. Its row 0 is the start of the page, its last row the
    end; the scan ends there, or when there is no room left. `run_row` gets the number of boundaries before each run.
    """
    length, run_limit, row_limit = len(html), len(run_start), len(boundaries) - 1
    offset, run, row, in_run, unclosed = 0, 0, 1, False, 0
    while offset < length and run < run_limit and row < row_limit:
        while not in_run and offset < length and is_blank(html[offset]):
            offset += 1
        mark = offset
        while mark < length and html[mark] != ord("<"):
            mark += 1
        markup = PAGE_END
        if mark + 1 < length:
            markup = markup_kind(html[mark + 1], html[mark + 2] if mark + 2 < length else 0)
        if not in_run and (mark > offset or markup == TEXT):
            run_start[run], run_row[run] = offset, row
            run += 1
        in_run = markup == TEXT
        if in_run:
            offset = mark + 1
            continue
        if markup == PAGE_END:
            break
        if markup == COMMENT:
            boundaries[row, COMMENTS] += 1
            offset = after_comment(html, mark)
            continue
        name = mark + markup  # one or two characters further on
        flag = flags[find_slot(name_key(html, name), keys)]
        offset = after_tag(html, name)
        if markup == CLOSING_TAG:
            boundaries[row, CLOSING_TAGS] += 1
        else:
            boundaries[row, OPENING_TAGS] += 1
            if html[name] | 32 == ord("a"):  # capitals differ from small letters in one bit
                boundaries[row, NAMES_WITH_A] += 1
                if flag & ANCHOR and has_href(html, name, offset):
                    boundaries[row, HREFS] += 1
            # What closes itself is in a drawing or in noscript, or a mistake. What is never closed is searched for a
            # few times only, or the time would be quadratic.
            if flag & NO_TEXT and unclosed < 8 and html[offset - 2] != ord("/"):
                mark = closing_tag(html, name, offset)
                if mark < 0:
                    unclosed += 1
                else:
                    offset = mark
        if flag & CONTAINER_NUMBER:
            end_boundary(boundaries, row, offset, flag & CONTAINER_NUMBER, markup == CLOSING_TAG)
            row += 1
    boundaries[row, END] = length
    return run, row + 1


def markup_kind(first: int, second: int) -> int:
    """Return what an opening angle bracket begins that is followed by these characters."""
    if first in (ord("!"), ord("?")):
        return COMMENT
    if first == ord("/"):
        return CLOSING_TAG if is_letter(second) else TEXT
    return OPENING_TAG if is_letter(first) else TEXT


def end_boundary(boundaries: Ints, row: int, offset: int, container: int, closes: bool) -> None:
    """Complete the row of a boundary, and carry its counts on to the next row."""
    boundaries[row, END], boundaries[row, CONTAINER], boundaries[row, CLOSES] = offset, container, closes
    for column in range(OPENING_TAGS, COMMENTS + 1):
        boundaries[row + 1, column] = boundaries[row, column]


def is_letter(code: int) -> bool:
    """Return whether a character is an ASCII letter, with which tag names begin."""
    return ord("a") <= code <= ord("z") or ord("A") <= code <= ord("Z")


def is_blank(code: int) -> bool:
    """Return whether a character is white space, as `str.isspace` does."""
    if code < 128:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    if code < 0x1680:
        return code in (0x85, 0xA0)
    return code in (0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


def after_comment(html: Codes, offset: int) -> int:
    """Return the offset after a comment or declaration."""
    length = len(html)
    offset += 1
    if (
        offset + 2 < length
        and html[offset] == ord("!")
        and html[offset + 1] == ord("-")
        and html[offset + 2] == ord("-")
    ):
        # "<!-->" is a whole comment to a parser.
        offset += 3
        while offset < length:
            if html[offset] == ord(">") and html[offset - 1] == ord("-") and html[offset - 2] == ord("-"):
                return offset + 1
            offset += 1
        return length
    while offset < length and html[offset] != ord(">"):
        offset += 1
    return offset + 1 if offset < length else length


def name_key(html: Codes, offset: int) -> int:
    """Return a number that stands for the tag name at an offset: its letters and digits are digits to the base 37.

    Names of more than ten characters, and those with other characters, all have the number 0.
    """
    length, key = len(html), 0
    limit = offset + 11 if offset + 11 < length else length
    while offset < limit:
        code = int(html[offset])
        if ord("a") <= code <= ord("z"):
            key = key * 37 + code - 96
        elif ord("A") <= code <= ord("Z"):
            key = key * 37 + code - 64
        elif ord("0") <= code <= ord("9"):
            key = key * 37 + code - 21
        elif code <= 32 or code in (ord("/"), ord(">")):
            return key
        else:
            return 0
        offset += 1
    return 0


def after_tag(html: Codes, offset: int) -> int:
    """Return the offset after a tag; quoted attributes may hold the character that ends others."""
    length = len(html)
    equals = False
    while offset < length:
        code = html[offset]
        if code == ord(">"):
            return offset + 1
        if equals and code in (ord('"'), ord("'")):  # elsewhere it is a mistake of the author's and quotes nothing
            offset += 1
            while offset < length and html[offset] != code:
                offset += 1
        if code > 32:
            equals = code == ord("=")
        offset += 1
    return length


def has_href(html: Codes, offset: int, end: int) -> bool:
    """Return whether a tag has an address."""
    while offset + 4 < end:
        if (
            html[offset] | 32 == ord("h")
            and html[offset + 1] | 32 == ord("r")
            and html[offset + 2] | 32 == ord("e")
            and html[offset + 3] | 32 == ord("f")
        ):
            return True
        offset += 1
    return False


def closing_tag(html: Codes, name: int, offset: int) -> int:
    """Return the offset of the closing tag of an element that holds no text; -1 if nothing closes it."""
    length, width = len(html), 0
    # The name is a known one, so a character that is no letter follows it.
    while is_letter(html[name + width]):
        width += 1
    while offset + width + 1 < length:
        if html[offset] == ord("<") and html[offset + 1] == ord("/"):
            same = 0
            while same < width and html[name + same] | 32 == html[offset + 2 + same] | 32:
                same += 1
            if same == width:
                return offset
        offset += 1
    return -1


def find_containers(
    tags: list[str], parents: Ints, container_numbers: dict[str, int], kinds: Ints, nearest: Ints
) -> None:
    """Fill in what kind of container each element is, 0 for none, and the nearest one, itself included.

    Parents come before their children; the root is nobody's container.
    """
    for index in range(1, len(tags)):
        kind = container_numbers.get(tags[index], 0)
        kinds[index] = kind
        nearest[index] = index if kind else nearest[parents[index]]


def match_leaves(text: str, start: Ints, end: Ints, html: Codes, run_start: Ints, run_row: Ints, rows: Ints) -> None:
    """Fill in the number of boundaries before each leaf: that of the run it came from.

    Leaves and runs are in the same order, except for what the parser moved, joined or invented. A leaf without a run
    gets the number of the leaf before it.
    """
    leaf = run = last = 0
    leaves, runs = len(start), len(run_start)
    while leaf < leaves:
        if run < runs and reads_alike(text, start[leaf], end[leaf], html, run_start[run]):
            last = run_row[run]
            rows[leaf] = last
            leaf += 1
            run += 1
            continue
        ahead = next_match(text, start, end, html, run_start, leaf, run)
        if ahead > 0:
            run += ahead
            continue
        if ahead == 0:
            ahead = -1
            run += 1
        for _ in range(-ahead):
            rows[leaf] = last
            leaf += 1


def next_match(text: str, start: Ints, end: Ints, html: Codes, run_start: Ints, leaf: int, run: int) -> int:
    """Return how many runs to skip so that the next one fits the leaf, minus how many leaves, or 0 if none fits."""
    leaves, runs = len(start), len(run_start)
    for step in range(1, LOOK_AHEAD + 1):
        if run + step < runs and reads_alike(text, start[leaf], end[leaf], html, run_start[run + step]):
            return step
        if (
            leaf + step < leaves
            and run < runs
            and reads_alike(text, start[leaf + step], end[leaf + step], html, run_start[run])
        ):
            return -step
    return 0


def reads_alike(text: str, offset: int, end: int, html: Codes, mark: int) -> bool:
    """Return whether a leaf and a run begin with the same characters, apart from white space and references."""
    same = 0
    # Far enough for a dozen characters, and short enough for pages that are made of white space.
    length = mark + 200 if mark + 200 < len(html) else len(html)
    end = offset + 200 if offset + 200 < end else end
    while same < 12:
        while offset < end and is_blank(ord(text[offset])):
            offset += 1
        while mark < length and is_blank(html[mark]):
            mark += 1
        if offset == end or mark == length:
            return same > 0
        code = html[mark]
        if code == ord("<"):
            return same > 0
        if code == ord("&"):
            if is_no_break_space(html, mark, length):
                mark += 6
                continue
            # A character reference; the text may have anything there but a letter.
            return same > 0 or not is_letter(ord(text[offset]))
        if ord(text[offset]) != code:
            return False
        offset += 1
        mark += 1
        same += 1
    return True


def is_no_break_space(html: Codes, mark: int, length: int) -> bool:
    """Return whether &nbsp; or &#160; begins at an offset."""
    if mark + 5 >= length or html[mark + 5] != ord(";"):
        return False
    first, second, third, fourth = html[mark + 1], html[mark + 2], html[mark + 3], html[mark + 4]
    if first == ord("n"):
        return bool(second == ord("b") and third == ord("s") and fourth == ord("p"))
    return bool(first == ord("#") and second == ord("1") and third == ord("6") and fourth == ord("0"))
