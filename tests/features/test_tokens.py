import numpy as np
import pytest

from dehusk import Page
from dehusk.blocks import cut
from dehusk.features.tokens import BITS, AttributeTokens, TokenVocabulary, unpacked
from dehusk.methods.kernel.features import page_features

WORDS = ("article", "body", "comment", "content", "main", "menu", "nav", "navigation", "post", "sidebar")
VOCABULARY = TokenVocabulary.of(WORDS)


def tokens(page: str | Page, vocabulary: TokenVocabulary = VOCABULARY) -> AttributeTokens:
    page = Page.from_html(page) if isinstance(page, str) else page
    return page_features(page, cut(page), vocabulary).tokens


def named(bits: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> list[list[str]]:
    return [[WORDS[place] for place in np.flatnonzero(row)] for row in unpacked(bits, len(WORDS))]


@pytest.mark.parametrize(
    ("attribute", "found"),
    [
        ("menu", ["menu"]),
        ("main-menu", ["main", "menu"]),
        ("main_menu2", ["main", "menu"]),
        ("main menu\tpost", ["main", "menu", "post"]),
        ("mainMenu", ["main", "menu"]),
        ("MainMenu", ["main", "menu"]),
        ("MAIN", ["main"]),
        ("MAINMenu", ["main", "menu"]),
        ("mainmenu", []),  # no way to tell where one ends
        ("menus", []),
        ("menü menu", ["menu"]),
        ("", []),
        ("123 - é木", []),
    ],
)
def test_attributes_are_taken_apart_at_capitals_and_at_all_but_letters(attribute: str, found: list[str]) -> None:
    assert VOCABULARY.known(attribute) == found


def test_tokens_of_up_to_thirteen_letters_are_known() -> None:
    vocabulary = TokenVocabulary.of(["abcdefghijklm"])
    assert vocabulary.known("abcdefghijklm") == ["abcdefghijklm"]
    assert vocabulary.known("abcdefghijklmn") == []
    assert vocabulary.known("ABCDEFGHIJKLMNav") == []


def test_a_vocabulary_larger_than_one_number_finds_every_word() -> None:
    many = [a + b for a in "abcdefghijkl" for b in "nopqrstuvwxyz"]
    vocabulary = TokenVocabulary.of(many)
    assert len(many) > 2 * BITS
    assert [vocabulary.known(word) for word in many] == [[word] for word in many]
    assert vocabulary.known(" ".join(reversed(many))) == many
    assert vocabulary.bits(many).tolist() == [2**BITS - 1, 2**BITS - 1, 2 ** (len(many) - 2 * BITS) - 1]


def test_bits_of_words_leave_out_those_that_are_not_known() -> None:
    assert VOCABULARY.bits(["body", "nonsense", "article"]).tolist() == [0b11]


def test_an_empty_vocabulary_finds_nothing() -> None:
    assert TokenVocabulary.of([]).known("menu") == []
    assert tokens("<p class=menu>a", TokenVocabulary.of([])).nearby.shape == (1, 0)


def test_class_id_role_and_itemprop_are_read_and_nothing_else() -> None:
    read = "class=main id=post role=navigation itemprop=articleBody"
    found = tokens(f"<div {read} title=menu data-x=sidebar aria-label=nav>a</div>")
    assert named(found.nearby) == [["article", "body", "main", "navigation", "post"]]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div class=menu>a</div><div class=post>b</div><div>c</div>", [["menu"], ["post"], []]),
        ("<p class=post><span class=menu>a</span> b", [["post"]]),  # inline elements say nothing about their block
        ("<noscript><div id=menu><p>a</p></div></noscript><p>b", [["menu"], []]),
        (
            "<div class=post id=menu><p>a</div><div class=post><p>b</div><p class=post>c",
            [["menu", "post"], ["post"], ["post"]],  # an equal class does not bring the id of the first
        ),
    ],
)
def test_the_tokens_of_a_block_are_those_of_the_elements_above_it(html: str, expected: list[list[str]]) -> None:
    assert named(tokens(html).nearby) == named(tokens(html).anywhere) == expected


def test_nearby_is_the_element_that_holds_a_block_and_two_above_it() -> None:
    found = tokens("<div class=main><div class=content><div class=post><p class=article>a</p></div></div></div>")
    assert named(found.nearby) == [["article", "content", "post"]]
    assert named(found.anywhere) == [["article", "content", "main", "post"]]


def test_html_and_body_speak_of_the_page() -> None:
    found = tokens("<html id=main><body class='post menu'><p class=content>a<p>b")
    assert named(found.page[None]) == [["main", "menu", "post"]]
    assert named(found.anywhere) == [["content"], []]


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (Page.from_html(""), 0),
        (Page.from_bytes(b"%PDF-1.4"), 0),
        (Page.from_html("<p>a"), 1),
        (Page.from_text("class=menu\nmain"), 2),
    ],
    ids=["empty", "refused", "one block", "plain text"],
)
def test_pages_with_little_or_no_tree_have_no_tokens(page: Page, count: int) -> None:
    found = tokens(page)
    assert named(found.nearby) == named(found.anywhere) == [[]] * count
    assert not found.page.any()


def test_a_class_of_the_body_says_something_on_another_element() -> None:
    found = tokens("<body class=post><p>a<p class=post>b")
    assert named(found.page[None]) == [["post"]]
    assert named(found.anywhere) == [[], ["post"]]
