"""The report: what it says, and that nothing of a page comes alive in it."""

import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from dehusk import Extractor, formats
from dehusk.errors import UsageError
from dehusk.formats.report import render
from tests.formats.report_pages import HOSTILE, hostile, scored
from tests.helpers.methods import Talkative

# fmt: off
OWN_TAGS = frozenset((
    "html", "head", "meta", "title", "style", "body", "header", "p", "h1", "a", "main", "div", "label", "input", "span",
    "section", "h2", "svg", "output", "b", "noscript", "aside", "script",
))
# fmt: on


class Tags(HTMLParser):
    """Collects the tags of a page, and fails where a tag is closed that is not open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def data(html: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(html.partition('id="data">')[2].partition("</script>")[0])
    return found


def column(packed: str) -> list[int]:
    found: list[int] = np.frombuffer(b64decode(packed), "<i4").tolist()
    return found


def test_the_report_shows_what_became_of_a_page() -> None:
    page = "<!DOCTYPE html><title>Rain</title><ul><li>Menu</ul><p>It rains.<p>Reader, I left"
    html = render(Extractor(Talkative()).extract(page, url="https://example.org/rain"))
    assert {tag for tag, _ in Tags(html).seen} <= OWN_TAGS
    assert '<h1 dir="auto">Rain</h1>' in html
    assert '<a href="https://example.org/rain" rel="noreferrer noopener">https://example.org/rain</a>' in html
    assert 'talkative <span class="soft">article, confidence 0.88</span>' in html
    assert "keeps <b>2</b> of 6 words, <b>1</b> of 3 blocks" in html


def test_a_reason_is_shown() -> None:
    assert '<p class="notice">no main text</p>' in render(scored("<p>Menu", 0.9))


@pytest.mark.parametrize("source", [b"", b"%PDF-1.4", b"<title>x</title>"])
def test_pages_without_text_have_a_report(source: bytes) -> None:
    page = Extractor().extract(source)
    html = render(page, beside=Extractor("bte").extract(page.page))
    Tags(html)
    assert column(data(html)["cuts"][1]["start"]) == []


def test_it_is_a_format_like_the_others() -> None:
    page = Extractor("alltext").extract("<p>x")
    assert formats.render(page, "report") == render(page) == formats.render(page, "report", every=True)


def test_only_the_reports_own_script_and_style_may_run() -> None:
    html = render(hostile())
    (css,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    (js,) = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    for name, source in (("style-src", css), ("script-src", js)):
        assert f"{name} 'sha256-{b64encode(sha256(source.encode()).digest()).decode()}';" in html
    assert html.index("Content-Security-Policy") < html.index("<style>")
    assert "default-src 'none'" in html
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|https?://(?!www\.w3)", js
    )


def test_hostile_text_is_text() -> None:
    html = render(hostile(), beside=hostile())
    seen = Tags(html).seen
    attributes = {name for _, found in seen for name in found}
    assert {tag for tag, _ in seen} <= OWN_TAGS - {"a"}  # its address is not a link
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "autofocus", "style")]
    assert [tag for tag, _ in seen].count("script") == 2
    assert HOSTILE[0] in data(html)["text"]
    html.encode()


def test_places_are_counted_as_javascript_counts_them() -> None:
    found = data(render(scored("<p>a😀b<p>c", 0.1, 0.2)))
    units = found["text"].encode("utf-16-le")
    starts, ends = (column(found["cuts"][0][name]) for name in ("start", "end"))
    pieces = [units[2 * left : 2 * right].decode("utf-16-le") for left, right in zip(starts, ends, strict=True)]
    assert pieces == ["a😀b", "c"]


def test_two_documents_must_be_of_one_page() -> None:
    with pytest.raises(UsageError, match="different pages"):
        render(scored("<p>a", 0.1), beside=scored("<p>b", 0.1))
