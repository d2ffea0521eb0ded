"""The cost of writing a page grows no faster than the page, whatever its shape: in every format, with links and images.

CPU time is measured at two sizes, and the smallest of several runs counts, since test machines are shared: a shape
fails only if no number of runs brings its exponent down, nor larger pages, where a step in the cost is left behind and
what is quadratic shows all the more. Each shape once took quadratic time, or is a sibling of one that did.
"""

import gc
import json
from collections.abc import Callable, Iterator
from math import log
from time import process_time

import pytest

from dehusk import Document, Extractor, formats
from dehusk.formats import Look
from dehusk.page.xpaths import MAX_LENGTH

RICH = Look(links=True, images=True)
SIZES = (500, 3000)
GROWTH = 8
MAX_EXPONENT = 1.15
ROUNDS = 12
# Below this the fixed cost of a call and the resolution of the clock say more than the size of the page.
MIN_SECONDS = 0.004


def signs(count: int, text: str = "*") -> str:
    """Return references to so many footnotes."""
    return "<p>" + "".join(f"<sup><a href=#n{number}>{text}</a></sup>" for number in range(count))


SHAPES: dict[str, Callable[[int], str]] = {
    # Images and formulas between the text.
    "sources and images in a picture": lambda n: (
        "<p>x<picture>" + "<source srcset='data:x 1w'>" * n + "<img src=data:x>" * n + "</picture>y"
    ),
    "pictures": lambda n: "<p>x<picture><source srcset=a.png><img></picture>" * n,
    "images in paragraphs": lambda n: "<p>a <img src=a.png></p>" * n,
    "images between two texts": lambda n: "<div>a" + "".join(f"<p><img src={i}.png></p>" for i in range(n)) + "b",
    "scripts in separate parents": lambda n: "<p>a<script type=math/tex>x</script></p>" * n,
    "scripts in nested parents": lambda n: "<div>a<script type=math/tex>x</script>" * n,
    "scripts in one parent": lambda n: "<p>" + "a<script type=math/tex>x</script>" * n,
    "formulas": lambda n: "<p>a <math alttext=x><mi>x</mi></math></p>" * n,
    "formulas on lines of their own": lambda n: "<p>a <math display=block alttext=x><mi>x</mi></math></p>" * n,
    "formulas in each other": lambda n: "<p>" + "<math>" * n + "x",
    "drawn formulas": lambda n: "<p>a <img class=latex alt='x^2' src=a></p>" * n,
    # What holds one leaf block.
    "paragraphs in a figure": lambda n: "<figure>" + "<p>a</p>" * n,
    "paragraphs in a caption": lambda n: "<figure><img src=a><figcaption>" + "<p>a <b>b</b></p>" * n,
    "captions in a figure": lambda n: "<figure>" + "<p>a<figcaption>b</figcaption>" * n,
    "paragraphs in a term": lambda n: "<dl><dt>" + "<p>a <b>b</b></p>" * n + "</dt><dd>c",
    "terms": lambda n: "<dl>" + "<dt>a" * n + "<dd>b",
    "paragraphs in the caption of a table": lambda n: (
        "<table><caption>" + "<p>a <b>b</b></p>" * n + "</caption><tr><td>a<td>b<tr><td>a<td>b"
    ),
    "captions in a table": lambda n: "<table>" + "<caption>c</caption><tr><td>a<td>b" * n,
    "paragraphs in a cell": lambda n: "<table><tr><td>" + "<p>a" * n + "<td>b<tr><td>c<td>d",
    "paragraphs deep in a cell": lambda n: "<table><tr><td>" + "<div>a" * n + "</div>" * n + "<td>b<tr><td>c<td>d",
    # Footnotes.
    "signs of footnotes": lambda n: signs(n) + "".join(f"<p id=n{i}>x" for i in range(n)),
    "signs of one footnote": lambda n: "<p>" + "<sup><a href=#n>1</a></sup>" * n + "<div id=n>" + "<b>x</b>" * n,
    "footnotes in each other": lambda n: signs(n) + "".join(f"<div id=n{i}>" for i in range(n)) + "x" + "</div>x" * n,
    "footnotes in one paragraph": lambda n: signs(n) + "<p>" + "".join(f"<span id=n{i}>" for i in range(n)) + "x",
    "a reference of many words": lambda n: "<p>z<a href=#fn1>" + "<b>1</b> " * n,
    "references in each other": lambda n: "<p>z" + "<a href=#fn1>1<table><tr><td>" * n,
    # Code and other text.
    "lines of code": lambda n: "<pre>" + "<div>  a</div>" * n,
    "pieces of code": lambda n: "<pre>" + "<span>a</span> " * n,
    "line ends in code": lambda n: "<p><code>" + "a<br>" * n,
    "styles": lambda n: "<p>" + "<b>a<i>b</i></b> <sup>c</sup>" * n,
    # Places in the tree.
    "long names in each other": lambda n: f"<{'a' * 100}><p>x</p>" * n,
    "a long name around paragraphs": lambda n: f"<{'a' * n}>" + "<p>x" * n,
    "elements in each other": lambda n: "<div>x" * n,
    "paragraphs deep in lists": lambda n: "<ul><li>" * 250 + "x<p>" * n,
    "paragraphs deep in quotes": lambda n: "<blockquote>" * 250 + "<p>x" * n,
    "images deep in each other": lambda n: "x" + "<div>" * 250 + "<b><img src=a></b>" * n + "y",
    # What is left open, crossed, or in the wrong place.
    "crossed styles": lambda n: "<p>" + "<b>a<i>b</b>c</i>" * n,
    "links": lambda n: "<p>" + "<a href=x>a</a>" * n,
    "cells over many others": lambda n: "<table>" + "<tr><td colspan=900 rowspan=900>a<td>b" * n,
    "notes of one name": lambda n: "<p>" + "<sup><a href=#n>1</a></sup>" * n + "<li id=n>x" * n,
    "sources of one image": lambda n: f"<p>x<img srcset='{'a 1w,' * n}'>",
    "strays": lambda n: "<li>a<dt>b<td>c<dd>d<caption>e" * n,
    "signs to escape": lambda n: "<p>" + "*_`[<&" * n,
    "code of signs to escape": lambda n: "<p>" + "<code>`a`</code>b" * n,
}
DEEP = ("long names in each other", "a long name around paragraphs", "elements in each other", "paragraphs in a cell")


