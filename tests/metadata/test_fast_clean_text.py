"""What the compiled core takes for plain, and for letters, is what its source and Python's own patterns do."""

import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.metadata import fast_clean_text as lines
from tests.helpers.compiled import uncompiled

plain = uncompiled(lines)
both = pytest.mark.parametrize("module", [lines, plain], ids=["compiled", "source"])
TEXT = st.text(st.characters(codec=None) | st.sampled_from("ab _-&<>.\n\t\xa0\xad²\u200b"))


@both
@given(text=TEXT)
def test_plain_is_what_can_be_printed_and_has_no_markup(module: ModuleType, text: str) -> None:
    wanted = text.isprintable() and "&" not in text and "<" not in text and "  " not in text
    assert module.is_plain(text) == wanted


@both
@given(text=TEXT)
def test_letters_are_what_a_pattern_takes_for_such(module: ModuleType, text: str) -> None:
    assert module.letters(text) == re.sub(r"[\W_]+", "", text)


@given(value=TEXT | st.none() | st.lists(TEXT))
def test_a_claim_is_the_same_line_compiled_or_not(value: object) -> None:
    for shown in (False, True):
        assert lines.line(value, shown=shown) == plain.line(value, shown=shown)


@both
def test_what_was_told_comes_in_the_order_of_the_names(module: ModuleType) -> None:
    told = {"c": ["no"], "b": ["x", "&amp;", " "], "a": ["y"]}
    assert module.under(told, {"a": "first", "z": "none", "b": "second"}) == [
        ("y", "first"),
        ("x", "second"),
        ("&", "second"),
    ]
    assert module.under(told, {"z": "none"}) == module.under({}, {"a": "first"}) == []


def test_every_character_is_known() -> None:
    every = [chr(code) for code in range(0x3000)]
    assert [letter for letter in every if lines.is_plain(letter) != (letter.isprintable() and letter not in "&<")] == []
    assert lines.letters("".join(every)) == re.sub(r"[\W_]+", "", "".join(every))
