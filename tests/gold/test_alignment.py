"""Alignment: which blocks the gold text contains."""

import unicodedata
from typing import Literal

import numpy as np
import pytest

from dehusk.gold.alignment import Alignment, gold_shares
from dehusk.gold.word_sequences import IntArray

BODY = "Snow fell on the town all night and the roads were closed until noon."


def spans(*blocks: str) -> tuple[str, IntArray, IntArray]:
    """Return a page with one block per line."""
    sizes = np.array([len(block) for block in blocks], dtype=np.int64)
    start = np.cumsum(sizes + 1) - sizes - 1
    return "\n".join(blocks), start, start + sizes


def shares(blocks: list[str], gold: str) -> list[float]:
    return [round(share, 3) for share in gold_shares(*spans(*blocks), gold).shares.tolist()]


def test_blocks_get_the_share_of_their_words_that_the_gold_has() -> None:
    assert shares(["Home About", BODY, "four words of which half are gold words"], f"{BODY}\nhalf are gold words") == [
        0.0,
        1.0,
        0.5,
    ]


def test_a_menu_is_not_content_because_a_sentence_has_its_words() -> None:
    assert shares(["the", "Town", "roads", BODY, "noon"], BODY) == [0.0, 0.0, 0.0, 1.0, 0.0]


def test_text_that_occurs_twice_is_matched_once_and_as_a_whole() -> None:
    assert sum(shares([BODY, "Menu", BODY], BODY)) == 1.0


def test_gold_in_another_order_than_the_page_is_still_found() -> None:
    blocks = ["Price: 12 euros a month", "Menu", BODY, "Title", "Written by Ann Example"]
    gold = "\n".join([blocks[3], blocks[4], blocks[2], blocks[0]])
    assert shares(blocks, gold) == [1.0, 0.0, 1.0, 1.0, 1.0]


def test_a_short_block_is_found_as_a_whole_line_of_the_gold() -> None:
    assert shares(["Menu", "Specification", "Login", BODY], f"Specification\n{BODY}") == [0.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_unicode_forms_make_no_difference(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> None:
    text = "Čtyři ﬁne “cafés” \u2014 don\u2019t co\u00adope\u200brate in Århus"
    gold = unicodedata.normalize(form, 'čtyři fine "cafés" - don\'t cooperate in ÅRHUS')
    assert shares([text], gold) == [1.0]


@pytest.mark.parametrize(
    "text",
    ["今日は雪が降りました。", "雪下了一整夜，道路封闭。", "หิมะตกทั้งคืน", "ຫິມະຕົກໝົດຄືນ", "ព្រិលធ្លាក់ពេញមួយយប់", "တစ်ညလုံးနှင်းကျ"],
)
def test_languages_without_spaces_are_aligned_by_character(text: str) -> None:
    middle = len(text) // 2
    assert shares([text], text) == [1.0]
    assert 0.2 < shares([text], text[:middle])[0] < 0.8


def test_a_block_without_words_has_no_share() -> None:
    assert np.isnan(gold_shares(*spans("* * *", BODY), BODY).shares).tolist() == [True, False]


@pytest.mark.parametrize(
    ("blocks", "gold", "reason"),
    [
        ([BODY], "", "the gold has no words"),
        ([BODY], " \n — ", "the gold has no words"),
        ([], BODY, "the page has no words"),
        ([BODY], "Quite another text stood here once.", "only 0% of the gold's words were found in the page"),
    ],
)
def test_a_page_that_cannot_be_aligned_says_why(blocks: list[str], gold: str, reason: str) -> None:
    alignment = gold_shares(*spans(*blocks), gold)
    assert (alignment.usable, alignment.reason) == (False, reason)
    assert len(alignment.shares) == len(blocks)


def test_a_page_with_half_of_its_gold_is_usable() -> None:
    alignment = gold_shares(*spans("one two three four"), "one two three four\nfive six seven eight")
    assert alignment.found == 0.5
    assert alignment.usable


def test_overlapping_and_empty_spans_do_no_harm() -> None:
    alignment = gold_shares("one two three", np.array([0, 0, 5]), np.array([13, 0, 5]), "one two three")
    assert alignment.shares[0] == 1.0
    assert np.isnan(alignment.shares[1:]).all()


def test_alignment_without_a_reason_is_usable() -> None:
    assert Alignment(np.ones(1), 1.0).usable
