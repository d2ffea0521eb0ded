"""Dates: a day, and the time where it is told, from however machines and people write it, as ISO 8601."""

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

from dehusk.metadata import fast_date_hints as days
from dehusk.metadata.fast_date_hints import ways
from dehusk.metadata.months import month

YEARS: Final = range(1990, 2100)  # before the web nothing was published on it; what lies beyond is a mistake
DAYS: Final = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # of the months, by their numbers
LONGEST: Final = 200  # characters of what is to be a date; every pattern below looks at a few dozen at most

ISO: Final = re.compile(
    r"\s*(\d{4})-?(\d{2})-?(\d{2})"
    r"(?:[Tt\s]\s?(\d{2}):?(\d{2})(?::?(\d{2}))?(?:[.,:]\d{1,9})?\s?((?i:Z|UTC|GMT)|[+-]\d{2}(?::?\d{2})?)?)?(?!\d)",
    re.ASCII,
)
EPOCH: Final = re.compile(r"\s*(\d{10})(?:\d{3})?\s*", re.ASCII)
WORD: Final = r"([^\W\d_]{3,12})"
YEAR: Final = r"(\d{4})(?!\d|\.\d)"
DAY: Final = r"(?<![\d.,:])(\d{1,2})"
NUMBERS_FIRST: Final = re.compile(rf"(?<![\d.,:/-]){YEAR}\s?[-/.年년]\s?(\d{{1,2}})\s?[-/.月월]\s?(\d{{1,2}})(?!\d)")
NUMBERS_LAST: Final = re.compile(rf"{DAY}([./-])\s?(\d{{1,2}})\2\s?{YEAR}")
# Only what has a case is read without it: letters as a class would take twice as long.
DAY_FIRST: Final = re.compile(
    rf"{DAY}(?i:st|nd|rd|th|er|º|\.|:e)?[\s,/-]{{0,2}}(?i:of |de |d['’])?{WORD}[.,]?[\s,/-]{{1,2}}(?i:de |del )?{YEAR}"
)
MONTH_FIRST: Final = re.compile(rf"(?<![^\W\d_]){WORD}\.?[\s-]{{1,2}}(\d{{1,2}})(?i:st|nd|rd|th)?[\s,./-]{{1,3}}{YEAR}")
YEAR_FIRST: Final = re.compile(rf"(?<!\d){YEAR}[.,]?[\s/-]{{1,2}}{WORD}\.?[\s/-](\d{{1,2}})(?!\d)")
ADDRESS: Final = re.compile(r"/((?:19|20)\d\d)([/-])(\d{1,2})\2(\d{1,2})(?=[/-]|$)", re.ASCII)


class Day(NamedTuple):
    """A day, and where in a text it stands."""

    date: str
    start: int
    end: int


def machine(value: str, *, day_first: bool = False) -> str | None:
    """Return a date from where programs put it: an attribute, a meta element, JSON-LD.

    >>> machine("2024-05-02T10:20:30+0200"), machine("20240502"), machine("Thu, 02 May 2024 08:20:30 GMT")
    ('2024-05-02T10:20:30+02:00', '2024-05-02', '2024-05-02')
    >>> machine("9999-99-99"), machine("0001-01-01T00:00:00"), machine("soon")
    (None, None, None)
    """
    value = value[:LONGEST]
    if whole := iso(value):
        return whole
    if found := EPOCH.fullmatch(value):
        moment = datetime.fromtimestamp(int(found[1]), UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year in YEARS else None
    return next((day.date for day in written(value, day_first=day_first)), None)


def iso(value: str) -> str | None:
    """Return a date that is written in ISO 8601.

    >>> iso("2024-05-02T10:20Z"), iso("2 May 2024")
    ('2024-05-02T10:20:00Z', None)
    """
    found = ISO.match(value, 0, LONGEST)
    if not found:
        return None
    year, number, day, *clock = found.groups()
    whole = _day(year, number, day)
    return whole and whole + _time(*clock)


def written(text: str, *, day_first: bool = False) -> list[Day]:
    """Return the days that people wrote in a line of text, in its order.

    Of 3/4/2024 and 3-4-2024 `day_first` says what they are; 3.4.2024 has the day first everywhere.

    >>> [day.date for day in written("Posted 2. Mai 2024, updated June 3rd, 2024")]
    ['2024-05-02', '2024-06-03']
    >>> written("2024年5月2日"), written("3/4/2024")[0].date, written("3/4/2024", day_first=True)[0].date
    ([Day(date='2024-05-02', start=0, end=8)], '2024-03-04', '2024-04-03')
    """
    found: list[tuple[re.Match[str], str | None]] = []
    told = ways(text)
    if not told:
        return []
    if told & days.DAY_FIRST:
        found += [(each, _day(each[3], month(each[2]), each[1])) for each in DAY_FIRST.finditer(text)]
    if told & days.MONTH_FIRST:
        found += [(each, _day(each[3], month(each[1]), each[2])) for each in MONTH_FIRST.finditer(text)]
    if told & days.YEAR_FIRST:
        found += [(each, _day(each[1], month(each[2]), each[3])) for each in YEAR_FIRST.finditer(text)]
    if told & days.NUMBERS_FIRST:
        found += [(each, _day(each[1], each[2], each[3])) for each in NUMBERS_FIRST.finditer(text)]
    if told & days.NUMBERS_LAST:
        found += [(each, _numbers(each, day_first=day_first)) for each in NUMBERS_LAST.finditer(text)]
    return sorted([Day(day, each.start(), each.end()) for each, day in found if day], key=_start)


def _start(day: Day) -> int:
    return day.start


def in_address(address: str) -> str | None:
    """Return the day in an address, as many sites file their pieces by day.

    >>> in_address("https://example.org/2024/05/02/title"), in_address("https://example.org/1/2/3")
    ('2024-05-02', None)
    """
    found = ADDRESS.search(address[:2000])
    return _day(found[1], found[3], found[4]) if found else None


def _numbers(found: re.Match[str], *, day_first: bool) -> str | None:
    first, sign, second, year = found.groups()
    if int(second) > 12 or (sign != "." and int(first) <= 12 and not day_first):
        first, second = second, first
    return _day(year, second, first)


def _day(year: str, number: str | int | None, day: str) -> str | None:
    """Return a day if there is one of these numbers."""
    if number is None:
        return None
    of_year, of_month, of_day = int(year), int(number), int(day)
    if of_year not in YEARS or not 1 <= of_month <= 12:
        return None
    longest = DAYS[of_month] + (of_month == 2 and of_year % 4 == 0)  # true of all years that are looked at
    return f"{of_year}-{of_month:02}-{of_day:02}" if 1 <= of_day <= longest else None


def _time(hour: str | None, minute: str | None, second: str | None, zone: str | None) -> str:
    """Return the time in ISO 8601, or "" where there is none."""
    if not hour or not minute or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    if zone and zone[0] in "+-":
        digits = zone[1:].replace(":", "").ljust(4, "0")
        zone = f"{zone[0]}{digits[:2]}:{digits[2:]}" if int(digits[:2]) < 15 and int(digits[2:]) < 60 else ""
    elif zone:
        zone = "Z"
    return f"T{hour}:{minute}:{second or '00'}{zone or ''}"