def documents(shape: str, size: int) -> list[Document]:
    """Return a page of a shape, small and large, by a method whose blocks are paragraphs."""
    extractor = Extractor("alltext")
    return [extractor.extract(SHAPES[shape](count), url="https://example.org/") for count in (size, GROWTH * size)]


def seconds(document: Document, name: str, *, every: bool) -> float:
    gc.disable()  # it goes through all objects of this process, those of other tests too
    start = process_time()
    formats.render(document, name, every=every, look=RICH)
    spent = process_time() - start
    gc.enable()
    return spent


def exponent(pages: list[Document], name: str, *, every: bool) -> float:
    """Return the exponent of the cost in the size of the page, by the best of as many rounds as it takes."""
    best = [1e9, 1e9]
    found = 9.0
    for _ in range(ROUNDS):
        best = [min(old, seconds(page, name, every=every)) for old, page in zip(best, pages, strict=True)]
        found = log(max(best[1], MIN_SECONDS) / max(best[0], MIN_SECONDS / GROWTH)) / log(GROWTH)
        if found <= MAX_EXPONENT:
            break
    return found


def exponents(pages: list[Document]) -> Iterator[tuple[str, float]]:
    for name in formats.names():
        yield name, exponent(pages, name, every=False)
        yield f"{name} of every block", exponent(pages, name, every=True)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("shape", SHAPES)
def test_cost_grows_no_faster_than_the_page(shape: str) -> None:
    for size in SIZES:
        fast = [(name, round(found, 2)) for name, found in exponents(documents(shape, size)) if found > MAX_EXPONENT]
        if not fast:
            break
    assert fast == []


@pytest.mark.parametrize("shape", SHAPES)
def test_no_cost_is_quadratic(shape: str) -> None:
    """Check the same on smaller pages, where only a gross fault shows, in the formats that have most to do."""
    pages = documents(shape, 60)
    for name, every in (("markdown", False), ("html", False), ("json", True)):
        small, large = (min(seconds(page, name, every=every) for _ in range(2)) for page in pages)
        assert large < 3 * GROWTH * small + 0.02


@pytest.mark.parametrize("shape", DEEP)
def test_output_grows_no_faster_than_the_page(shape: str) -> None:
    pages = documents(shape, 300)
    for name in formats.names():
        for every in (False, True):
            small, large = (len(formats.render(page, name, every=every, look=RICH)) for page in pages)
            assert large < 1.2 * GROWTH * small, name


def test_the_worst_page_for_paths_is_written_in_a_bounded_size() -> None:
    html = "<div>" * 119 + "<p>x" * 3000
    output = Extractor("alltext").extract(html).json(every=True)
    assert len(output) < (MAX_LENGTH + 250) * 3001
    paths = [block["xpath"] for block in json.loads(output)["blocks"]]
    assert max(map(len, paths)) <= MAX_LENGTH
    deeper = Extractor("alltext").extract("<div>" * 125 + "x").json(every=True)
    block = json.loads(deeper)["blocks"][0]
    assert (block["xpath"], block["source"]) == (None, [625, 626])
