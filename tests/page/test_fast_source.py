"""The compiled loops over the source of a page find what their plain twins find."""

import sys

import pytest

from dehusk.config import Limits
from dehusk.page import Page, fast_source
from tests.helpers.compiled import uncompiled

PAGES = [
    "",
    "plain text only",
    "<p>Fish &amp; <b>chips</b><!-- a --> and <i>more</i> ",
    "<div>open <p>and <b>never closed",
    "<p>a</p>\r\n<p>b\r\nc<!-- d --> e</p>",
    "<table><tr><td>in<td>two</table>after",
    "<table>moved<tr><td>cell</table>",
    "<noscript><p>One <b>two</b></noscript><p>three<noscript>four</noscript>",
    "<b><p>mis</b>nested</p> <!doctype> <? x ?> end",
    "<p>a<!-- <p>not a tag --><p>b<![CDATA[c]]>",
    "<template><p>out</template><svg><text>drawn</text></svg><p>in",
    "<p>cut" * 300,
]


@pytest.mark.parametrize("html", PAGES, ids=range(len(PAGES)))
def test_compiled_and_plain_agree(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page.from_html(html)
    compiled = page.source_spans()
    plain = uncompiled(fast_source)
    module = sys.modules["dehusk.page.source_spans"]  # the package has a function of that name
    # What is not filled in is arbitrary, so that only what comes out is compared.
    monkeypatch.setattr(module, "fill_events", plain.fill_events)
    monkeypatch.setattr(module, "fill_between", plain.fill_between)
    assert page.source_spans() == compiled
    assert len(compiled) == len(page.leaves)


def test_a_walk_that_was_cut_off_leaves_elements_open() -> None:
    html = "<div>" * 50 + "text" + "</div>" * 50
    page = Page.from_html(html, limits=Limits(elements=20))
    assert page.source_spans() == [None] * len(page.leaves)
