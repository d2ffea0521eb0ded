# cython: cdivision=True, wraparound=False, boundscheck=False
"""What texrex's features are counted from: the characters of blocks, and the tags of the source.

The parser does not tell where text stands in the source, so the source is scanned for runs of text between tags, and
each leaf of the tree is matched with the run that it came from. The loops run over plain numbers and write into arrays
that the caller made, so that they compile to C; uncompiled they give the same numbers, only slower.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Codes = NDArray[np.uint32]


def count_characters(text: str, start: Ints, end: Ints, classes: NDArray[np.uint8], counts: Ints) -> None:  # noqa: C901, PLR0912, PLR0915
    """Fill in a row a block, in the order of `dehusk.methods.texrex.features.Count`; `counts` comes as zeros.

    `classes` gives the class of each character, its last entry that of all beyond.
    """
    most = len(classes) - 1
    for block in range(len(start)):
        first, last = start[block], end[block]
        digits = number = stop = in_uri = 0
        before = 0  # the class of the character before, a blank at the start
        for place in range(first, last):
            code = ord(text[place])
            kind = classes[code if code < most else most]
            counts[block, kind] += 1
            if 48 <= code <= 57:
                number = number * 10 + code - 48 if digits else code - 48
                digits += 1
                if digits > 4:
                    number = 0
            elif digits:
                if digits == 4 and not in_uri:
                    if 1900 <= number <= 2099:
                        counts[block, 9] += 1
                    if 2000 <= number <= 2019 and place - 4 > first:
                        counts[block, 10] += 1
                digits = 0
            if kind == 0:
                if stop:
                    counts[block, 7] += 1
                in_uri = 0
            elif code == 169:
                counts[block, 8] += 1
            elif not in_uri and kind >= 2:
                if code == 58:  # a colon
                    if 1 <= before <= 3 and ahead(text, place + 1, last, 47) and ahead(text, place + 2, last, 47):
                        counts[block, 12] += 1
                        in_uri = 1
                elif code == 119:  # a small w
                    if (before == 0 or before >= 5) and is_www(text, place, last):
                        counts[block, 12] += 1
                        in_uri = 1
                elif code == 64:  # the sign in addresses
                    if 1 <= before <= 4 and is_host(text, place + 1, last, classes):
                        counts[block, 11] += 1
                elif code == 35:  # a hash
                    if (before == 0 or before >= 5) and place + 1 < last:
                        following = ord(text[place + 1])
                        if 1 <= classes[following if following < most else most] <= 3:
                            counts[block, 13] += 1
                elif code == 60 and is_tag(text, place + 1, last):
                    counts[block, 14] += 1
            stop = 1 if code in (33, 46, 63) else 0
            if kind != 0:
                counts[block, 15] = stop
            before = kind
        if digits == 4 and not in_uri:
            if 1900 <= number <= 2099:
                counts[block, 9] += 1
            if 2000 <= number <= 2019 and last - 4 > first:
                counts[block, 10] += 1
        if stop:
            counts[block, 7] += 1


def ahead(text: str, place: int, last: int, code: int) -> bool:
    """Tell whether a character stands at a place before `last`."""
    return place < last and ord(text[place]) == code


def is_www(text: str, place: int, last: int) -> bool:
    """Tell whether "www." and one more character stand at a place."""
    if place + 4 >= last or ord(text[place + 4]) <= 32:
        return False
    return ord(text[place + 1]) == 119 and ord(text[place + 2]) == 119 and ord(text[place + 3]) == 46


def is_host(text: str, place: int, last: int, classes: NDArray[np.uint8]) -> bool:
    """Tell whether letters, a dot and a letter follow, as in the second half of a mail address."""
    most = len(classes) - 1
    # No host has more characters; without a limit "a@a@a@…" would be read over and over.
    limit = place + 255 if place + 255 < last else last
    dot = seen = 0
    while place < limit:
        code = ord(text[place])
        kind = classes[code if code < most else most]
        if 1 <= kind <= 4:
            if dot:
                return True
            seen = 1
        elif code == 46:
            if not seen:
                return False
            dot = 1
        elif code == 45:
            dot = 0
        else:
            return False
        place += 1
    return False


def is_tag(text: str, place: int, last: int) -> bool:
    """Tell whether the rest of a tag follows, as text that was escaped twice has it."""
    limit = place + 255 if place + 255 < last else last
    if place < limit and ord(text[place]) == 47:
        place += 1
    if place >= limit or not is_letter(ord(text[place])):
        return False
    while place < limit:
        code = ord(text[place])
        if code == 62:
            return True
        if code == 60:
            return False
        place += 1
    return False


def is_letter(code: int) -> bool:
    """Tell whether a character is an ASCII letter, as tag names begin with."""
    return 97 <= code <= 122 or 65 <= code <= 90


def is_blank(code: int) -> bool:
    """Tell white space as `str.isspace` does."""
    if code < 128:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    if code < 0x1680:
        return code in (0x85, 0xA0)
    return code in (0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


def scan(  # noqa: C901, PLR0912, PLR0915
    html: Codes, keys: Longs, values: Ints, runs: Ints, breaks: Ints, found: Ints
) -> None:
    """Find the runs of text in a page's source, and the tags that part texrex's blocks.

    `html` comes as code points, which are read several times faster than a string. `keys` and `values` are what is
    known of tag names, as `find_name` wants it: a container's number, 16 for what holds no text, 32 for an anchor. Of
    each run `runs` gets its start and the breaks before it; of each break `breaks` gets its end, the opening tags,
    closing tags, anchors with an address, tags that begin with a, and comments up to there with itself, then its
    container and whether it closes. Row 0 is the start of the page; `breaks` comes as zeros, and the row of the next
    break is what is counted in. `found` gets the numbers of runs and of breaks; both end where there is no room, or
    with the page, whose last break is its end.
    """
    length, room, spots = len(html), len(runs), len(breaks) - 1
    place, run, cut, in_run, misses = 0, 0, 1, 0, 0
    while place < length and run < room and cut < spots:
        if not in_run:
            while place < length and is_blank(html[place]):
                place += 1
        mark = place
        while mark < length and html[mark] != 60:
            mark += 1
        if mark > place and not in_run:
            runs[run, 0] = place
            runs[run, 1] = cut
            run += 1
            in_run = 1
        if mark + 1 >= length:
            break
        code = html[mark + 1]
        if code in (33, 63):
            in_run = 0
            breaks[cut, 5] += 1
            place = after_comment(html, mark)
            continue
        closing = code == 47
        name = mark + 2 if closing else mark + 1
        if name >= length or not is_letter(html[name]):
            # No tag: the run goes on, or begins here.
            if not in_run:
                runs[run, 0] = mark
                runs[run, 1] = cut
                run += 1
                in_run = 1
            place = mark + 1
            continue
        in_run = 0
        fact = find_name(html, name, keys, values)
        place = tag_end(html, name)
        if closing:
            breaks[cut, 2] += 1
        else:
            breaks[cut, 1] += 1
            code = html[name]
            if code in (65, 97):
                breaks[cut, 4] += 1
                if fact & 32 and has_address(html, name, place):
                    breaks[cut, 3] += 1
            # What says that it closes itself stands in a drawing or in noscript, or is a slip. What is never closed
            # is looked for a few times only, or a page full of it would cost a square.
            if fact & 16 and misses < 8 and html[place - 2] != 47:
                mark = after_raw(html, name, place)
                if mark < 0:
                    misses += 1
                else:
                    place = mark
        if fact & 15:
            breaks[cut, 0] = place
            breaks[cut, 6] = fact & 15
            breaks[cut, 7] = closing
            for column in range(1, 6):
                breaks[cut + 1, column] = breaks[cut, column]
            cut += 1
    breaks[cut, 0] = length
    found[0] = run
    found[1] = cut + 1


def after_comment(html: Codes, place: int) -> int:
    """Return the place after a comment, or after what only begins like one."""
    length = len(html)
    if place + 3 < length and html[place + 1] == 33 and html[place + 2] == 45 and html[place + 3] == 45:
        # "<!-->" is a whole comment to a parser.
        place += 4
        while place < length:
            if html[place] == 62 and html[place - 1] == 45 and html[place - 2] == 45:
                return place + 1
            place += 1
        return length
    while place < length and html[place] != 62:
        place += 1
    return place + 1 if place < length else length


def find_name(html: Codes, place: int, keys: Longs, values: Ints) -> int:
    """Return what is known of the tag name at a place, 0 where nothing is.

    Letters and digits are the digits of a number to the base of 37. `keys` has those numbers, each at the first free
    place from its remainder on; names of more than ten characters are not known.
    """
    length, size = len(html), len(keys)
    key = 0
    limit = place + 11 if place + 11 < length else length
    while place < limit:
        code = int(html[place])
        if 97 <= code <= 122:
            key = key * 37 + code - 96
        elif 65 <= code <= 90:
            key = key * 37 + code - 64
        elif 48 <= code <= 57:
            key = key * 37 + code - 21
        elif code <= 32 or code in (47, 62):
            break
        else:
            return 0
        place += 1
    else:
        return 0
    spot = key % size
    while keys[spot] != 0:
        if keys[spot] == key:
            return int(values[spot])
        spot = spot + 1 if spot + 1 < size else 0
    return 0


def tag_end(html: Codes, place: int) -> int:
    """Return the place after a tag, whose quotes may hold what ends others."""
    length = len(html)
    quote = equals = 0
    while place < length:
        code = html[place]
        if quote:
            if code == quote:
                quote = 0
        elif code == 62:
            return place + 1
        elif code in (34, 39):
            # Only behind a sign of equality; elsewhere it is a slip of the author's and ends nothing.
            if equals:
                quote = code
            equals = 0
        elif code == 61:
            equals = 1
        elif code > 32:
            equals = 0
        place += 1
    return length


def has_address(html: Codes, place: int, end: int) -> bool:
    """Tell whether an anchor has an address."""
    while place + 4 < end:
        # Letters differ by one bit from their capitals.
        if (
            html[place] | 32 == 104
            and html[place + 1] | 32 == 114
            and html[place + 2] | 32 == 101
            and html[place + 3] | 32 == 102
        ):
            return True
        place += 1
    return False


def after_raw(html: Codes, name: int, place: int) -> int:
    """Return the place of the closing tag of what holds no text; -1 where nothing closes it."""
    length, width = len(html), 0
    # find_name knew the name, so that a character stands behind it that is no letter.
    while is_letter(html[name + width]):
        width += 1
    while place + width + 1 < length:
        if html[place] == 60 and html[place + 1] == 47:
            same = 0
            while same < width and html[name + same] | 32 == html[place + 2 + same] | 32:
                same += 1
            if same == width:
                return place
        place += 1
    return -1


def containers(tags: list[str], parents: Ints, numbers: dict[str, int], kinds: Ints, nearest: Ints) -> None:
    """Fill in of each element what kind of container it is, 0 for none, and the nearest one, itself included.

    Parents come before their children; the root is nobody's container.
    """
    for index in range(1, len(tags)):
        kind = numbers.get(tags[index], 0)
        kinds[index] = kind
        nearest[index] = index if kind else nearest[parents[index]]


def match_leaves(  # noqa: PLR0913, PLR0917
    text: str, start: Ints, end: Ints, html: Codes, runs: Ints, count: int, far: int, breaks: Ints
) -> None:
    """Fill in of each leaf the number of breaks before it, as the run has it that the leaf came from.

    Both stand in the same order, but for what the parser moved, joined or invented: where a leaf and a run do not read
    alike, the next pair that does is looked for, `far` leaves or runs ahead. What has no run is where the leaf before
    it was.
    """
    leaf = run = last = 0
    leaves = len(start)
    while leaf < leaves:
        if run < count and reads_alike(text, start[leaf], end[leaf], html, runs[run, 0]):
            last = runs[run, 1]
            breaks[leaf] = last
            leaf += 1
            run += 1
            continue
        skip = past = 0
        for step in range(1, far + 1):
            if run + step < count and reads_alike(text, start[leaf], end[leaf], html, runs[run + step, 0]):
                skip = step
                break
            if (
                leaf + step < leaves
                and run < count
                and reads_alike(text, start[leaf + step], end[leaf + step], html, runs[run, 0])
            ):
                past = step
                break
        if skip:
            run += skip
            continue
        if past == 0:
            past = 1
            run += 1
        for _ in range(past):
            breaks[leaf] = last
            leaf += 1


def reads_alike(text: str, place: int, end: int, html: Codes, mark: int) -> bool:
    """Tell whether a leaf and a run begin with the same characters, white space and references left aside."""
    same = 0
    # Far enough for a dozen characters, and short enough for pages that are made of white space.
    length = mark + 200 if mark + 200 < len(html) else len(html)
    end = place + 200 if place + 200 < end else end
    while same < 12:
        while place < end and is_blank(ord(text[place])):
            place += 1
        while mark < length and is_blank(html[mark]):
            mark += 1
        if place == end or mark == length:
            return same > 0
        code = html[mark]
        if code == 60:
            return same > 0
        if code == 38:
            if is_no_break(html, mark, length):
                mark += 6
                continue
            # A character that the source only names; the page's own may be anything but a letter or digit.
            return same > 0 or not is_letter(ord(text[place]))
        if ord(text[place]) != code:
            return False
        place += 1
        mark += 1
        same += 1
    return True


def is_no_break(html: Codes, mark: int, length: int) -> bool:
    """Tell whether a blank is written as &nbsp; or &#160; there."""
    if mark + 5 >= length or html[mark + 5] != 59:
        return False
    first, second, third, fourth = html[mark + 1], html[mark + 2], html[mark + 3], html[mark + 4]
    if first == 110 and second == 98 and third == 115 and fourth == 112:
        return True
    return bool(first == 35 and second == 49 and third == 54 and fourth == 48)
