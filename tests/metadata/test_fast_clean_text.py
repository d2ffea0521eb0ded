"""Compiled and as plain Python, the functions agree with each other and with regular expressions."""

import re
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.metadata import fast_clean_text
from tests.helpers.compiled import uncompiled

plain = uncompiled(fast_clean_text)
both = pytest.mark.parametrize("module", [fast_clean_text, plain], ids=["compiled", "source"])
TEXT = st.text(st.characters(codec=None) | st.sampled_from("ab _-&<>.\n\t\xa0\xad²\u200b"))


@both
@given(text=TEXT)
def test_clean_text_is_printable_and_has_no_markup(module: ModuleType, text: str) -> None:
    wanted = text.isprintable() and "&" not in text and "<" not in text and "  " not in text
    assert module.is_clean(text) == wanted


@both
@given(text=TEXT)
def test_letters_and_digits_are_those_of_a_pattern(module: ModuleType, text: str) -> None:
    assert module.letters_and_digits(text) == re.sub(r"[\W_]+", "", text)


@given(value=TEXT | st.none() | st.lists(TEXT))
def test_a_claim_is_cleaned_the_same_way_by_both(value: object) -> None:
    for keep_tags in (False, True):
        clean = fast_clean_text.clean_line(value, keep_tags=keep_tags)
        assert clean == plain.clean_line(value, keep_tags=keep_tags)


@both
def test_claims_come_in_the_order_of_the_names(module: ModuleType) -> None:
    values = {"c": ["no"], "b": ["x", "&amp;", " "], "a": ["y"]}
    assert module.clean_claims(values, {"a": "first", "z": "none", "b": "second"}) == [
        ("y", "first"),
        ("x", "second"),
        ("&", "second"),
    ]
    assert module.clean_claims(values, {"z": "none"}) == module.clean_claims({}, {"a": "first"}) == []


def test_every_character_is_judged_like_pythons_own_methods() -> None:
    every = [chr(code) for code in range(0x3000)]
    clean = [character for character in every if character.isprintable() and character not in "&<"]
    assert [character for character in every if fast_clean_text.is_clean(character)] == clean
    assert fast_clean_text.letters_and_digits("".join(every)) == re.sub(r"[\W_]+", "", "".join(every))


@both
@given(
    texts=st.lists(st.text(st.sampled_from("aAßé \u0345İ-2"), max_size=5)),
    name=st.text(st.sampled_from("aAsß\u03b9é2"), max_size=4),
)
def test_spans_that_say_a_name_are_those_that_fold_to_it(module: ModuleType, texts: list[str], name: str) -> None:
    lengths = np.array([0, *map(len, texts)], np.int32).cumsum(dtype=np.int32)
    name = fast_clean_text.folded(name)
    found = module.spans_saying("".join(texts), lengths[:-1], lengths[1:], name, 4)
    fits = [number for number, text in enumerate(texts) if len(name) <= len(text) <= 4]
    assert found == [number for number in fits if fast_clean_text.folded(texts[number]) == name]
