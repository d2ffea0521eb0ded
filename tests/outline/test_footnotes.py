"""Footnotes: a reference is written only with its note, and a note only with a reference."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Document, Page, extract
from dehusk.outline import kinds
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import Container, LeafBlock
from dehusk.outline.nodes import FootnoteReference
from tests.formats.test_words import differences
from tests.helpers.cuts import at_random
from tests.selection.documents import without

PAGES = {
    "a note in a note that has no other text": '<p>a<a href="#fn1">1</a> b<a href="#fn2">2</a>'
    '<div id="fn1"><p id="fn2">to and</p></div>',
    "a note in a note with text around it": '<p>a<a href="#fn1">1</a> b<a href="#fn2">2</a>'
    '<div id="fn1">before<p id="fn2">to and</p>after</div>',
    "notes in links that are open": '<a href="#fn_293">1<a href="#fn_298">,the of<p><a name="fn_293">'
    '<marquee><p><a name="fn_298">to and',
    "what leads to a paragraph in a note is no reference": '<p>a<a href="#fn1">1</a> b<a href="#fn2">two words</a>'
    '<div id="fn1"><p id="fn2">to and</p></div>',
    "a note in a reference": '<p>a<a href="#fn1">1</a></p><a href="#fn2"><p id="fn1">2</p></a><p id="fn2">to and',
    "a reference in a reference": '<a href="#fn1">1<object><a href="#fn2">2</a></object></a><p id=fn1>a<p id=fn2>b',
    "a note in code": '<p>a<a href="#fn1">1</a><pre>b<div id="fn1">to and</div></pre>',
    "a reference in code": '<pre>a <a href="#fn1">1</a></pre><p id="fn1">to and',
    "a note in a formula": '<p>a<a href="#fn1">1</a> <math alttext=x><mtext><p id="fn1">to and</p></mtext></math>',
    "a note that is a formula": '<p>a<a href="#fn1">1</a><div id="fn1" class="katex"><math alttext=x>x</math></div>',
    "a reference in a formula": '<p><math alttext="x"><mtext><a href="#fn1">1</a></mtext></math> a<p id="fn1">to and',
}


def labels(document: Document) -> tuple[set[str], Counter[str]]:
    """Return the labels of the references that are written, and those of the notes."""
    references: set[str] = set()
    notes: Counter[str] = Counter()
    for event in outline(document).events:
        if isinstance(event, Container) and event.kind == kinds.FOOTNOTE:
            notes[event.label] += 1
        elif isinstance(event, LeafBlock) and not isinstance(event.content, str):
            references |= {run.content.label for run in event.content if isinstance(run.content, FootnoteReference)}
    return references, notes


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_references_and_notes_are_written_together(html: str) -> None:
    document = extract(html, method="alltext")
    references, notes = labels(document)
    assert notes == Counter(references)
    assert differences(document) == {}


def test_a_reference_to_a_note_that_is_dropped_is_plain_text() -> None:
    html = '<p>It rained<a href="#n1">1</a> all day.</p><ol><li id="n1">A note that is dropped.</li></ol>'
    assert without(html, "A note that is dropped.").markdown() == "It rained 1 all day."


def test_the_inner_of_two_notes_keeps_its_reference() -> None:
    document = extract(PAGES["a note in a note with text around it"], method="alltext")
    assert document.markdown() == "a1 b[^2]\n\nbefore\n\n[^2]: to and\n\nafter"


def test_a_reference_in_a_note_leads_to_another() -> None:
    html = '<p>a<a href="#fn1">1</a><ol><li id=fn1><p>b<sup id="r2"><a href="#fn2">2</a></sup><li id=fn2>c'
    document = extract(f'{html} <a href="#r2">2</a>', method="alltext")
    assert document.markdown() == "a[^1]\n\n[^1]: b[^2] &#32;\n\n[^2]: c 2"  # one word alone would be an address


markup = st.sampled_from(
    [
        *(f'<a href="#fn{number}">{number}</a>' for number in range(3)),
        *(f'<{tag} id="fn{number}">' for tag in ("p", "div", "li") for number in range(3)),
        *('<a href="#fn1">', "<marquee>", "</marquee>", "<sup>", "</sup>", "</a>", "</div>", "</p>", "<ol>", "</ol>"),
        *("<pre>", "</pre>", '<math alttext="x"><mtext>', "</math>", "<div>", "word ", "1", " ", "<blockquote>"),
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(markup, max_size=20).map("".join), st.randoms(use_true_random=False))
def test_no_markup_parts_references_from_notes(html: str, random: Random) -> None:
    page = Page.from_html(html)
    for document in (extract(page, method="alltext"), at_random(page, random)):
        references, notes = labels(document)
        assert notes == Counter(references)
        assert differences(document) == {}
