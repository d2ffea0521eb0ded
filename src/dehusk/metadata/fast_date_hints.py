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
    found = 0
    length = len(text)
    place = 0
    while place + 4 <= length:
        if _is_year(text, place, length):
            found |= _hints_before(text, place) | _hints_after(text, place + 4, length)
            place += 4
        else:
            place += 1
    return found


def _is_year(text: str, place: int, length: int) -> bool:
    """Whether a number of four digits that starts with 19 or 20 is at `place`."""
    first, second = text[place], text[place + 1]
    if not ((first == "2" and second == "0") or (first == "1" and second == "9")):
        return False
    if not (text[place + 2].isdecimal() and text[place + 3].isdecimal()):
        return False
    return not (place > 0 and text[place - 1].isdecimal()) and not (place + 4 < length and text[place + 4].isdecimal())


def _hints_before(text: str, place: int) -> int:
    """Return the formats that end with a year: signs come before it, and a word or a number before these."""
    found = 0
    signs = False
    start = place
    while place > 0 and (text[place - 1].isspace() or text[place - 1] in ",./-"):
        place -= 1
        signs = signs or text[place] in "./-"
    if place in (0, start):
        return 0
    if text[place - 1].isdecimal():
        found = MONTH_FIRST | (NUMBERS_LAST if signs else 0)
    elif text[place - 1].isalnum():
        # A word that is the month, or the end of "2nd".
        found = DAY_FIRST
        if place > 2 and text[place - 3].isdecimal():
            found |= MONTH_FIRST
    return found


def _hints_after(text: str, place: int, length: int) -> int:
    """Return the formats that begin with a year: signs come after it, and a number or a word after these."""
    found = 0
    if place == length:
        return 0
    sign = place
    if text[place].isspace() and place + 1 < length:
        sign = place + 1
    if text[sign] in "-/.年년":
        found = NUMBERS_FIRST
    start = place
    while place < length and (text[place].isspace() or text[place] in ".,/-"):
        place += 1
    if start < place < length and text[place].isalnum() and not text[place].isdecimal():
        found |= YEAR_FIRST
    return found
