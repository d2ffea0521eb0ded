"""The compiled code escapes what its source does, and what the pattern of forbidden characters says."""

from html import escape
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.formats import fast_markup
from tests.helpers.compiled import uncompiled

both = pytest.mark.parametrize("module", [fast_markup, uncompiled(fast_markup)], ids=["compiled", "source"])
TEXT = st.text(
    st.characters(codec=None) | st.sampled_from("ab &<>\n\r\t\x00\x0b\x1f\x7f\x9f\xa0\ufdd0\ufdef\ufffe\uffff")
)


@both
@pytest.mark.parametrize(
    ("old", "new", "tags"),
    [(0, 0, ("", "")), (0, 5, ("", "<b><s>")), (5, 4, ("</s></b>", "<s>")), (3, 5, ("</i>", "<s>")), (7, 7, ("", ""))],
)
def test_a_style_that_ends_ends_what_is_inside_it(module: ModuleType, old: int, new: int, tags: object) -> None:
    styles = module.StyleTags({1: ("<b>", "</b>"), 2: ("<i>", "</i>"), 4: ("<s>", "</s>")})
    assert styles.change(old, new) == styles.change(old, new) == tags


@both
@pytest.mark.parametrize(("text", "expected"), [("2 > 1", False), ("", False), ("AT&T", True), ("木_", True)])
def test_text_that_markdown_may_read_as_markup_is_noticed(module: ModuleType, text: str, expected: bool) -> None:
    assert module.may_be_markdown(text) is expected


@both
@given(text=TEXT)
def test_what_is_forbidden_is_replaced_and_what_is_markup_escaped(module: ModuleType, text: str) -> None:
    assert module.escaped(text) == fast_markup.FORBIDDEN.sub("\ufffd", escape(text, quote=False))


def test_every_character_of_the_basic_plane_is_escaped_as_the_pattern_says() -> None:
    every = "".join(map(chr, range(0x10000)))
    found = [fast_markup.escaped(letter) for letter in every]
    assert found == [fast_markup.FORBIDDEN.sub("\ufffd", escape(letter, quote=False)) for letter in every]
