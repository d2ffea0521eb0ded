"""The 37 features: examples that can be checked by eye, as the paper defines them and as the program counts."""

import re
from html import unescape
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Page
from dehusk.methods.texrex import fast_characters, fast_tags
from dehusk.methods.texrex import features as texrex
from dehusk.methods.texrex.fast_characters import Count
from dehusk.methods.texrex.features import NAMES, cut, texrex_features
from tests.golden import FOLDERS
from tests.helpers.compiled import held, uncompiled
from tests.test_invariants import markup

RAIN = "It rained all day."


def feature(html: str, name: str, *, quirks: bool = False) -> list[float]:
    page = Page.from_html(html)
    return [round(float(value), 4) for value in texrex_features(page, cut(page), quirks=quirks)[NAMES.index(name)]]


def both(html: str, name: str) -> tuple[list[float], list[float]]:
    return feature(html, name), feature(html, name, quirks=True)


class TestCut:
    @pytest.mark.parametrize(
        ("html", "expected"),
        [
            ("<div>a</div>b<p>c", ["a", "b", "c"]),
            ("<p>a <b>b</b><br>c<p>d", ["a b\nc", "d"]),
            ("a<br><br>b<hr>c<ul>d<li>e</ul>f", ["a\nb\nc\nd", "e", "f"]),
            ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", ["a\nb", "c", "d"]),
            ("<dl><dt>a<dd>b</dl><nav>c</nav><aside>d</aside>", ["a\nb\nc\nd"]),
            ("<section>a<article>b</article>c</section>", ["a", "b", "c"]),
            ("a<div><div></div></div>b", ["a", "b"]),
            ("<form>a<p>b</form><pre><code>c</code></pre>", ["a", "b", "c"]),
            ("", []),
        ],
    )
    def test_a_block_lies_between_two_containers_tags(self, html: str, expected: list[str]) -> None:
        assert cut(Page.from_html(html)).strings() == expected

    def test_plain_text_is_cut_by_lines(self) -> None:
        page = Page.from_text("One line.\nAnother.")
        assert cut(page).strings() == ["One line.", "Another."]
        assert np.isfinite(texrex_features(page, cut(page))).all()


