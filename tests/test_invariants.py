"""What holds for every page that anyone will ever send: over generated markup, and from many threads."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Blocks, Extractor, Page, formats
from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.config import Limits
from dehusk.models.registry import REGISTRY, method
from dehusk.page.leaves import Elements
from dehusk.page.walk_flags import GLUED
from dehusk.reasons import Code, Reason
from dehusk.scores import Scores
from fuzz import invariants
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


@cache
def extractors() -> list[Extractor]:
    return [Extractor(name) for name in METHODS]


@many
@given(markup)
def test_leaves_lie_in_order_and_make_up_the_text(html: str) -> None:
    invariants.leaves_make_up_the_text(Page.from_html(html))


@many
@given(markup)
def test_blocks_lie_in_order_hold_words_and_lose_none(html: str) -> None:
    page = Page.from_html(html)
    for extractor in extractors():
        document = extractor.extract(page)
        invariants.blocks_lie_in_order(document)
        invariants.blocks_lose_no_word(document)


@many
@given(markup, st.randoms(use_true_random=False))
def test_assembling_keeps_or_drops_whole_words(html: str, random: Random) -> None:
    page = Page.from_html(html)
    blocks = method("alltext").segment(page)
    scores = Scores(blocks, np.array([random.random() for _ in range(len(blocks))]), "random")
    document = assemble(page, blocks, scores)
    written = document.written().blocks.strings()
    kept = [text for text, keep in zip(written, document.kept, strict=True) if keep]
    assert document.text.split() == " ".join(kept).split()
    assert bool(document.text) == any(kept)
    invariants.text_or_reason(document)


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
    invariants.whole_words_are_kept(document)


@many
@given(markup)
def test_the_same_page_gives_the_same_answer_and_scores_within_0_and_1(html: str) -> None:
    for extractor in extractors():
        first, second = (extractor.extract(Page.from_html(html)) for _ in range(2))
        invariants.same_result(first, second)
        invariants.scores_lie_between_0_and_1(first)
        invariants.letters_agree_with_scores(first)


@many
@given(markup)
def test_a_source_span_reads_as_its_leaf(html: str) -> None:
    invariants.source_spans_read_as_their_leaf(Page.from_html(html))


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


@pytest.mark.parametrize("name", ["kernel", "bte", "fiasco", "ncleaner", "texrex"])
def test_a_page_that_failed_has_a_reason(name: str) -> None:
    hungarian = "<html lang=hu><p>" + "A kutya nagyon messze van innen, és nem jön vissza többé soha. " * 5
    pages = ["", "<p>", "<p>x", "<p>.", "\0\1\2" * 99, "%PDF-1.4", "<a href=/>Home</a>", hungarian]
    results = list(Extractor(name).extract_many([*pages, b"\xff" * 99], jobs=1))
    assert [result for result in results if result.failed and not result.reason] == []
    assert [
        document for document in map(Extractor(name).extract, pages) if document.failed and not document.reason
    ] == []


class Unscored:
    """A method that scores nothing."""

    name = "unscored"

    def segment(self, page: Page) -> Blocks:
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        return Scores(blocks, np.full(len(blocks), np.nan), self.name)


@pytest.mark.parametrize("options", [{}, {"min_length": 999}, {"headline": "drop"}, {"tables": False}])
def test_a_page_of_which_no_block_has_a_score_says_so(options: Any) -> None:
    document = Extractor(Unscored(), **options).extract("<table><td>One<td>Two</table>")
    assert (document.failed, document.reason) == (True, Reason(Code.NOT_SCORED))


def test_a_page_that_is_cut_off_and_not_scored_says_both() -> None:
    document = Extractor(Unscored(), limits=Limits(blocks=1)).extract("<p>One<p>Two")
    assert str(document.reason) == "no block could be scored; cut off after 1 blocks"
