"""What is written: no invisible characters, no glosses, and blanks between words that a style sheet sets apart."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Document, Page, Scores, extract, formats
from dehusk.assemble import assemble
from dehusk.formats import Look
from dehusk.models.registry import method
from dehusk.selection import Selection
from dehusk.writing import fast_edits, originals, steps
from dehusk.writing.composed import compositions
from dehusk.writing.edits import Edit, Edits
from dehusk.writing.fast_touching import touching_leaves
from dehusk.writing.glued_words import separators
from dehusk.writing.invisible import INVISIBLE, VISIBLE, has_invisible, removals
from dehusk.writing.marks import BLOCK_MARKS, CLASS_MARKS, marks
from testing.readback import READERS, words
from tests.formats.test_words import differences, odd
from tests.helpers.compiled import uncompiled
from tests.helpers.cuts import by_leaf


def separated(document: Document) -> Document:
    """Return a document as if its method wanted glued words apart; no title is added to it."""
    return replace(document, selection=Selection(refine=True, headline="drop"))


def whole_document(source: str | Page) -> Document:
    return separated(extract(source, method="alltext"))


def written(html: str) -> str:
    return whole_document(html).text


def whole(page: Page) -> list[tuple[int, int]]:
    return [(0, len(page.text))]


def shown(document: Document, look: Look | None = None) -> dict[str, list[str]]:
    """Return the words that each format shows, but for the report, which has those of the whole page."""
    look = look or Look()
    return {
        name: words(read[0](formats.render(document, name, look=look)))
        for name, read in READERS.items()
        if name != "report"
    }


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<span>For agents</span><span>Automate</span>", "For agents Automate"),
        ("<b>Terrence O'Brien</b><span>Mar 7</span>", "Terrence O'Brien Mar 7"),
        ("<label>Adhesive pads</label><span>158</span>", "Adhesive pads 158"),
        ("<span>$99</span><span>MSRP: $120</span>", "$99 MSRP: $120"),
        ("<a href=/fish>fish</a><a href=/chips>chips</a><a href=/1>1</a><a href=/2>2</a>", "fish chips 1 2"),
        ("<a href=/a>खबर</a><a href=/b>वीडियो</a>", "खबर वीडियो"),
        ("<span>updated</span><time>today</time>", "updated today"),
        ("<b>It was a long day.</b><span>Then it rained.</span>", "It was a long day. Then it rained."),
        ("<b>Wolf</b><i></i><img src=a><i><u>Goat</u></i>", "Wolf Goat"),
        ("<b>Item number:</b><span>404928</span>", "Item number: 404928"),
        ("<b>Abstract:</b><span>merging</span>", "Abstract: merging"),
        ("<b>Rated 5 out of 5 stars.</b><span>12 votes</span>", "Rated 5 out of 5 stars. 12 votes"),
        ("<b>(255)</b><span>In stock</span>", "(255) In stock"),
        ("<b>NEMO</b><span>Aurora</span> <b>EUR</b><span>11</span>", "NEMO Aurora EUR 11"),
        ("<b>was</b><s>$12</s> <b>puis</b><s>€12</s>", "was $12 puis €12"),
    ],
)
def test_words_that_a_style_sheet_sets_apart_have_a_blank_between_them(html: str, text: str) -> None:
    assert written(f"<p>{html}") == text


@pytest.mark.parametrize(
    "html",
    [
        "<b>H</b>ello",
        "<span>T</span>he planarian",
        "<span>un</span>likely",
        "day<i>s</i>",
        "<b>S</b><b>M</b><b>A</b><b>R</b><b>T</b>",
        "<span>D</span><span>e</span><span>p</span><span>loy</span>",
        "READ MO<b>RE</b>",
        "i<b>Phone</b>",
        "CO<sub>2</sub>Levels",
        "Indigo<sup>2</sup>",
        "the end.<sup>1</sup>",
        "21<sup>ST</sup>",
        "H<small>2</small>O",
        "Fe<span>3</span>",
        "4<b>K</b>",
        "$2,898<span>00</span>",
        "#<b>GameOfThrones</b>",
        "<s>@</s><b>somebody</b>",
        "<span>itertools.</span><span>Counter</span>",
        "<code>get</code><code>Value</code>",
        "<code>get<b>Value</b></code>",
        '<span class="katex"><span>sin</span><span>Alpha</span></span>',
        "<math><mi>sin</mi><mi>Alpha</mi></math>",
        '<a href="/bacon">b</a><a href="/bacon">acon</a>',
        "foo<wbr>Bar",
        "one<!-- -->Two",
        "<b>東京</b><span>大阪</span><a href=/a>京</a><a href=/b>都</a>",
        "<b>(see</b><i>)</i>",
        "<b>12:</b>30",
        "<b>std:</b>:<i>vector</i>",
        "<b>a:</b>b",
        "<b>版本:</b><i>Win8</i>",
        "<b>version 2.</b><i>5</i>",
        "<b>f(x)</b>-1",
        "<b>2</b>nde",
        "<b>US</b>$5",
        "<b>W</b><b>ORD</b><i>press</i>",
    ],
)
def test_real_words_are_not_torn(html: str) -> None:
    page = Page.from_html(f"<p>{html}")
    assert whole_document(page).text == page.text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>Hay<a href=#hay>¶</a></h2><p>Cut it.", "Hay\nCut it."),
        ("<h2><a href=#hay>#</a> Hay</h2><p>Cut it.", "Hay\nCut it."),
        ("<dt>Hay<a href=#hay>§</a></dt><dd>Cut grass", "Hay\nCut grass"),
        (
            "<h2>Hay<span class=mw-editsection><span>[</span><a href=/e>edit</a><span>]</span></span></h2><p>Cut it.",
            "Hay\nCut it.",
        ),
        ("<div><h2>Hay</h2><span class=mw-editsection>[<a href=/edit>edit</a>]</span></div><p>Cut it.", "Hay\nCut it."),
        ("<p>13 hours<span class='x sr-only'> hours</span>, <i>now</i>", "13 hours, now"),
        ("<p><s>7 €</s> <span class=screen-reader-text>Once <b>7 €.</b></span><b>5 €</b>", "7 € 5 €"),
        ("<h2><span class=sr-only>Hay</span></h2><p>Cut it.", "Hay\nCut it."),
        ("<p><span class=sr-only>Cut it.</span>", "Cut it."),
        ("<p>See <a href=/1>#</a> and <a href=/2>§</a> and [edit].", "See # and § and [edit]."),
        ("<p>A ¶ is a pilcrow.", "A ¶ is a pilcrow."),
        ("<p class=sr-only>Cut <b>it.</b>", "Cut it."),  # a block, on which the selection decides
    ],
)
def test_marks_that_a_page_puts_into_its_text_are_left_out(html: str, text: str) -> None:
    assert written(html) == text
    assert extract(html, method="alltext").text == Page.from_html(html).text


def test_code_gets_no_blank_and_keeps_its_white_space() -> None:
    assert written("<pre>\ufeffif <b>get</b><i>Value</i>:\n\u200b    pass</pre>") == "if getValue:\n    pass"


def test_a_blank_goes_between_blocks_that_touch_too() -> None:
    document = by_leaf("<p><a href=/a>fish &amp;</a><a href=/b>chips.</a><b>Good</b>", [0.0, 0.0, 0.0])
    assert document.page.text == "fish &chips.Good"
    document = separated(by_leaf("<p><span>a long day.</span><b>Then it rained</b>", [0.0, 0.0]))
    assert document.text == document.markdown().replace("*", "") == "a long day. Then it rained"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("co\u00adoper\u00adate", "cooperate"),
        ("\ufeffRain\u2060fall", "Rainfall"),
        ("fish \u200b and\u200b chips \u200b", "fish and chips"),
        ("fish<b>\u200b and</b> <i>\u200b</i> chips", "fish and chips"),
        ("One</p><p>\u200b</p><p>\u200bTwo<br>\u200b<br>Three", "One\nTwo\nThree"),
        ("word\u200c \u200c \u200d end", "word end"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("שלום\u200f!", "שלום\u200f!"),
        ("ภาษา\u200bไทย", "ภาษา\u200bไทย"),
        ("ភាសា\u200bខ្មែរ", "ភាសា\u200bខ្មែរ"),
        ("東\u200b京", "東京"),
        ("ᠮᠣᠩᠭᠣᠯ\u180eᠠ", "ᠮᠣᠩᠭᠣᠯ\u180eᠠ"),
        ("a\u180eb", "ab"),
    ],
)
def test_characters_that_nobody_sees_are_left_out_unless_a_script_needs_them(html: str, text: str) -> None:
    assert written(f"<p>{html}</p>") == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です", "漢字です"),
        ("<ruby> 東 <rt>とう</rt> 京 <rt>きょう</rt> </ruby>へ", "東京へ"),
        ("<ruby><ruby>東<rt>a</rt></ruby><rt>b</rt></ruby>", "東"),
        ("<ruby>HTML <rt>markup</rt></ruby> is old", "HTML is old"),
        ("<ruby><rt>alone</rt></ruby>", "alone"),
        ("a <rt>stray</rt>", "a stray"),
    ],
)
def test_glosses_are_left_out_beside_their_words(html: str, text: str) -> None:
    assert written(f"<p>{html}") == text


PAGE = (
    "<h1>Sun\u00adday</h1><p><span>For agents</span><span>Automate</span> <b>\u200bit</b></p><p>\u200b</p>"
    "<ul><li><a href=/a>one</a><a href=/b>two</a></ul><p>きょうは<ruby>雨<rt>あめ</rt></ruby>です。</p>"
    "<table><tr><th>Num<b>\u00ad</b>ber<th>B<tr><td>1<td><i>two</i><time>3</time></table>"
)


def test_all_formats_write_the_same_words() -> None:
    document = whole_document(PAGE)
    expected = words("Sunday For agents Automate it one two きょうは雨です。 Number B 1 two 3")
    assert shown(document) == dict.fromkeys(set(READERS) - {"report"}, expected)
    assert words(READERS["report"][0](document.render("report"))) == expected
    assert (
        words(" ".join(chunk.text for chunk in document.chunks(300)).translate(str.maketrans("", "", "*#-|")))
        == expected
    )


def test_offsets_are_those_of_the_page() -> None:
    document = whole_document(PAGE)
    blocks = json.loads(document.render("json", every=True))["blocks"]
    page = document.page
    assert [page.text[block["start"] : block["end"]] for block in blocks] == document.blocks.strings()
    assert page.html[slice(*blocks[0]["source"])] == "Sun\u00adday"
    assert [block["text"] for block in blocks][:4] == ["Sunday", "For agents Automate it", "", "one two"]
    places = [page.text[slice(*chunk.span)] for chunk in document.chunks(3)]
    assert VISIBLE.findall("".join(places)) == VISIBLE.findall(page.text)


def test_a_page_of_nothing_that_can_be_seen_has_a_reason() -> None:
    document = whole_document("<p>\u200b</p><p>\u00ad \ufeff</p>")
    assert (document.text, str(document.reason)) == ("", "no main text")
    assert document.markdown() == ""


def test_the_composed_form_is_written_on_request() -> None:
    html = "<p>Cafe\u0301 <b>u</b>\u0308ber \u1112\u1161\u11ab <i>=\u0338</i>"
    document = whole_document(html)
    assert document.markdown() == "Cafe\u0301 **u**\u0308ber \u1112\u1161\u11ab *=\u0338*"
    assert document.markdown(nfc=True) == "Café **ü**ber 한 *≠*"
    assert set(map(tuple, shown(document, Look(nfc=True)).values())) == {("Café", "über", "한", "≠")}
    assert normalize("NFC", document.text) == document.render("text", nfc=True)


strange = st.lists(
    st.one_of(
        odd,
        st.sampled_from(["<span>", "</span>", "<time>", "<ruby>", "<rt>", "</ruby>", "Ab", "cd", "7", "e\u0301", " "]),
        st.sampled_from(list(INVISIBLE)),
    ),
    max_size=20,
).map("".join)
# Among these are marks of a page.
marked = st.lists(
    st.sampled_from([
        "<span class=sr-only>", "<span>", "</span>", "<a href=#x>", "</a>", "¶", "#", " ", "Ab", "<h2>", "</h2>", "<p>",
        "<span class=mw-editsection>", "[", "<div class=sr-only>", "</div>", "\u00ad", "<b>", "</b>", "7", "<li>",
    ]),
    max_size=20,
).map("".join)  # fmt: skip
many = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(strange | marked, st.booleans())
def test_no_format_differs_on_strange_pages(html: str, every: bool) -> None:
    document = whole_document(Page.from_html(html, url="https://example.org/"))
    assert differences(document, every=every) == {}
    assert document.text.split() == document.written().text.split()


@many
@given(strange)
def test_only_what_nobody_sees_is_removed_and_only_blanks_are_added(html: str) -> None:
    page = Page.from_html(re.sub("</?r(?:uby|t)>", "", html))
    text = whole_document(page).text
    assert VISIBLE.findall(text) == VISIBLE.findall(page.text)
    assert set(filter(str.isspace, text)) <= {" ", *page.text}


@many
@given(marked)
def test_the_compiled_search_for_marks_finds_what_the_plain_one_does(html: str) -> None:
    page = Page.from_html(html)
    leaves, elements = page.leaves, page.elements
    columns = (leaves.start, leaves.end, leaves.state, leaves.element, elements.tag, elements.node, elements.parents)
    plain, known = uncompiled("dehusk.writing.fast_marks"), np.zeros(len(elements), np.uint8)
    found = plain.marked_leaves(page.text, whole(page), *columns, BLOCK_MARKS, CLASS_MARKS, known)
    assert marks(page, whole(page)) == [(leaves.start[leaf], leaves.end[leaf]) for leaf in found]


@many
@given(strange, st.booleans())
def test_what_is_written_needs_no_more_edits_and_has_whole_leaves(html: str, nfc: bool) -> None:
    page = Page.from_html(html)
    for _, edited in steps(page, whole(page), nfc=nfc):
        page = edited
        leaves = page.leaves
        assert (leaves.start < leaves.end).all()
        assert (leaves.end[:-1] <= leaves.start[1:]).all()
        assert len(leaves.gap) == len(leaves.start)
        gaps = [page.text[end:start] for (_, end), (start, _) in pairwise(zip(leaves.start, leaves.end, strict=True))]
        assert not "".join(gaps).strip()
    assert compositions(page.text) == [] if nfc else list(steps(page, whole(page))) == []


@many
@given(strange)
def test_spans_lead_back_to_the_page(html: str) -> None:
    page = Page.from_html(re.sub("</?r(?:uby|t)>", "", html))
    after = ([page, *(edited for _, edited in steps(page, whole(page)))])[-1]
    back = originals(page, whole(page))
    for start, end in zip(after.leaves.start.tolist(), after.leaves.end.tolist(), strict=True):
        left, right = back((start, end))
        assert VISIBLE.findall(page.text[left:right]) == VISIBLE.findall(after.text[start:end])


def test_places_go_with_the_text_around_them() -> None:
    text, edits = "abcdef", Edits([Edit(1, 3, "x"), Edit(4, 4, " "), Edit(5, 6, "")])
    assert edits.text(text) == "axd e"
    assert [edits.span((place, 6))[0] for place in range(7)] == [0, 1, 2, 2, 4, 5, 5]
    assert [edits.span((0, place))[1] for place in range(7)] == [0, 1, 2, 2, 3, 5, 5]
    assert edits.reversed(text).text("axd e") == text


@many
@given(strange, st.randoms(use_true_random=False))
def test_the_compiled_scan_finds_what_the_plain_one_does(html: str, random: object) -> None:
    page = Page.from_html(html)
    leaves = page.leaves
    plain = uncompiled("dehusk.writing.fast_touching").touching_leaves
    edges = sorted(random.randrange(len(page.text) + 1) for _ in range(6))  # type: ignore[attr-defined]
    for spans in ([], [(0, len(page.text))], list(zip(edges[::2], edges[1::2], strict=True))):
        columns = (page.text, spans, leaves.start, leaves.gap, leaves.state, leaves.element)
        assert touching_leaves(*columns) == plain(*columns)


@many
@given(strange, st.booleans(), st.randoms(use_true_random=False))
def test_the_compiled_moves_are_those_of_the_plain_ones(html: str, trim: bool, random: Random) -> None:
    page = Page.from_html(html)
    places = sorted(random.sample(range(len(page.text) + 1), min(8, len(page.text) + 1)))
    edits = [Edit(start, end, random.choice(("", " ", "ab"))) for start, end in pairwise(places[::2])]
    leaves, columns = page.leaves, Edits(edits)._columns
    text = Edits(edits).text(page.text)
    found = []
    for module in (fast_edits, uncompiled("dehusk.writing.fast_edits")):
        starts, ends, rows, firsts, lasts = (np.zeros(len(leaves), np.int32) for _ in range(5))
        gaps = np.zeros(len(leaves), np.uint8)
        module.move_spans(text, leaves.start, leaves.end, leaves.state, trim, columns, starts, ends)
        count = module.filled_leaves(starts, ends, leaves.gap, rows, gaps)
        module.leaf_ranges(starts, ends, leaves.start, leaves.end, firsts, lasts)
        found.append([count, *(column.tolist() for column in (starts, ends, rows, gaps, firsts, lasts))])
    assert found[0] == found[1]


def test_deep_nesting_is_left_alone() -> None:
    page = Page.from_html("<p>" + "<i>" * 200 + "agents" + "</i>" * 200 + "<b>Automate</b>")
    assert separators(page, [(0, len(page.text))]) == []
    assert removals(page) == []


def test_a_page_of_which_only_a_gloss_is_kept_has_no_main_text() -> None:
    page = Page.from_html("<ruby>base <rt>gloss</rt></ruby>")
    blocks = method("boilernet").segment(page)
    document = assemble(page, blocks, Scores(blocks, np.array([0.9, 0.1]), "demo"))
    assert (document.text, str(document.reason)) == ("", "no main text")


def test_the_methods_of_the_papers_leave_glued_words_as_they_are() -> None:
    html = "<p><span>For agents</span><span>Auto\u00admate</span>"
    document = extract(html, method="alltext")
    assert document.text == document.markdown() == "For agentsAutomate"


def test_a_joiner_after_white_space_of_any_script_is_not_needed() -> None:
    assert has_invisible("\u3000\u200cx")
    assert not has_invisible("ی\u200cه")


def test_invisible_characters_in_a_row_leave_one_blank() -> None:
    page = Page.from_html("<p>a \u00ad\u200b b")
    assert Edits(removals(page)).text(page.text) == "a b"


def test_a_span_that_is_left_with_nothing_is_no_span() -> None:
    edits = Edits([Edit(0, 2, "")])
    assert edits.spans([(0, 2), (2, 5)], edits.text("xyabc")) == [(0, 3)]