class TestText:
    def test_length_is_in_thousands_and_one_short_in_the_original(self) -> None:
        assert both(f"<p>{RAIN}<p>{'x' * 2000}", "Length") == ([0.018, 1.0], [0.017, 1.0])

    def test_share_of_the_page(self) -> None:
        assert both("<p>abc<p>d", "PageProp") == ([0.75, 0.25], [0.6667, 0.3333])

    def test_the_place_in_the_text_is_the_distance_from_its_middle(self) -> None:
        assert feature("<p>ab<p>abcd<p>ab", "PercText") == [0.75, 0.0, 0.75]

    def test_the_place_among_the_blocks_reaches_the_end_except_in_the_original(self) -> None:
        assert both("<p>a<p>b<p>c<p>d<p>e", "PercDiv") == ([1.0, 0.5, 0.0, 0.5, 1.0], [1.0, 0.6, 0.2, 0.2, 0.6])

    def test_punctuation(self) -> None:
        assert both("<p>a,b-c", "PunctProp") == ([0.4], [0.5])

    def test_letters_of_all_scripts_except_in_the_original(self) -> None:
        assert both("<p>ab 木1", "LetterProp") == ([0.6], [0.6667])
        assert feature("<p>木木", "LetterProp") == [1.0]

    def test_numbers(self) -> None:
        assert both("<p>a1 23", "NumberProp") == ([0.6], [1.0])

    def test_tags_of_the_block_are_those_left_over_in_the_original(self) -> None:
        assert feature("<p><b>ab</b>cd</p>", "TagProp") == [0.75]
        assert feature("<p>ab&lt;i&gt;cdef</p>", "TagProp", quirks=True) == [0.125]

    def test_addresses(self) -> None:
        text = "Write to a.b@example.org or www.example.org"
        assert feature(f"<p>{text}", "EmailProp") == [round(1 / len(text), 4)]
        assert feature(f"<p>{text}", "UriProp") == [round(1 / len(text), 4)]

    @pytest.mark.parametrize(
        ("text", "mails", "uris", "hashtags"),
        [
            ("http://www.example.org/#top?a@example.org", 0, 1, 0),
            ("see https://example.org, and ftp://example.org", 0, 2, 0),
            ("a@b @c.d e@ f@g. h@i.j", 1, 0, 0),
            ("#one a#b ## (#two) #3", 0, 0, 2),
            ("awww. www. 10:30 :// a: //b", 0, 0, 0),
        ],
    )
    def test_what_counts_as_an_address(self, text: str, mails: int, uris: int, hashtags: int) -> None:
        counts = np.zeros((1, len(Count)), np.int32)
        span = np.array([[0], [len(text)]], np.int32)
        fast_characters.count_characters(text, span[0], span[1], texrex._classes(), counts)
        found = counts[0, [Count.MAILS, Count.URIS, Count.HASHTAGS]].tolist()
        assert found == [mails, uris, hashtags]

    def test_hashtags_are_never_counted_by_the_original(self) -> None:
        assert both("<p>#news abc", "HashProp") == ([round(1 / 9, 4)], [0.0])

    @pytest.mark.parametrize(
        ("text", "ours", "original"),
        [
            ("in 1999", 1, 0),
            ("in 2015.", 1, 1),
            ("2015 was", 1, 0),
            ("in 2025", 1, 0),
            ("1 20150", 0, 0),
            ("a 2000", 1, 1),
        ],
    )
    def test_years(self, text: str, ours: int, original: int) -> None:
        dark = len(text) - 1 - text.count(" ")
        assert both(f"<p>{text}", "YearProp") == ([round(ours / len(text), 4)], [round(original / dark, 4)])

    def test_anchors_have_an_address_or_in_the_original_a_name_that_begins_with_a(self) -> None:
        html = "<p><a href=/>ab</a><a name=x>cd</a><abbr>ef</abbr></p>"
        assert both(html, "AnchorProp") == ([round(1 / 6, 4)], [round(3 / 5, 4)])

    def test_capitals_are_a_share_of_letters(self) -> None:
        assert feature("<p>NATO is 7", "UpperProp") == [round(4 / 6, 4)]
        assert feature("<p>77", "UpperProp") == [0.0]

    def test_sentences(self) -> None:
        html = f"<p>{RAIN} Why? v1.2 is out!<p>Menu<p>{'abc. ' * 12}"
        assert feature(html, "SentBogus") == [0.0, 1.0, 0.0]
        assert feature(html, "SentCount") == [0.3, 0.1, 1.0]
        assert feature(f"<p>{RAIN} {RAIN}", "SentLength") == [0.185]
        assert feature(f"<p>{RAIN} {RAIN}", "SentLength", quirks=True) == [0.18]
        assert feature(html, "EndsPunct") == [1.0, 0.0, 1.0]

    @pytest.mark.parametrize(
        ("text", "ours", "original"),
        [
            ("He said “Rain.” Then he went. ", (2, 1), (1, 1)),
            ('"Rain," he said. "So be it."', (2, 1), (1, 0)),
            ("„Es regnet!“", (1, 1), (0, 0)),
            ("Wait… what?! v1.2 (see p.5)", (2, 0), (1, 0)),
            ("雨が降った。帰ろう！「はい。」", (3, 1), (0, 0)),
            ("下雨了吗？不", (1, 0), (0, 0)),
            ("هل نزل المطر؟ نعم.", (2, 1), (1, 1)),
            ("वर्षा हुई। चलो॥", (2, 1), (0, 0)),
        ],
    )
    def test_sentences_end_in_every_script(self, text: str, ours: tuple[int, int], original: tuple[int, int]) -> None:
        for (count, ends), quirks in ((ours, False), (original, True)):
            html = f"<p>{text}"
            assert feature(html, "SentCount", quirks=quirks) == [max(count, 1) / 10]
            assert feature(html, "SentBogus", quirks=quirks) == [count == 0]
            assert feature(html, "EndsPunct", quirks=quirks) == [ends]

    def test_the_copyright_sign(self) -> None:
        assert feature("<p>© 2026 A Newspaper<p>a", "Copy") == [1.0, 0.0]


