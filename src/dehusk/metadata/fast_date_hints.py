"""Days: in which ways a text may tell a day, by what stands next to its years.

Compiled by way of days.pxd, which gives the names below their C types; as plain Python it finds the same.
"""

DAY_FIRST, MONTH_FIRST, YEAR_FIRST, NUMBERS_FIRST, NUMBERS_LAST = 1, 2, 4, 8, 16


def ways(text: str) -> int:
    """Return the ways in which a text may tell a day, added up; each year of four digits is looked at.

    2 May 2024, May 2nd 2024, 2024 May 2, 2024-05-02 and 2.5.2024. A pattern takes many times longer to see that there
    is none of these, and most lines with a year have none, the others one.
    """
    found = 0
    length = len(text)
    place = 0
    while place + 4 <= length:
        if _is_year(text, place, length):
            found |= _before(text, place) | _after(text, place + 4, length)
            place += 4
        else:
            place += 1
    return found


def _is_year(text: str, place: int, length: int) -> bool:
    first, second = text[place], text[place + 1]
    if not ((first == "2" and second == "0") or (first == "1" and second == "9")):
        return False
    if not (text[place + 2].isdecimal() and text[place + 3].isdecimal()):
        return False
    return not (place > 0 and text[place - 1].isdecimal()) and not (place + 4 < length and text[place + 4].isdecimal())


def _before(text: str, place: int) -> int:
    """Return the ways to tell a day that end with a year: before it stand signs, before these a word or a number."""
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


def _after(text: str, place: int, length: int) -> int:
    """Return the ways to tell a day that begin with a year: after it stand signs, after these a number or a word."""
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
