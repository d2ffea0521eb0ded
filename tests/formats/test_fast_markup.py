"""What the compiled core escapes is what its source does, and what the pattern of forbidden characters says."""

from html import escape
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.formats import fast_markup as tagged
from tests.helpers.compiled import uncompiled

plain = uncompiled(tagged)
both = pytest.mark.parametrize("module", [tagged, plain], ids=["compiled", "source"])
TEXT = st.text(
    st.characters(codec=None) | st.sampled_from("ab &<>\n\r\t\x00\x0b\x1f\x7f\x9f\xa0\ufdd0\ufdef\ufffe\uffff")
)


@both
def test_a_heading_ends_the_divisions_below_it(module: ModuleType) -> None:
    leaves = [(2, text, level, "", None) for text, level in (("a", 2), ("b", 3), ("c & d", 3), ("e", 1))]
    writer = module.Writer(leaves, "|", {}, {}, (")", "(", ";"))
    assert writer.written() == "(a;(b;)(c &amp; d;))(e;"
    assert writer.levels == [1]


@both
@given(text=TEXT)
def test_what_is_forbidden_is_replaced_and_what_is_markup_escaped(module: ModuleType, text: str) -> None:
    assert module.escaped(text) == tagged.FORBIDDEN.sub("\ufffd", escape(text, quote=False))


def test_every_character_of_the_first_plane_is_known() -> None:
    every = "".join(map(chr, range(0x10000)))
    found = [tagged.escaped(letter) for letter in every]
    assert found == [tagged.FORBIDDEN.sub("\ufffd", escape(letter, quote=False)) for letter in every]
