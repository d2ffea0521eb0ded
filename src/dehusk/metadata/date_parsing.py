"""Date parsing: dates as programs and people write them in many languages, as ISO 8601."""

import re
from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import Final, NamedTuple
from unicodedata import combining, normalize

from dehusk.metadata import fast_date_hints as hints

YEARS: Final = range(1990, 2100)  # earlier dates are older than the web, later ones are mistakes
DAYS_IN_MONTH: Final = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MAX_DATE_LENGTH: Final = 200  # characters of a machine-readable date that are read

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
# Case is ignored only where there are letters with case: for a class of letters it would take twice as long.
DAY_FIRST: Final = re.compile(
    rf"{DAY}(?i:st|nd|rd|th|er|º|\.|:e)?[\s,/-]{{0,2}}(?i:of |de |d['’])?{WORD}[.,]?[\s,/-]{{1,2}}(?i:de |del )?{YEAR}"
)
MONTH_FIRST: Final = re.compile(rf"(?<![^\W\d_]){WORD}\.?[\s-]{{1,2}}(\d{{1,2}})(?i:st|nd|rd|th)?[\s,./-]{{1,3}}{YEAR}")
YEAR_FIRST: Final = re.compile(rf"(?<!\d){YEAR}[.,]?[\s/-]{{1,2}}{WORD}\.?[\s/-](\d{{1,2}})(?!\d)")
# With the numbers of the groups that are year, month and day.
MONTH_NAME_FORMATS: Final = (
    (hints.DAY_FIRST, DAY_FIRST, 3, 2, 1),
    (hints.MONTH_FIRST, MONTH_FIRST, 3, 1, 2),
    (hints.YEAR_FIRST, YEAR_FIRST, 1, 2, 3),
)
URL_DATE: Final = re.compile(r"/((?:19|20)\d\d)([/-])(\d{1,2})\2(\d{1,2})(?=[/-]|$)", re.ASCII)

# The names of the months, and after a bar the form used in dates where that differs.
# fmt: off
MONTH_NAMES: Final = {
    "en": "january february march april may june july august september october november december",
    "de": "januar|jänner februar|feber märz|maerz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "nl": "januari februari maart|mrt april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "fi": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
    "pl": "styczeń|stycznia luty|lutego marzec|marca kwiecień|kwietnia maj|maja czerwiec|czerwca lipiec|lipca "
          "sierpień|sierpnia wrzesień|września październik|października listopad|listopada grudzień|grudnia",
    "cs": "leden|ledna únor|února březen|března duben|dubna květen|května červen|června červenec|července "
          "srpen|srpna září říjen|října listopad|listopadu prosinec|prosince",
    "ru": "январь|января февраль|февраля март|марта апрель|апреля май|мая июнь|июня июль|июля август|августа "
          "сентябрь|сентября октябрь|октября ноябрь|ноября декабрь|декабря",
    "uk": "січень|січня лютий|лютого березень|березня квітень|квітня травень|травня червень|червня липень|липня "
          "серпень|серпня вересень|вересня жовтень|жовтня листопад|листопада грудень|грудня",
    "el": "ιανουάριος|ιανουαρίου φεβρουάριος|φεβρουαρίου μάρτιος|μαρτίου απρίλιος|απριλίου μάιος|μαΐου "
          "ιούνιος|ιουνίου ιούλιος|ιουλίου αύγουστος|αυγούστου σεπτέμβριος|σεπτεμβρίου οκτώβριος|οκτωβρίου "
          "νοέμβριος|νοεμβρίου δεκέμβριος|δεκεμβρίου",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "ar": "يناير|جانفي فبراير|فيفري مارس أبريل|أفريل مايو|ماي يونيو|جوان يوليو|جويلية أغسطس|أوت "
          "سبتمبر أكتوبر نوفمبر ديسمبر",
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
}
# fmt: on


class DateMatch(NamedTuple):
    """A date as ISO 8601, and its span in a text."""

    date: str
    start: int
    end: int


