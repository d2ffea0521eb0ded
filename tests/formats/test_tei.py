from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings

from dehusk import Extractor, formats
from dehusk.formats import Look
from dehusk.outline.build import outline
from tests.formats.checkers import TEI, installed
from tests.formats.readback import expected_text, words
from tests.formats.test_words import odd
from tests.golden import FOLDERS

RICH = Look(links=True, images=True)
NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
NAMES = ("p", "head", "ab", "item", "label", "cell", "note", "lb", "quote", "list", "row", "figure", "table", "div")
LINES = {NAMESPACE + name for name in NAMES}
NO_TEXT = {NAMESPACE + "desc", NAMESPACE + "formula"}


def shown(element: ElementTree.Element) -> str:
    """The text of an element, with a space for each formula and footnote reference."""
    is_reference = element.tag == f"{NAMESPACE}ref" and element.get("type") == "note"
    line = "\n" if element.tag in LINES else ""
    if element.tag in NO_TEXT or is_reference:
        return " "
    inside = "".join(shown(child) + (child.tail or "") for child in element)
    return f"{line}{element.text or ''}{inside}{line}"


def text_of(output: str) -> str:
    body = ElementTree.fromstring(output).find(f".//{NAMESPACE}body")
    assert body is not None
    return shown(body)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("every", [False, True])
def test_golden_pages_keep_their_words(folder: Path, every: bool) -> None:
    document = Extractor("alltext").extract((folder / "source.html").read_bytes(), url="https://example.org/")
    expected = words(expected_text(document, outline(document, every=every, look=RICH), every=every))
    assert words(text_of(formats.render(document, "tei", every=every, look=RICH))) == expected


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd)
def test_odd_markup_keeps_its_words(html: str) -> None:
    document = Extractor("alltext").extract(html)
    assert words(text_of(formats.render(document, "tei"))) == words(expected_text(document, outline(document)))


def test_headings_open_divisions_nested_by_level() -> None:
    html = "<p>before<h1>a</h1><h3>b</h3><p>c<h2>d</h2><h1>e</h1>"
    output = formats.render(Extractor("alltext").extract(html), "tei").partition("<body>\n")[2].replace("\n", "")
    assert output.startswith(
        "<p>before</p><div><head>a</head><div><head>b</head><p>c</p></div><div><head>d</head></div></div>"
        "<div><head>e</head></div></body>"
    )


def test_dropped_blocks_have_a_type_and_their_score() -> None:
    document = Extractor("bte").extract("<p><a href=/>Home</a><p>A sentence that says something at length.<li>x")
    output = formats.render(document, "tei", every=True)
    assert '<ab type="boilerplate" n="1.0000">Home</ab>' in output
    assert '<item><seg type="boilerplate" n="1.0000">x</seg></item>' in output


@pytest.mark.slow
def test_golden_pages_are_valid_tei() -> None:
    etree = pytest.importorskip("lxml.etree")
    schema = etree.RelaxNG(etree.parse(str(installed(TEI))))
    for folder in FOLDERS:
        data = (folder / "source.html").read_bytes()
        for method in ("alltext", "kernel"):
            document = Extractor(method).extract(data, url="https://example.org/")
            for every in (False, True):
                output = formats.render(document, "tei", every=every, look=RICH)
                assert schema.validate(etree.fromstring(output.encode())), (
                    folder.name,
                    method,
                    every,
                    schema.error_log,
                )
    wrong = "<TEI xmlns='http://www.tei-c.org/ns/1.0'><p>x</p></TEI>"  # the schema does say no
    assert not schema.validate(etree.fromstring(wrong))


def test_numbers_of_items_are_those_of_the_page() -> None:
    html = "<ol reversed><li>b<li>a<li value=9>c<li>d<ul><li value=5>e</ul></ol>"
    page = formats.render(Extractor("alltext").extract(html), "tei")
    assert [line.partition("<list")[0] for line in page.splitlines() if line.startswith("<item")] == [
        '<item n="4">b</item>',
        '<item n="3">a</item>',
        '<item n="9">c</item>',
        '<item n="8">d',
        "<item>e</item>",
    ]
