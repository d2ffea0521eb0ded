"""Date hints: the formats in which a text may contain a date, judged by the characters next to its years.

Compiled with the C types in fast_date_hints.pxd; as plain Python it returns the same.
"""

# 2 May 2024, May 2nd 2024, 2024 May 2, 2024-05-02 and 2.5.2024.
DAY_FIRST, MONTH_FIRST, YEAR_FIRST, NUMBERS_FIRST, NUMBERS_LAST = 1, 2, 4, 8, 16


def date_hints(text: str) -> int:
    """Return the sum of the formats in which a text may contain a date; 0 means that it has none.

    A regular expression takes many times longer to rule out a format, and most lines with a year have no date, the
    others one.
    """
    formats = 0
    length = len(text)
    offset = 0
    while offset + 4 <= length:
        if _is_year(text, offset, length):
            formats |= _hints_before(text, offset) | _hints_after(text, offset + 4, length)
            offset += 4
        else:
            offset += 1
    return formats


def _is_year(text: str, offset: int, length: int) -> bool:
    """Return whether a number of four digits that starts with 19 or 20 is at `offset`."""
    first, second = text[offset], text[offset + 1]
    if not ((first == "2" and second == "0") or (first == "1" and second == "9")):
        return False
    if not (text[offset + 2].isdecimal() and text[offset + 3].isdecimal()):
        return False
    return not (offset > 0 and text[offset - 1].isdecimal()) and not (
        offset + 4 < length and text[offset + 4].isdecimal()
    )


def _hints_before(text: str, offset: int) -> int:
    """Return the formats that end with a year: signs come before it, and a word or a number before these."""
    formats = 0
    signs = False
    start = offset
    while offset > 0 and (text[offset - 1].isspace() or text[offset - 1] in ",./-"):
        offset -= 1
        signs = signs or text[offset] in "./-"
    if offset in (0, start):
        return 0
    if text[offset - 1].isdecimal():
        formats = MONTH_FIRST | (NUMBERS_LAST if signs else 0)
    elif text[offset - 1].isalnum():
        # A word that is the month, or the end of "2nd".
        formats = DAY_FIRST
        if offset > 2 and text[offset - 3].isdecimal():
            formats |= MONTH_FIRST
    return formats


def _hints_after(text: str, offset: int, length: int) -> int:
    """Return the formats that begin with a year: signs come after it, and a number or a word after these."""
    formats = 0
    if offset == length:
        return 0
    sign = offset
    if text[offset].isspace() and offset + 1 < length:
        sign = offset + 1
    if text[sign] in "-/.年년":
        formats = NUMBERS_FIRST
    start = offset
    while offset < length and (text[offset].isspace() or text[offset] in ".,/-"):
        offset += 1
    if start < offset < length and text[offset].isalnum() and not text[offset].isdecimal():
        formats |= YEAR_FIRST
    return formats
