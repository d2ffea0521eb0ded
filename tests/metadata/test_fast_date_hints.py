"""The hints never rule out a format in which a text has a date."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.metadata import date_parsing
from dehusk.metadata import fast_date_hints as hints
from tests.helpers.compiled import uncompiled

plain = uncompiled(hints)
both = pytest.mark.parametrize("module", [hints, plain], ids=["compiled", "source"])
PATTERNS = {
    hints.DAY_FIRST: date_parsing.DAY_FIRST,
    hints.MONTH_FIRST: date_parsing.MONTH_FIRST,
    hints.YEAR_FIRST: date_parsing.YEAR_FIRST,
    hints.NUMBERS_FIRST: date_parsing.NUMBERS_FIRST,
    hints.NUMBERS_LAST: date_parsing.NUMBERS_LAST,
}
PARTS = (
    "2024", "1999", "12", "3", "May", "mayo", "2nd", "1er", "of ", "de ", "del ", " ", " ", "\u00a0", ", ", ",", ".",
    ". ", "/", "-", "年", "月", "日", "년", "2", "º", "x", "\n", "٣", "²",
)  # fmt: skip


@both
@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("2 May 2024", hints.DAY_FIRST),
        ("2 de mayo del 2024", hints.DAY_FIRST),
        ("May 2, 2024 | News", hints.MONTH_FIRST),
        ("May 2nd 2024", hints.DAY_FIRST | hints.MONTH_FIRST),
        ("2024 May 2", hints.YEAR_FIRST),
        ("2024-05-02", hints.NUMBERS_FIRST),
        ("2024年5月2日", hints.NUMBERS_FIRST),
        ("2.5.2024", hints.MONTH_FIRST | hints.NUMBERS_LAST),
        ("© 2024", 0),
        ("12024 20245 1850", 0),
        ("", 0),
    ],
)
def test_the_text_next_to_a_year_hints_at_the_format(module: ModuleType, text: str, formats: int) -> None:
    assert module.date_hints(text) == formats


@both
@given(text=st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_no_date_that_a_pattern_finds_is_ruled_out(module: ModuleType, text: str) -> None:
    found = module.date_hints(text)
    for hint, pattern in PATTERNS.items():
        years = (
            each[1] if hint in (hints.YEAR_FIRST, hints.NUMBERS_FIRST) else each[each.re.groups]
            for each in pattern.finditer(text)
        )
        assert found & hint or not any(year in ("2024", "1999") for year in years)


@given(st.text())
def test_both_give_the_same_hints_for_any_text(text: str) -> None:
    assert hints.date_hints(f"2024{text}1999 {text} 2024") == plain.date_hints(f"2024{text}1999 {text} 2024")
