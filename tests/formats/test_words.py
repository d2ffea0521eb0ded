"""No format loses, doubles, splits or joins words, nor tears paragraphs apart, whatever the method's blocks are."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from dehusk import Document, Extractor, Page, Scores, formats
from dehusk.assemble import assemble
from dehusk.formats import PLAIN, Look
from dehusk.gold.corpora import open_corpus
from dehusk.models.registry import REGISTRY, method
from dehusk.outline.build import outline
from testing.readback import READERS, WITH_OUTLINE, expected_rows, expected_text, words
from testing.samples import sampled
from tests.golden import FOLDERS
from tests.helpers.cuts import at_random, by_leaf, by_spans
from tests.test_invariants import markup

METHODS = [entry.name for entry in REGISTRY]
LOOKS = [PLAIN, Look(links=True, images=True), Look(formatting=False)]


def differences(
    document: Document, *, every: bool = False, look: Look = PLAIN
) -> dict[str, tuple[list[str], list[str]]]:
    """Return the first words that differ, with their neighbours, for each format with a difference."""
    outlined = words(expected_text(document, outline(document, every=every, look=look), every=every, look=look))
    found = {}
    for name, read in READERS.items():
        expected = outlined if name in WITH_OUTLINE else words(expected_rows(document, name, every=every))
        shown = words(read[every](formats.render(document, name, every=every, look=look)))
        if shown != expected:
            places = (place for place, (a, b) in enumerate(zip(expected, shown, strict=False)) if a != b)
            place = next(places, min(len(expected), len(shown)))
            found[name] = expected[max(0, place - 5) : place + 5], shown[max(0, place - 5) : place + 5]
    return found


def test_every_format_is_read_back() -> None:
    assert READERS.keys() == set(formats.names())


@pytest.mark.parametrize("number", range(len(FOLDERS)), ids=lambda number: FOLDERS[number].name)
@pytest.mark.parametrize("name", METHODS)
def test_golden_pages_keep_their_words(number: int, name: str) -> None:
    data = (FOLDERS[number] / "source.html").read_bytes()
    document = Extractor(name).extract(data, url="https://example.org/")
    # Looks do not depend on how a method cuts a page, so all of them on all pages for one method will do.
    for look in LOOKS if name == "alltext" else LOOKS[number % 3 :][:1]:
        assert differences(document, look=look) == {}
        assert differences(document, look=look, every=True) == {}


# Markup that matters to the formats and that the common strategy lacks.
inside = st.sampled_from(
    [
        *("<sup>", "</sup>", "<sub>", "</sub>", "<em>", "</em>", "<strong>", "</strong>", "<del>", "</del>", "<br>"),
        *("<ol>", "</ol>", "<ul>", "</ul>", "<li>", "<dl>", "</dl>", "<dt>", "<dd>", "<blockquote>", "<pre>", "</pre>"),
        *("<code>", "</code>", "<figure>", "<figcaption>", "<caption>", "<tr>", "<td>", "<th>", "</table>", "<hr>"),
        *('<a href="/x">', "</a>", '<a href="#fn1">1</a>', '<li id="fn1">', '<math alttext="x">', "<img src=a.png>"),
        *('<td rowspan="2">', '<th colspan="3">', '<td colspan="2000">', '<ol start="7">', "*a*", "_b_", "`c`", "[d]"),
        *("![e](f)", "<g>", "&h;", "~i~", "$j$", "k\\", "#l", "1.", "2)", "-", "+", ">", "=", "|", ":", "!", "-----"),
        *("1986. ", "\n", " ", "word", "木", "\x01"),
    ]
)
odd = st.lists(st.one_of(inside, markup), max_size=25).map("".join)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd, st.sampled_from(LOOKS), st.booleans())
@example("^<a href=f>C</a>", LOOKS[1], False)
@example("<table><td>a<td>b<tr><td>\\<br>c", LOOKS[0], False)
@example("<table><td>a<script type=math/tex>x</script><td><img src=/><tr><td>", LOOKS[1], False)
def test_odd_markup_keeps_its_words(html: str, look: Look, every: bool) -> None:
    document = Extractor("alltext").extract(Page.from_html(html, url="https://example.org/"))
    assert differences(document, look=look, every=every) == {}


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd, st.sampled_from(LOOKS), st.booleans(), st.randoms(use_true_random=False))
def test_no_cut_loses_or_tears_a_word(html: str, look: Look, every: bool, random: Random) -> None:
    document = at_random(Page.from_html(html, url="https://example.org/"), random)
    assert differences(document, look=look, every=every) == {}
    assert document.text or document.reason
    assert document.spans or not document.text.strip()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd, st.booleans())
@example("\xad", False)
def test_no_method_loses_or_tears_a_word(html: str, every: bool) -> None:
    page = Page.from_html(html, url="https://example.org/")
    for name in METHODS:
        assert differences(Extractor(name).extract(page), every=every) == {}


SPACE_BEFORE_CODE = re.compile(r"<(?:pre|code|listing|xmp|plaintext|textarea)\b[^>]*>(?:<[^>]*>)*(?:\s|&nbsp;)")


def whole(page: Page, name: str) -> Document:
    """Return a page cut by a method, with all of its blocks kept."""
    blocks = method(name).segment(page)
    return assemble(page, blocks, Scores(blocks, np.zeros(len(blocks)), "whole"))


def torn(source: str | bytes) -> list[str]:
    """Return the methods that, with all of a page kept, write it in other lines than another cut would."""
    page = Extractor("alltext").extract(source, url="https://example.org/").page
    documents = {name: whole(page, name) for name in METHODS}
    found = []
    # Without images: whether one is kept depends on the text next to it, which may be white space in one cut alone.
    for look in (PLAIN, Look(links=True), Look(formatting=False)):
        for form in WITH_OUTLINE:
            written = {name: lines(formats.render(document, form, look=look)) for name, document in documents.items()}
            found += [f"{name} {form}" for name in METHODS if written[name] != written["alltext"]]
    return found


def lines(output: str) -> list[list[str]]:
    """Return the words of each line; which white space is between them may depend on where a sentence ends.

    What is before the body of HTML and TEI is left out: so may the language that a few words seem to be in.
    """
    return [line.split() for line in output.rpartition("<body>\n")[2].split("\n")]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_page_is_written_the_same_however_it_is_cut(folder: Path) -> None:
    assert torn((folder / "source.html").read_bytes()) == []


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd)
@example("<p>A was <b>filed</b>.")
@example("<ul><li><b>One</b> item<li>Two. <i>Three.</i> Four")
@example('<code>&nbsp;<math alttext="x">*a*')
@example(";<code>&nbsp;<img src=a.png>*a*")
@example("; אaé;aéaא木é<textarea>a木é.\t<sup><sup><sup><sup><sup><sup>")
def test_no_markup_is_torn_by_a_cut(html: str) -> None:
    assume(not SPACE_BEFORE_CODE.search(html))  # it is in no block of some methods
    assert torn(html) == []


def test_text_nodes_of_one_paragraph_stay_together() -> None:
    html = "<p>A was <b>filed</b>.</p><p><i>B</i> was not.<br>C <u>was</u>"
    document = by_leaf(html, [0.0] * 7)
    assert document.markdown() == "A was **filed**.\n\n*B* was not.\\\nC was"
    assert "<p>A was <strong>filed</strong>.</p>\n<p><em>B</em> was not.<br>C was</p>" in document.html()
    assert '<p>A was <hi rend="bold">filed</hi>.</p>' in document.render("tei")


def test_what_is_dropped_inside_a_paragraph_does_not_divide_it() -> None:
    document = by_leaf("<p>A was <b>not</b> filed.<br>B <i>was</i> too.", [0.0, 1.0, 0.0, 0.0, 1.0, 0.0])
    assert document.text == "A was filed.\nB too."
    assert document.markdown() == "A was filed.\\\nB too."


def test_what_is_dropped_inside_code_is_not_written() -> None:
    document = by_leaf("<pre>one <b>two\n</b> three <i>four</i> five</pre>", [0.0, 1.0, 0.0, 1.0, 0.0])
    assert document.text.split() == ["one", "three", "five"]
    assert document.markdown() == "```\none \n three   five\n```"


def test_annotated_blocks_of_one_paragraph_stay_apart() -> None:
    document = by_leaf("<p>A was <b>filed</b> today.", [0.0, 1.0, 0.25])
    assert document.render("html", every=True).partition("<body>\n")[2].splitlines()[:3] == [
        '<p data-score="0.0000">A was</p>',
        '<p class="boilerplate" data-score="1.0000"><strong>filed</strong></p>',
        '<p data-score="0.2500">today.</p>',
    ]


def test_a_formula_in_several_blocks_is_written_once() -> None:
    html = '<p>Let <span class="katex"><math alttext="x^2"><mi>x</mi> <mn>2</mn></math></span> be.'
    document = by_leaf(html, [0.0] * 4)
    assert document.markdown() == "Let $x^2$ be."
    assert document.render("markdown", every=True) == "Let\n\n$x^2$\n\nbe."


@pytest.mark.parametrize("html", ["<p><math alttext=x>y</math> a 1", "<p>1 <math alttext=x>y</math> 1"])
def test_a_formula_before_a_number_is_read_back(html: str) -> None:
    assert differences(Extractor("alltext").extract(html)) == {}


@pytest.mark.parametrize("html", ["<dl><dt>n<dd><dl><dd>x", "<dl><dt>n</dt><dl>x", "<dl><dt>n<dd><ul><li><dl><dd>x"])
def test_a_definition_that_begins_with_one_without_a_term_has_one_marker(html: str) -> None:
    document = Extractor("alltext").extract(html)
    assert differences(document) == {}
    assert document.markdown().count(":") == 1


def test_white_space_at_the_end_of_a_block_is_kept() -> None:
    page = Page.from_html("<p>one <b>two</b>")
    for spans in ([(0, 4), (4, 7)], [(0, 3), (4, 7)], [(0, 3), (3, 7)]):
        document = by_spans(page, spans, [0.0, 0.0])
        assert differences(document) == {}
        assert document.markdown() == "one **two**"


def test_code_keeps_its_indentation_whatever_the_cut() -> None:
    page = Page.from_html("<pre>  if x:\n      y. z</pre><pre><div>  a</div><div>    b</div></pre>")
    documents = [by_spans(page, [(2, 7), (14, 16), (17, 18), (21, 22), (27, 28)], [0.0] * 5), whole(page, "alltext")]
    for document in documents:
        assert document.markdown() == "```\n  if x:\n      y. z\n```\n\n```\n  a\n    b\n```"


def test_a_page_whose_only_words_go_to_dropped_blocks_says_so() -> None:
    page = Page.from_text("extraordinary")
    document = by_spans(page, [(0, 3), (3, 13)], [0.0, 1.0])
    assert (document.text, str(document.reason)) == ("", "no main text")
    document = by_spans(page, [(0, 3)], [0.0])
    assert (document.text, str(document.reason)) == ("", "no main text")


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1800)
def test_every_page_of_a_corpus_keeps_its_words() -> None:
    wrong, count = {}, 0
    extractor = Extractor()
    for count, page in enumerate(sampled(open_corpus(Path("wcxb-dev")).pages(), 4), 1):
        document = extractor.extract(page.html, url="https://example.org/")
        if found := differences(document, look=LOOKS[count % len(LOOKS)]):
            wrong[page.id] = found
    assert count > 300
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", METHODS)
def test_real_pages_keep_their_words_by_every_method(name: str) -> None:
    wrong, extractor = {}, Extractor(name)
    pages = list(sampled(open_corpus(Path("wcxb-dev")).pages(), 60))
    for number, page in enumerate(pages):
        document = extractor.extract(page.html, url="https://example.org/")
        if found := differences(document, look=LOOKS[number % len(LOOKS)], every=number % 2 > 0):
            wrong[page.id] = found
    assert len(pages) >= 20
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1800)
def test_no_paragraph_of_a_real_page_is_torn() -> None:
    pages = sampled(open_corpus(Path("wcxb-dev")).pages(), 60)
    found = {page.id: torn(page.html) for page in pages}
    assert len(found) >= 20
    assert {page: methods for page, methods in found.items() if methods} == {}