def parse_date(value: str, *, day_first: bool = False) -> str | None:
    """Return the date in a machine-readable value: an attribute, a `meta` element, JSON-LD.

    >>> parse_date("2024-05-02T10:20:30+0200"), parse_date("20240502"), parse_date("Thu, 02 May 2024 08:20:30 GMT")
    ('2024-05-02T10:20:30+02:00', '2024-05-02', '2024-05-02')
    >>> parse_date("9999-99-99"), parse_date("0001-01-01T00:00:00"), parse_date("soon")
    (None, None, None)
    """
    value = value[:MAX_DATE_LENGTH]
    if date := parse_iso_date(value):
        return date
    if match := EPOCH.fullmatch(value):
        moment = datetime.fromtimestamp(int(match[1]), UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year in YEARS else None
    return next((match.date for match in find_dates(value, day_first=day_first)), None)


def parse_iso_date(value: str) -> str | None:
    """Return a date that is written in ISO 8601.

    >>> parse_iso_date("2024-05-02T10:20Z"), parse_iso_date("2 May 2024")
    ('2024-05-02T10:20:00Z', None)
    """
    match = ISO.match(value, 0, MAX_DATE_LENGTH)
    if not match:
        return None
    year, month, day, *clock = match.groups()
    date = _iso_date(year, month, day)
    return date and date + _iso_time(*clock)


def find_dates(text: str, *, day_first: bool = False) -> list[DateMatch]:
    """Return the dates that people wrote in a line of text, in order.

    `day_first` tells how to read 3/4/2024 and 3-4-2024; in 3.4.2024 the day is always first.

    >>> [match.date for match in find_dates("Posted 2. Mai 2024, updated June 3rd, 2024")]
    ['2024-05-02', '2024-06-03']
    >>> find_dates("2024年5月2日")
    [DateMatch(date='2024-05-02', start=0, end=8)]
    >>> find_dates("3/4/2024")[0].date, find_dates("3/4/2024", day_first=True)[0].date
    ('2024-03-04', '2024-04-03')
    """
    candidates: list[tuple[re.Match[str], str | None]] = []
    formats = hints.date_hints(text)
    if not formats:
        return []
    for hint, pattern, year, month, day in MONTH_NAME_FORMATS:
        if formats & hint:
            matches = pattern.finditer(text)
            candidates += [(match, _iso_date(match[year], month_number(match[month]), match[day])) for match in matches]
    if formats & hints.NUMBERS_FIRST:
        candidates += [(match, _iso_date(match[1], match[2], match[3])) for match in NUMBERS_FIRST.finditer(text)]
    if formats & hints.NUMBERS_LAST:
        candidates += [(match, _ordered_date(match, day_first=day_first)) for match in NUMBERS_LAST.finditer(text)]
    dates = [DateMatch(date, match.start(), match.end()) for match, date in candidates if date]
    return sorted(dates, key=lambda match: match.start)


def date_in_url(url: str) -> str | None:
    """Return the date in the path of an address, as many sites have it.

    >>> date_in_url("https://example.org/2024/05/02/title"), date_in_url("https://example.org/1/2/3")
    ('2024-05-02', None)
    """
    match = URL_DATE.search(url[:2000])
    return _iso_date(match[1], match[3], match[4]) if match else None


def month_number(name: str) -> int | None:
    """Return the number of the month with this name, in any language; None for other words.

    >>> month_number("März"), month_number("Sept"), month_number("stycznia"), month_number("Marketing")
    (3, 9, 1, None)
    >>> month_number("mar"), month_number("jui")
    (3, None)
    """
    return MONTH_NUMBERS.get(name.lower() if name.isascii() else _without_accents(name))


def _ordered_date(match: re.Match[str], *, day_first: bool) -> str | None:
    """Return the date of three numbers that end with the year."""
    day, sign, month, year = match.groups()
    if int(month) > 12 or (sign != "." and int(day) <= 12 and not day_first):
        day, month = month, day
    return _iso_date(year, month, day)


def _iso_date(year: str, month: str | int | None, day: str) -> str | None:
    """Return a date, or None if there is none with these numbers."""
    if month is None:
        return None
    year_number, number, day_number = int(year), int(month), int(day)
    if year_number not in YEARS or not 1 <= number <= 12:
        return None
    last = DAYS_IN_MONTH[number] + (number == 2 and year_number % 4 == 0)  # true of all leap years in `YEARS`
    return f"{year_number}-{number:02}-{day_number:02}" if 1 <= day_number <= last else None


def _iso_time(hour: str | None, minute: str | None, second: str | None, zone: str | None) -> str:
    """Return the time as in ISO 8601, or "" if there is none."""
    if not hour or not minute or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    if zone and zone[0] in "+-":
        digits = zone[1:].replace(":", "").ljust(4, "0")
        zone = f"{zone[0]}{digits[:2]}:{digits[2:]}" if int(digits[:2]) < 15 and int(digits[2:]) < 60 else ""
    elif zone:
        zone = "Z"
    return f"T{hour}:{minute}:{second or '00'}{zone or ''}"


def _without_accents(word: str) -> str:
    """Return a word in lower case and without accents, as many write it."""
    return "".join(letter for letter in normalize("NFD", word.casefold()) if not combining(letter))


def _month_numbers() -> dict[str, int]:
    """Return the number of each name, and of its first three and four letters where most languages agree on them."""
    whole: dict[str, int] = {}
    short: dict[str, Counter[int]] = defaultdict(Counter)
    for names in MONTH_NAMES.values():
        for number, forms in enumerate(names.split(), start=1):
            for name in map(_without_accents, forms.split("|")):
                whole[name] = number
                for length in (3, 4):
                    short[name[:length]][number] += 1
                # In Finnish dates the month is in the partitive.
                if name.endswith("kuu"):
                    whole[name + "ta"] = number
    for start, numbers in short.items():
        (number, most), *others = numbers.most_common(2)
        if not others or most > others[0][1]:
            whole.setdefault(start, number)
    return whole


MONTH_NUMBERS: Final = _month_numbers()
