import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from dehusk import Extractor, Page, formats
from dehusk.formats import Look
from tests.formats.checkers import VNU, installed
from tests.formats.test_words import odd
from tests.golden import FOLDERS

RICH = Look(links=True, images=True)
TAGS = {
    *("html", "head", "meta", "title", "body", "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "dl", "dt"),
    *("dd", "blockquote", "pre", "code", "table", "caption", "tr", "th", "td", "figure", "figcaption", "a", "img"),
    *("strong", "em", "del", "sup", "sub", "br", "span", "div"),
}
ATTRIBUTES = {
    "lang",
    "dir",
    "charset",
    "class",
    "href",
    "src",
    "alt",
    "id",
    "start",
    "value",
    "reversed",
    "colspan",
    "rowspan",
    "data-score",
}


class Inspector(HTMLParser):
    """Collects tags, attributes and comments that are not allowed."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[object] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS or not {name for name, _ in attrs} <= ATTRIBUTES:
            self.wrong.append((tag, attrs))
        for name, value in attrs:
            if name in ("href", "src") and not re.match(
                r"(?:https?://|mailto:|tel:|ftp:|#note-|[^:]*(?:/|$))", value or ""
            ):
                self.wrong.append((tag, name, value))

    def handle_comment(self, data: str) -> None:
        self.wrong.append(data)


def wrong(output: str) -> list[object]:
    inspector = Inspector()
    inspector.feed(output)
    return inspector.wrong


def written(html: str, *, every: bool = False, look: Look = RICH) -> str:
    return formats.render(
        Extractor("alltext").extract(html, url="https://example.org/a/"), "html", every=every, look=look
    )


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd)
def test_only_known_tags_and_attributes_are_written(html: str) -> None:
    assert wrong(written(html)) == []
    assert wrong(written(html, every=True)) == []


HOSTILE = [
    '<p onclick="alert(1)">x',
    "<script>alert(1)</script><p>x",
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<a href="\x01javascript:alert(1)">x</a>',
    '<a href="vbscript:x">x</a><a href="data:text/html,<script>">x</a>',
    "<a href='https://example.org/\"onmouseover=\"alert(1)'>x</a>",
    '<img src="javascript:alert(1)" alt="x"><p>x',
    '<p>x<img src="/a.png" alt=\'"><script>alert(1)</script>\'>',
    '<p>x<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;",
    "<pre class='language-\"><script>'>x</pre>",
    '<html lang="en&quot; onload=&quot;alert(1)"><p>x',
    "<title>&lt;/title>&lt;script>alert(1)</title><p>x",
    '<p>x<math alttext="</span><script>alert(1)</script>"><mi>x</math>',
    '<ol start="1&quot; onclick=&quot;x"><li>x</ol>',
    "<style>p{}</style><p style='background:url(javascript:1)'>x",
    '<p>a<sup><a href="#fn1">1</a></sup><li id="fn1" onclick=x>note',
]


@pytest.mark.parametrize("html", HOSTILE)
def test_hostile_markup_is_harmless(html: str) -> None:
    output = written(html)
    assert wrong(output) == []
    assert "<script" not in output
    assert re.search("x|alert|note", Page.from_html(output).text)


def test_every_block_has_its_score_and_dropped_ones_a_class() -> None:
    document = Extractor("bte").extract("<p><a href=/>Home</a><p>A sentence that says something at length.<li>x")
    output = formats.render(document, "html", every=True)
    assert '<p class="boilerplate" data-score="1.0000">Home</p>' in output
    assert '<p data-score="0.0000">A sentence' in output
    assert '<li><span class="boilerplate" data-score="1.0000">x</span></li>' in output


def test_forbidden_characters_are_replaced() -> None:
    assert "<p>a\ufffdb</p>" in written("<p>a\x01b")


def test_skipped_heading_levels_are_closed_up() -> None:
    headings = re.findall(r"<h(\d)>", written("<h2>a</h2><h4>b</h4><h4>c</h4><h5>d</h5><h2>e</h2><h1>f</h1><h6>g</h6>"))
    assert headings == ["2", "3", "3", "4", "2", "1", "2"]


def test_missing_terms_and_definitions_are_written_empty() -> None:
    assert "<dl>\n<dt></dt>\n<dd>a</dd>\n<dt>b</dt>\n<dd></dd>\n</dl>" in written("<dl><dd>a<dt>b</dl>")


def test_a_caption_is_first_or_last_in_its_figure() -> None:
    first = written("<figure><figcaption>a</figcaption><p>b</figure>")
    assert "<figure>\n<figcaption>a</figcaption>\n<p>b</p>\n</figure>" in first
    midst = written("<figure><p>a</p><figcaption>b</figcaption><p>c</figure>")
    assert "<figure>\n<p>a</p>\n<p>b</p>\n<p>c</p>\n</figure>" in midst


@pytest.mark.slow
def test_golden_pages_conform_to_html5(tmp_path: Path) -> None:
    jar = installed(VNU)
    for folder in FOLDERS:
        data = (folder / "source.html").read_bytes()
        for method in ("alltext", "kernel"):
            document = Extractor(method).extract(data, url="https://example.org/")
            for every in (False, True):
                name = f"{folder.name}-{method}-{every}.html"
                (tmp_path / name).write_text(formats.render(document, "html", every=every, look=RICH), encoding="utf-8")
    command = ["java", "-jar", str(jar), "--errors-only", "--format", "gnu", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines() == []
    assert done.returncode == 0
    (tmp_path / "wrong.html").write_text("<!DOCTYPE html><title>x</title><ul><p>x</ul>")  # the checker does check
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 1


def test_numbers_of_items_are_those_of_the_page() -> None:
    html = "<ol reversed><li>b<li value=9>a</ol><ol start=4><li>c</ol>"
    page = formats.render(Extractor("alltext").extract(html), "html")
    assert '<ol reversed start="2">\n<li>b</li>\n<li value="9">a</li>\n</ol>\n<ol start="4">\n<li>c</li>' in page


def test_a_table_with_two_captions_loses_none() -> None:
    page = "<table><caption>one<caption>two<tr><td>a<td>b<tr><td>c<td>d</table>"
    for name in ("html", "tei"):
        output = formats.render(Extractor("alltext").extract(page), name)
        assert "one" in output
        assert "two" in output
