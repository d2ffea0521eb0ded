"""The same text is kept once, except where it is meant to be there several times."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk import Blocks, Page, fast_repeats
from dehusk.blocks import REPEATED_WORDS, cut
from dehusk.characters import WORD_CLASSES
from dehusk.selection.repeats import without_repeats
from testing.growth import FACTOR, LINEAR, exponent
from tests.helpers.compiled import uncompiled
from tests.selection.documents import REFINED, lines, scored, table, without

HAY = "The first hay was late this year, since June was wet."
RAIN = "It rained on all but four days until the month was over."


def kept(html: str, *dropped: str) -> list[str]:
    return lines(without(html, *dropped))


def test_a_copy_for_another_screen_is_dropped_with_its_short_neighbours() -> None:
    part = f"<h2>June</h2><p>{HAY}</p><p>By hand.</p><p>{RAIN}</p>"
    html = f"<div class=desktop>{part}</div><div class=mobile>{part}<p>Menu</p></div>"
    assert kept(html) == ["June", HAY, "By hand.", RAIN, "Menu"]


def test_a_quoted_post_is_dropped_and_the_answer_stays() -> None:
    html = (
        f"<div class=post><p>{HAY}</p></div><div class=post><blockquote>{HAY}</blockquote><p>So it was here.</p></div>"
    )
    assert kept(html) == [HAY, "So it was here."]


def test_a_sentence_that_is_quoted_is_dropped_wherever_the_quote_is() -> None:
    text = f"Well. {HAY} We waited."
    assert kept(f"<p>{text}<blockquote>{HAY}</blockquote><p>So it was here.") == [text, "So it was here."]
    assert kept(f"<div><blockquote>{HAY}</blockquote></div><p>So it was.<p>{text}") == ["So it was.", text]


def test_a_quote_stays_if_only_another_quote_or_something_dropped_says_the_same() -> None:
    longer = f"{HAY} We waited."
    assert kept(f"<blockquote>{longer}</blockquote><div><blockquote>{HAY}</blockquote></div>") == [longer, HAY]
    assert kept(f"<p>{longer}<blockquote>{HAY}</blockquote>", longer) == [HAY]
    short = "We waited."
    assert kept(f"<p>{longer}<blockquote>{short}</blockquote>") == [longer, short]


def test_a_long_heading_is_no_refrain() -> None:
    html = "".join(f"<li><h3>{HAY}</h3><p>{name}</p></li>" for name in ("North", "South", "West"))
    assert kept(f"<ul>{html}</ul>") == [HAY, "North", "South", "West"]


def test_three_copies_side_by_side_are_one() -> None:
    assert kept(f"<div><p>{HAY}<p>{HAY}<p>{HAY}<p>End</div>") == [HAY, "End"]


def test_the_copy_in_sight_is_the_one_that_stays() -> None:
    document = without(f"<div hidden><p>{HAY}</p></div><div><p>{HAY}</p></div>")
    assert document.kept.tolist() == [False, True]
    assert kept(f"<div hidden><p>{HAY}</p></div><div hidden><p>{HAY}</p></div>") == [HAY]


def test_a_copy_of_what_is_dropped_stays() -> None:
    page = Page.from_html(f"<nav><p>{HAY}</p></nav><main><p>{HAY}</p></main>")
    assert without_repeats(cut(page), np.array([False, True])).tolist() == [False, True]


@pytest.mark.parametrize(
    "html",
    [
        f"<div><p>First.<p>{HAY}<p>Second.<p>{HAY}<p>Third.<p>{HAY}</div>",
        f"<div>First.<br><br>{HAY}<br><br>Second.<br><br>{HAY}</div>",
    ],
)
def test_refrains_stay(html: str) -> None:
    assert kept(html).count(HAY) == html.count(HAY)


def test_what_entries_of_a_list_have_in_common_stays() -> None:
    html = "".join(f"<li><h3>{name}</h3><p>{HAY}</p></li>" for name in ("North", "South", "West"))
    assert kept(f"<ul>{html}</ul>").count(HAY) == 3


def test_an_entry_that_is_there_twice_is_dropped_once() -> None:
    html = "".join(f"<li><h3>{name}</h3><p>{HAY}</p></li>" for name in ("North", "North"))
    assert kept(f"<ul>{html}</ul>") == ["North", HAY]


@pytest.mark.parametrize("text", ["Seven words are not enough for this.", "干草今年晚了，因为六月多雨。"])
def test_short_texts_may_repeat(text: str) -> None:
    assert kept(f"<div><p>{text}</p></div><div><b>x</b><section><p>{text}</p></section></div>").count(text) == 2


def test_languages_without_spaces_repeat_too() -> None:
    text = "今年第一批干草收得晚，因为六月一直下雨，大家都在等天晴。"
    assert kept(f"<div><p>{text}</p></div><div><section><p>{text}</p></section></div>") == [text]


def test_cells_and_code_may_repeat() -> None:
    cells = table(("crop text", *(f"crop{number} {HAY.replace(' ', '_')}" for number in range(4)))).replace("_", " ")
    assert kept(cells).count(HAY) == 4
    code = f"<div><pre>{HAY}</pre></div><section><pre>{HAY}</pre></section>"
    assert kept(code).count(HAY) == 2


def test_the_column_names_the_first_block_with_the_same_text() -> None:
    blocks = Blocks.of((HAY, 0), (RAIN, 0), ("Menu", 0), (HAY, 0), ("Menu", 0), (HAY, 0), (RAIN.upper(), 0))
    assert blocks.repeats().tolist() == [-1, -1, -1, 0, -1, 0, -1]
    assert blocks.repeats(among=np.arange(len(blocks)) > 0).tolist() == [-1, -1, -1, -1, -1, 3, -1]
    assert Blocks.of().repeats().tolist() == []


@given(st.lists(st.text("ab 木\U0001f33e", max_size=40), max_size=12))
def test_the_column_is_the_same_compiled_and_as_plain_python(texts: list[str]) -> None:
    blocks = Blocks.of(*((text * 3, 0) for text in texts))
    found = blocks.repeats()
    repeats, slots = np.empty(len(blocks), np.int32), np.zeros(2 * len(blocks) + 1, np.int32)
    columns = (blocks.start, blocks.end, np.ones(len(blocks), np.uint8))
    uncompiled(fast_repeats).fill_repeats(blocks.text, *columns, WORD_CLASSES, REPEATED_WORDS, slots, repeats)
    assert found.tolist() == repeats.tolist()
    strings = blocks.strings()
    for number, first in enumerate(found.tolist()):
        assert first < 0 or (first == strings.index(strings[number]) < number)


SHAPES: dict[str, Callable[[int], str]] = {
    "copies in one parent": lambda n: f"<p>{HAY}" * n,
    "copies in each other": lambda n: f"<div><p>{HAY}</p>" * n,
    "entries": lambda n: f"<li><h3>x</h3><p>{HAY}</p></li>" * n,
    "deep entries": lambda n: f"<li>{'<div>' * 40}<p>{HAY}</p>{'</div>' * 40}</li>" * (n // 10),
    "pages twice": lambda n: 2 * f"<div>{''.join(f'<p>{i} {HAY}<p>x' for i in range(n // 4))}</div>",
    "texts that end differently": lambda n: "".join(f"<p>{HAY} {i:09} {HAY}" for i in range(n)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_cost_grows_no_faster_than_the_page(shape: str) -> None:
    small, large = (cut(Page.from_html(SHAPES[shape](size))) for size in (2_000, 2_000 * FACTOR))

    def drop_repeats(blocks: Blocks) -> None:
        without_repeats(blocks, np.ones(len(blocks), np.bool_))

    assert exponent(lambda: drop_repeats(small), lambda: drop_repeats(large)) < LINEAR


def test_no_word_is_lost_from_the_page() -> None:
    html = f"<p>{HAY}</p><div><p>{HAY}</p><p>{RAIN}</p></div><aside hidden><p>{RAIN}</p></aside>"
    assert set(scored(html, lambda _: 0.1, REFINED).text.split()) == {*HAY.split(), *RAIN.split()}


@pytest.mark.parametrize(("quote", "stays"), [("one two three four five six seven", True), ("a b c d e f g h", False)])
def test_a_quote_of_eight_words_of_the_page_is_a_repetition(quote: str, stays: bool) -> None:
    document = without(f"<p>Well, {quote}, as they say.<blockquote>{quote}</blockquote><p>Here too.")
    assert (f"\n{quote}\n" in document.text) is stays
