"""Days are looked for in each way that the text next to a year allows, and none is passed over."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.metadata import dates
from dehusk.metadata import fast_date_hints as days
from tests.helpers.compiled import uncompiled

plain = uncompiled(days)
both = pytest.mark.parametrize("module", [days, plain], ids=["compiled", "source"])
PATTERNS = {
    days.DAY_FIRST: dates.DAY_FIRST,
    days.MONTH_FIRST: dates.MONTH_FIRST,
    days.YEAR_FIRST: dates.YEAR_FIRST,
    days.NUMBERS_FIRST: dates.NUMBERS_FIRST,
    days.NUMBERS_LAST: dates.NUMBERS_LAST,
}
PARTS = (
    "2024", "1999", "12", "3", "May", "mayo", "2nd", "1er", "of ", "de ", "del ", " ", " ", "\u00a0", ", ", ",", ".",
    ". ", "/", "-", "年", "月", "日", "년", "2", "º", "x", "\n", "٣", "²",
)  # fmt: skip


@both
@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("2 May 2024", days.DAY_FIRST),
        ("2 de mayo del 2024", days.DAY_FIRST),
        ("May 2, 2024 | News", days.MONTH_FIRST),
        ("May 2nd 2024", days.DAY_FIRST | days.MONTH_FIRST),
        ("2024 May 2", days.YEAR_FIRST),
        ("2024-05-02", days.NUMBERS_FIRST),
        ("2024年5月2日", days.NUMBERS_FIRST),
        ("2.5.2024", days.MONTH_FIRST | days.NUMBERS_LAST),
        ("© 2024", 0),
        ("12024 20245 1850", 0),
        ("", 0),
    ],
)
def test_what_stands_next_to_a_year_tells_how_a_day_may_be_written(module: ModuleType, text: str, ways: int) -> None:
    assert module.ways(text) == ways


@both
@given(text=st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_no_day_that_a_pattern_would_find_is_passed_over(module: ModuleType, text: str) -> None:
    found = module.ways(text)
    for way, pattern in PATTERNS.items():
        years = (
            each[1] if way in (days.YEAR_FIRST, days.NUMBERS_FIRST) else each[each.re.groups]
            for each in pattern.finditer(text)
        )
        assert found & way or not any(year in ("2024", "1999") for year in years)


@given(st.text())
def test_any_text_looks_the_same_to_both(text: str) -> None:
    assert days.ways(f"2024{text}1999 {text} 2024") == plain.ways(f"2024{text}1999 {text} 2024")
