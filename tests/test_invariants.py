"""What holds for every page that anyone will ever send: over generated markup, and from many threads."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Blocks, Extractor, Page, formats
from dehusk.characters import joins_words
from dehusk.document import assemble
from dehusk.models.registry import REGISTRY, method
from dehusk.page.leaves import Elements
from dehusk.page.walk_flags import GLUED
from dehusk.scores import Scores
from tests.golden import FOLDERS

METHODS = [entry.name for entry in REGISTRY]
EXAMPLES = 500  # for each of the properties below, so 2,500 together

# fmt: off
TAGS = [
    "p", "div", "span", "b", "i", "a", "ul", "li", "table", "tr", "td", "th", "h1", "pre", "code", "br", "hr",
    "noscript", "template", "script", "style", "svg", "title", "select", "option", "button", "form", "blockquote",
    "figure", "figcaption", "dl", "dt", "dd", "article", "nav", "section", "body", "head", "html", "frameset",
    "noframes", "math", "textarea",
]
# fmt: on
words = st.text(st.sampled_from("aé 木\n\t<>&;\u00a0\u00adא😀.\x01"), max_size=12)
attributes = st.sampled_from(
    [
        "",
        " hidden",
        " href=x",
        " class='a b'",
        " style='display:none'",
        " colspan=99999999999",
        " aria-hidden=true",
        ' a="<p>"',
    ]
)
opening = st.builds(lambda tag, extra: f"<{tag}{extra}>", st.sampled_from(TAGS), attributes)
closing = st.builds(lambda tag: f"</{tag}>", st.sampled_from(TAGS))
odd = st.sampled_from(
    ["<!--", "-->", "<!doctype html>", "<", "</", "&amp;", "&#x110000;", "&nbsp;", "\r\n", "<![CDATA[", "]]>", "\x00"]
)
markup = st.lists(st.one_of(words, opening, closing, odd), max_size=40).map("".join)
many = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(markup)
def test_leaves_lie_in_order_and_make_up_the_text(html: str) -> None:
    page = Page.from_html(html)
    spans = list(zip(page.leaves.start.tolist(), page.leaves.end.tolist(), strict=True))
    assert all(start < end for start, end in spans)
    for (_, left), (right, _) in pairwise(spans):
        # Only a blank or a line end may stand between two leaves.
        assert right - left in (0, 1)
        assert page.text[left:right] in ("", " ", "\n")
    assert not spans or (spans[0][0], spans[-1][1]) == (0, len(page.text))


@many
@given(markup)
def test_blocks_lie_in_order_hold_words_and_lose_none(html: str) -> None:
    page = Page.from_html(html)
    for name in METHODS:
        blocks = method(name).segment(page)
        assert (blocks.start < blocks.end).all()
        assert (blocks.end[:-1] <= blocks.start[1:]).all()
        # Sentences may share a leaf with the one before.
        assert (blocks.first_leaf[1:] >= blocks.last_leaf[:-1] - 1).all()
        assert all(text.strip() for text in blocks.strings())
        # Text nodes may touch, and then end within a word.
        touch = [False, *(blocks.end[:-1] == blocks.start[1:]).tolist()]
        pieces = ("" if close else " " for close in touch)
        whole = "".join(map("".join, zip(pieces, blocks.strings(), strict=False)))
        assert whole.split() == page.text.split()


@many
@given(markup, st.randoms(use_true_random=False))
def test_assembling_keeps_or_drops_whole_words(html: str, random: Random) -> None:
    page = Page.from_html(html)
    blocks = method("alltext").segment(page)
    scores = Scores(blocks, np.array([random.random() for _ in range(len(blocks))]), "random")
    document = assemble(page, blocks, scores)
    kept = [text for text, keep in zip(blocks.strings(), document.kept, strict=True) if keep]
    assert document.text.split() == " ".join(kept).split()
    assert bool(document.text) == bool(document.kept.any())
    assert document.text or document.reason


@many
@given(st.text(st.sampled_from("aé木 \u0301.\n"), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_any_cut_keeps_or_drops_whole_words(text: str, random: Random) -> None:
    page = Page.from_text(text)
    whole = page.text
    edges = sorted({0, len(whole), *(random.randrange(len(whole) + 1) for _ in range(6))})
    spans = np.array([(a, b) for a, b in pairwise(edges) if whole[a:b].strip()], np.int32).reshape(-1, 2)
    rows = np.zeros(len(spans), np.int32)
    blocks = Blocks(whole, spans[:, 0], spans[:, 1], rows > 0, rows, Elements.none(), rows, rows, rows + 1)
    document = assemble(page, blocks, Scores(blocks, np.array([random.random() for _ in rows]), "random"))
    for start, end in document.spans:
        for edge in (start, end):
            if 0 < edge < len(whole):
                assert not (joins_words(whole[edge - 1]) and joins_words(whole[edge]))


@many
@given(markup)
def test_the_same_page_gives_the_same_answer_and_scores_within_0_and_1(html: str) -> None:
    for name in METHODS:
        first, second = (Extractor(name).extract(html) for _ in range(2))
        assert first.text == second.text
        assert first.scores.values.tolist() == second.scores.values.tolist()
        assert ((first.scores.values >= 0) & (first.scores.values <= 1)).all()
        assert len(first.scores) == len(first.blocks)


@many
@given(markup)
def test_a_source_span_reads_as_its_leaf(html: str) -> None:
    page = Page.from_html(html)
    spans = page.source_spans()
    assert len(spans) == len(page.leaves)
    known = [span for span in spans if span]
    assert all(0 <= start <= end <= len(page.html) for start, end in known)
    plain = [
        (page.text[start:end], page.html[slice(*span)])
        for start, end, span in zip(page.leaves.start, page.leaves.end, spans, strict=True)
        if span and not set(page.html[slice(*span)]) & set("<&")
    ]
    assert all("".join(text.split()) == "".join(source.split()) for text, source in plain)


@many
@given(st.binary(max_size=200))
def test_any_bytes_are_a_page(data: bytes) -> None:
    document = Extractor("alltext").extract(data)
    document.text.encode("utf-8")


@many
@given(markup)
def test_every_format_renders_every_page(html: str) -> None:
    document = Extractor("bte").extract(html)
    for name in formats.names():
        for every in (False, True):
            formats.render(document, name, every=every).encode("utf-8")


def test_words_are_glued_only_where_nothing_parts_them() -> None:
    page = Page.from_html("a<b>b</b> c<br>d<p>e")
    assert (page.leaves.gap == GLUED).tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("name", METHODS)
def test_eight_threads_get_the_same_answers_as_one(name: str) -> None:
    pages = [(folder / "source.html").read_bytes() for folder in FOLDERS] * 4
    extractor = Extractor(name)
    alone = [extractor.extract(page).text for page in pages]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda page: extractor.extract(page).text, pages))
    assert together == alone