class TestStructure:
    @pytest.mark.parametrize(
        ("doctype", "expected"),
        [
            ("<!doctype html>", (0, 0, 1)),
            ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', (0, 1, 0)),
            ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', (1, 0, 0)),
            ("", (0, 0, 0)),
        ],
    )
    def test_the_doctype_is_one_of_three_or_none(self, doctype: str, expected: tuple[int, ...]) -> None:
        names = ("DtXhtml", "DtHtml4", "DtHtml5")
        assert tuple(feature(f"{doctype}<p>a", name)[0] for name in names) == expected

    def test_the_container_is_the_element_around_a_block_and_in_the_original_the_last_tag(self) -> None:
        html = "<div>a<p>b</p>c<h2>d</h2><ul><li>e</ul></div>"
        assert both(html, "ContDiv") == ([1.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0])
        assert both(html, "ContP") == ([0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0, 0.0])
        assert feature(html, "ContH") == [0.0, 0.0, 0.0, 1.0, 0.0]
        assert feature(html, "ContLi") == [0.0, 0.0, 0.0, 0.0, 1.0]
        assert feature(html, "ContClose") == [0.0, 0.0, 1.0, 0.0, 0.0]

    @pytest.mark.parametrize(
        ("tag", "name"), [("article", "ContArticle"), ("section", "ContSection"), ("blockquote", "ContBlock")]
    )
    def test_other_containers(self, tag: str, name: str) -> None:
        assert both(f"<{tag}>a</{tag}>", name) == ([1.0], [1.0])

    def test_cells_are_containers_and_column_headings_are_not(self) -> None:
        assert feature("<table><tr><td>a</td><tr><th>b</th></table>", "ContTd") == [1.0, 0.0]

    def test_opening_tags_are_a_share_of_all(self) -> None:
        html = "<p>a<b>b</b><img></p>"
        assert feature(html, "OpenProp") == [0.5]
        assert both("<p>a</p>b<!-- c --><p>", "OpenProp") == ([0.0, 1.0], [0.5, 1.0])
        assert both("<p>a<p>b<!-- c --></p>", "OpenProp") == ([1.0, 0.0], [1.0, 0.5])
        assert feature("a", "OpenProp") == [0.0]

    def test_empty_blocks_before_a_block_are_counted(self) -> None:
        # Before a: what precedes the first tag, and what follows each of the three before the last. Before b: two.
        assert feature("<div><div></div><p>a</p></div><p>b", "SkippedDivs") == [0.2, 0.1]

    def test_empty_blocks_pass_on_their_tags_in_the_original(self) -> None:
        html = "<p>a</p><div><a href=/><img></a></div><p>bb</p>"
        assert both(html, "AnchorProp") == ([0.0, 0.0], [0.0, 1.0])


