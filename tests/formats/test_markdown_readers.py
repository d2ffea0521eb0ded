"""Markdown by ten programs with HTML on: no element and no attribute comes out that the document does not have."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from dehusk import Document, Extractor, Page
from dehusk.formats import Look, by_name
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import LeafBlock
from dehusk.outline.nodes import Image
from fuzz.mutations import make
from fuzz.seeds import golden_pages
from testing.markdown_readers import PYTHON_READERS, inventions, read_by_node
from tests.helpers.hostile_pages import hostile_pages
from tests.helpers.markdown_payloads import payloads

RICH = Look(links=True, images=True, metadata=True)
URL = "https://example.org/"
TAG = "&lt;img src=x onerror=alert(1)&gt;"
FUZZED = 300
LONGEST = 30_000  # characters; some readers take minutes for more
# Each with what it did to the readers named, and with its siblings.
FAULTS = {
    "an address before code: cmark-gfm, micromark, marked, mistune": f"<p>See https://example.org/a<code>{TAG}</code>",
    "an address without a scheme before code: cmark-gfm, micromark": f"<p>See www.example.org/a<code>{TAG}</code>",
    "an address in bold before code: cmark-gfm": f"<p>https://a.bc/<b>x</b><code>{TAG}</code>",
    "an address in a formula before code: cmark-gfm": f"<p><math alttext='https://a.bc/'><mi>x</math>-<code>{TAG}</code>",
    "a link that is none before code: cmark-gfm": "<p><a href=https://a.bc/><math alttext=']'><mi>x</math></a>"
    f"<code>{TAG}</code>",
    "an address before a link: showdown": "<p>www.a.bc/y<a href=https://example.org/a>b</a>",
    "an address in an image: showdown": "<p>a <img src=a.png alt='www.a.bc/onerror=alert(1) x'>",
    "a tag in an image: showdown": "<p>a <img src=a.png alt='&lt;code> x'> <code>a</code>",
    "an image in a link: marked": "<p>a <a href=/b><img src=a.png alt='x](javascript:alert(1)).'></a>",
    "an image in the text of a link: marked": "<p><a href=/b>![x](javascript:alert(1))</a>",
    "braces in a heading: Python-Markdown": "<h2>Rain { x { onfocus=alert(1) autofocus tabindex=1 }</h2>",
    "braces at the end of a heading: Python-Markdown": "<h2>Rain {autofocus}</h2>",
    "braces before what ends a heading: Python-Markdown": "<h2>Rain {autofocus}<code>x</code></h2>",
    "braces around a deletion: Python-Markdown": "<h2>Rain { <del>x</del> onclick=alert(1) }</h2>",
    "braces at the end of a cell: Python-Markdown": "<table><tr><th>a {b}<th>b<tr><td>c {d}<td>e</table>",
    "braces at the end of a term: Python-Markdown": "<dl><dt>a {b}<dd>c</dl>",
    "braces in a definition: Python-Markdown": "<dl><dt>a<dd><blockquote><ul><li>b { x { onclick=c }<li>d</ul>"
    "</blockquote><dd>e</dl>",
    "braces after bold: Python-Markdown": "<p><b>x</b>{ a { onclick=alert(1) }",
    "braces on a line: Python-Markdown": "<p>x<br>{autofocus}",
    "braces in a title: Python-Markdown": "<title>*a*{ x { onclick=b }</title><p>x",
    "a pipe in code in a cell: micromark, marked": f"<table><tr><th>a<th>b<tr><td><code>x\\|{TAG}</code><td>c</table>",
    "a quotation mark in a header: showdown": "<table><tr><th>a \"onclick=alert(1)<th>b<tr><td>c<td>d</table>",
    "tildes in deleted code: mistune, mistletoe": f"<p><del><code>~~{TAG}</code></del>",
    "tildes in two pieces of code: mistletoe": f"<p><b>x <code>~~{TAG}</code></b><code>~~{TAG}</code>",
    "a backslash before code: markdown2, showdown": f"<p>\\<code>{TAG}</code>",
    "a backtick before code: mistletoe": f"<p>`<code>{TAG}</code>",
    "backslash and backtick before code: mistletoe": f"<p>`\\<code>{TAG}</code>",
    "a backslash before a tag in code: showdown": "<p><code>\\&lt;</code> <sup>1</sup> x",
    "a circumflex before code: mistune": "<p>2^a<code>&lt;script&gt;alert(1)&lt;/script&gt;^</code>",
    "equals signs before code: mistune": f"<p>a ==<code>==</code> x <code>{TAG}</code>",
    "a tag over two pieces of code: mistletoe": "<p><i><code>&lt;a id='</code></i> <code>' onclick=alert(1) ></code>",
    "backticks in code in a link: marked": "<p><a href=/b><code># ``</code></a> <code>_](javascript:alert(1))=</code>",
    "a bracket in a formula: marked": "<p><math alttext='['><mi>x</math> <code>```</code> "
    "<code>](javascript:alert(1))x</code>",
    "equals signs in an image before code: mistune": f"<p>a<img src=a.png alt='==]'><code>==</code> <code>{TAG}</code>",
    "a quotation mark in a formula in a header: showdown": "<table><tr><th><math alttext='\\&quot; onclick=alert(1) '>"
    "<mi>x</math><th>b<tr><td>c<td>d</table>",
    "a link with the text x in an item: showdown": "<ul><li><a href=https://a.bc/>x</a>a<code>&lt;a href='</code></ul>",
    "a link in a formula: showdown": "<p><math alttext='[x] (javascript:alert(1))'><mi>x</math>",
    "an abbreviation in a formula: Python-Markdown": "<math display=block alttext='*[x] : y'><mi>x</math><p>x",
    "a footnote that is an address: commonmark": "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>javascript:alert(1)",
    "a footnote with a title: showdown": "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>javascript:alert(1) |x|",
    "code in a definition: commonmark, cmark-gfm": f"<dl><dt>a<dd><pre>x\n\n{TAG}</pre></dl>",
    "code after code in a definition: commonmark": f"<dl><dt>a<dd><pre>x</pre></dl><pre>{TAG}</pre>",
    "code after code in an item: showdown": f"<ul><li><pre>x</pre></ul><pre>{TAG}\n\n{TAG}</pre>",
    "code in an item: Python-Markdown": f"<ul><li>a<pre>x\n\n{TAG}</pre></ul>",
    "code in a quote: Python-Markdown": f"<blockquote><pre>x\n\n{TAG}</pre></blockquote>",
    "code in a quote that begins with a tab: mistletoe": f"<blockquote><pre>\tx\n\n{TAG}</pre></blockquote>",
    "braces in code in an item: Python-Markdown": "<ul><li>a<pre>x\n\nx\n{autofocus}\n\ny</pre></ul>",
}  # fmt: skip


def extract(html: str | bytes | Page, url: str | None = None) -> Document:
    return Extractor("alltext").extract(html, url=url)


class Written(NamedTuple):
    """Markdown, and the addresses of the links and images in it."""

    name: str
    text: str
    addresses: frozenset[str]


def written(name: str, document: Document, look: Look, *, every: bool = False) -> Written:
    text = by_name("markdown").render(document, every=every, look=look)
    return Written(name, text, addresses_of(document, look, every=every))


def addresses_of(document: Document, look: Look, *, every: bool = False) -> frozenset[str]:
    leaves = [event for event in outline(document, every=every, look=look).events if isinstance(event, LeafBlock)]
    runs = [run for leaf in leaves if not isinstance(leaf.content, str) for run in leaf.content]
    links = {run.link for run in runs if run.link}
    return frozenset(links | {run.content.address for run in runs if isinstance(run.content, Image)})


def of_payloads(step: int) -> Iterator[Written]:
    for index, payload in enumerate(payloads()):
        if index % step == 0:
            document = extract(payload.html, url=URL)
            yield written(payload.name, document, RICH if index // step % 2 else Look())


def of_faults() -> Iterator[Written]:
    for name, html in FAULTS.items():
        document = extract(html, url=URL)
        yield written(name, document, RICH)
        yield written(f"{name}, plain", document, Look())


def of_pages() -> Iterator[Written]:
    """The golden pages and hostile ones, with every block and in chunks too, and what the fuzzer makes of them."""
    golden = golden_pages()
    documents = [extract(page, url=URL) for page in golden]
    documents += [extract(page.html, url=page.url) for page in hostile_pages(rounds=3)]
    for index, document in enumerate(documents):
        yield written(f"page {index}", document, RICH)
        yield written(f"page {index}, every block", document, Look(), every=True)
        for chunk in document.chunks(words=40):
            yield Written(f"page {index}, a chunk", chunk.text, frozenset())
    for index in range(FUZZED):
        case = make(golden, 36, index)
        yield written(f"fuzzed page {index}", extract(case.data, url=case.url), RICH)


def found_in(reader: str, outputs: list[str], texts: list[Written]) -> dict[str, list[str]]:
    """Return what a reader invents, by reader and page."""
    pairs = zip(texts, outputs, strict=True)
    found = {f"{reader}, {each.name}": inventions(html, each.addresses) for each, html in pairs}
    return {name: dangers for name, dangers in found.items() if dangers}


def read(reader: str, text: str) -> str:
    try:
        return str(PYTHON_READERS[reader](text))
    except RecursionError:  # of the reader, on a page that is nested a hundred deep
        return ""


@pytest.mark.parametrize("reader", PYTHON_READERS)
def test_a_reader_invents_nothing(reader: str) -> None:
    texts = [*of_faults(), *of_payloads(step=29)]
    assert found_in(reader, [read(reader, each.text) for each in texts], texts) == {}


@pytest.mark.slow
@pytest.mark.parametrize("reader", PYTHON_READERS)
def test_a_reader_invents_nothing_on_any_page(reader: str) -> None:
    texts = [each for each in (*of_payloads(step=3), *of_pages()) if len(each.text) <= LONGEST]
    assert len(texts) > 5000
    assert found_in(reader, [read(reader, each.text) for each in texts], texts) == {}


@pytest.mark.slow
def test_readers_in_javascript_invent_nothing() -> None:
    texts = [*of_faults(), *of_payloads(step=3)]
    texts += [each for each in of_pages() if len(each.text) <= LONGEST]
    outputs = read_by_node([each.text for each in texts])
    assert len(PYTHON_READERS) + len(outputs) >= 10
    assert {
        name: dangers for reader in outputs for name, dangers in found_in(reader, outputs[reader], texts).items()
    } == {}


@pytest.mark.parametrize("reader", PYTHON_READERS)
def test_the_readers_pass_html_through(reader: str) -> None:
    assert "<img onerror>" in inventions(read(reader, "a <img src=x onerror=alert(1)>"))


@pytest.mark.slow
def test_the_readers_in_javascript_pass_html_through() -> None:
    for outputs in read_by_node(["a <img src=x onerror=alert(1)>"]).values():
        assert "<img onerror>" in inventions(outputs[0])


def test_there_are_hundreds_of_payloads() -> None:
    assert len(set(payloads())) > 10_000


def test_ordinary_code_and_text_stay_as_they_are() -> None:
    page = (
        '<h2>The <code>&lt;div&gt;</code> element</h2><p>Use <code>&lt;a href="x"&gt;</code> (or <code>a|b</code>), '
        "see https://example.org/ {and} <code>f(x)</code>.<ul><li>a<pre>x = 1\n\ny</pre></ul><pre>&lt;b&gt;</pre>"
    )
    assert extract(page).markdown() == (
        '## The `<div>` element\n\nUse `<a href="x">` (or `a|b`), see https://example.org/ {and} `f(x)`.\n\n'
        "- a\n\n  ```\n  x = 1\n\n  y\n  ```\n\n```\n<b>\n```"
    )
