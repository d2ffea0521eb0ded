import pytest

from dehusk.metadata.date_parsing import MONTH_NAMES, find_dates, month_number, parse_date


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2024-05-02", "2024-05-02"),
        ("2024-05-02T10:20:30Z", "2024-05-02T10:20:30Z"),
        ("2024-05-02T10:20:30.123+0200", "2024-05-02T10:20:30+02:00"),
        ("2024-05-02 10:20", "2024-05-02T10:20:00"),
        ("2024-05-02T10:20:30+02", "2024-05-02T10:20:30+02:00"),
        ("2024-05-02T99:99:99", "2024-05-02"),
        ("20240502", "2024-05-02"),
        ("20240502T102030Z", "2024-05-02T10:20:30Z"),
        ("2024/5/2", "2024-05-02"),
        ("Thu, 02 May 2024 08:20:30 GMT", "2024-05-02"),
        ("Thu May 02 2024 08:20:30 GMT+0000", "2024-05-02"),
        ("1714638030", "2024-05-02T08:20:30Z"),
        ("1714638030000", "2024-05-02T08:20:30Z"),
        ("9999-99-99", None),
        ("2024-02-30", None),
        ("0001-01-01T00:00:00", None),
        ("1970-01-01", None),
        ("2024", None),
        ("May 2024", None),
        ("yesterday", None),
        ("", None),
        ("2" * 100_000, None),
    ],
)
def test_machine_readable_dates_have_many_formats(value: str, date: str | None) -> None:
    assert parse_date(value) == date


@pytest.mark.parametrize(
    "text",
    [
        "May 2, 2024", "May 2nd, 2024", "2 May 2024", "2nd of May 2024", "02-May-2024", "MAY 2, 2024",
        "Thu, May 2 2024",
        "2. Mai 2024", "2 mai 2024", "2 de mayo de 2024", "2 maggio 2024", "2 de maio de 2024", "2 mei 2024",
        "2 maja 2024", "2 мая 2024", "2 maj 2024", "2 Μαΐου 2024", "2 Mayıs 2024", "2 toukokuuta 2024",
        "2. května 2024", "2 مايو 2024",
        "2024年5月2日", "2024 年 5 月 2 日", "2024년 5월 2일", "2024. május 2.", "2024-05-02", "2024/05/02", "2.5.2024",
        "5/2/2024", "Posted on May 2, 2024 at 10:20", "By Ann Example•May 2, 2024•5 min read",
    ],
)  # fmt: skip
def test_dates_are_found_in_many_languages(text: str) -> None:
    assert [match.date for match in find_dates(text)] == ["2024-05-02"]


@pytest.mark.parametrize(
    "text",
    [
        "5 Marketing, 2024",
        "Top 10 in 2024",
        "2024 in 12 pictures",
        "32/13/2024",
        "1.2.2024.5",
        "May 2024",
        "00.00.2024",
    ],
)
def test_other_numbers_are_not_dates(text: str) -> None:
    assert find_dates(text) == []


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "el", "ar"])
def test_every_month_is_known(language: str) -> None:
    names = MONTH_NAMES[language].split()
    assert [{month_number(form) for form in name.split("|")} for name in names] == [{number} for number in range(1, 13)]


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2024-02-29", "2024-02-29"),
        ("2023-02-29", None),
        ("2024-02-30", None),
        ("2024-05-00", None),
        ("2024-05-01T23:59Z", "2024-05-01T23:59:00Z"),
        ("2024-05-01T24:00Z", "2024-05-01"),
    ],
)
def test_days_and_hours_exist(value: str, date: str | None) -> None:
    assert parse_date(value) == date