class TestMarkup:
    def test_markup_is_the_source_without_the_text(self) -> None:
        # "abcd" and the six of "<b></b>" less one, and "</p>": 15 characters.
        assert both("<p><b>abcd</b></p>", "MarkupProp") == ([round(11 / 15, 4)], [round(11 / 14, 4)])

    def test_of_a_document_the_original_has_the_share_of_text(self) -> None:
        assert both("<p>abcde</p>", "DocMarkupProp") == ([round(7 / 12, 4)], [round(4 / 12, 4)])

    def test_windows_at_the_edge_have_fewer_neighbours(self) -> None:
        html = "<p>aaaa</p><p>bbbb</p><p>cccc</p>"
        assert feature(html, "MarkupProp") == [0.5, 0.5, 0.5]
        assert feature(html, "Window1") == feature(html, "Window2") == [0.5, 0.5, 0.5]
        html = "<p>aaaa</p><p>bbbbbbbbbbbb</p><p>cccc</p>"
        assert feature(html, "Window1") == [round(8 / 24, 4), round(12 / 32, 4), round(8 / 24, 4)]

    def test_scripts_and_attributes_are_markup(self) -> None:
        html = '<p><script>if (a < b) { "</p>" }</script><i title="a > b">abcd</i></p>'
        assert feature(html, "MarkupProp") == [round(1 - 4 / (len(html) - 3), 4)]

    @pytest.mark.parametrize(
        "html",
        [
            "<p>bread &amp; butter</p><div>&nbsp;cheese</div><p>dough</b>nuts</p>",
            "<div>apples<!-- <p> -->and pears</div><title>Fruit</title><p>cherries",
            "<p>1 < 2 and 3 > 2</p><p>which nobody doubts",
            "<noscript><iframe src=x /></noscript><p>apples</p><p>bananas</p>",
            "<P CLASS='a'>apples</P\n><p\n>bananas</p>",
        ],
    )
    def test_blocks_find_their_own_source(self, html: str) -> None:
        page = Page.from_html(html)
        blocks = cut(page)
        boundaries, before = texrex._boundaries(page)
        ends = boundaries[:, fast_tags.Boundary.END]
        for first, text in zip(blocks.first_leaf.tolist(), blocks.strings(), strict=True):
            place = before[first]
            source = html[ends[place - 1] : ends[place]]
            bare = unescape(re.sub(r"<!--.*?-->|</?[a-zA-Z][^>]*>", "", source))
            assert bare.split() == text.split(), (text, source)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(markup, st.booleans())
def test_any_markup_has_finite_features(html: str, quirks: bool) -> None:
    page = Page.from_html(html)
    blocks = cut(page)
    matrix = texrex_features(page, blocks, quirks=quirks)
    assert matrix.shape == (len(NAMES), len(blocks))
    assert np.isfinite(matrix).all()
    if not quirks:
        assert ((matrix >= 0) & (matrix <= 1) | np.isin(NAMES, ("TagProp", "AnchorProp"))[:, None]).all()


@pytest.mark.parametrize(
    "html",
    [
        "<script>" * 50_000,
        "<p>a@" + "a@" * 100_000,
        "<" * 300_000,
        "<p>" + "</p>" * 200_000 + "a",
        "<p>a" + " " * 500_000 + "b",
        '<a href="' * 100_000,
        "<!--" * 100_000,
        "<p>x<title>" * 20_000,
    ],
    ids=["scripts", "addresses", "brackets", "closing tags", "blanks", "quotes", "comments", "titles"],
)
@pytest.mark.timeout(20)
def test_hostile_markup_takes_linear_time(html: str) -> None:
    page = Page.from_html(html)
    assert np.isfinite(texrex_features(page, cut(page))).all()


@pytest.fixture
def loops_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the compiled functions with their plain twins wherever the features call them."""
    for module in (fast_characters, fast_tags):
        for name, plain in vars(uncompiled(module)).items():
            if isinstance(plain, FunctionType) and hasattr(texrex, name):
                monkeypatch.setattr(texrex, name, held(getattr(module, name), plain))


@pytest.mark.usefixtures("loops_are_held")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_features_of_golden_pages_are_alike_uncompiled(folder: Any) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    texrex_features(page, cut(page))


@pytest.mark.usefixtures("loops_are_held")
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(markup)
def test_features_of_any_markup_are_alike_uncompiled(html: str) -> None:
    page = Page.from_html(html)
    texrex_features(page, cut(page))
