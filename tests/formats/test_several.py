from xml.etree import ElementTree

import pytest

from dehusk import Extractor
from dehusk.formats import by_name, names

FOOTNOTE = '<p>Rain<sup><a href="#n1" id="r1">1</a></sup> falls.<ol><li id="n1">A note. <a href="#r1">back</a></ol>'
HOSTILE = 'a"b<c>&`d`--> \x07\n.html'


def joined(format: str, *pages: tuple[str, str]) -> str:
    pieces = by_name(format).stream
    document = Extractor("alltext")
    outputs = [by_name(format).render(document.extract(html)) for _, html in pages]
    written = [pieces.page(number, pages[number][0], output) for number, output in enumerate(outputs)]
    return "".join([pieces.begin, *written, pieces.end])


@pytest.mark.parametrize("format", names())
def test_several_pages_of_every_format_can_be_joined(format: str) -> None:
    written = joined(format, ("a.html", "<p>It rained."), ("b.html", "<p>It snowed."))
    assert written.count("It rained.") == joined(format, ("a.html", "<p>It rained.")).count("It rained.") > 0
    assert "It snowed." in written


@pytest.mark.parametrize("format", ["xml", "tei"])
@pytest.mark.parametrize("name", ["a.html", "https://example.org/?a=1&b=<2>", HOSTILE])
def test_pages_of_any_name_are_one_document(format: str, name: str) -> None:
    root = ElementTree.fromstring(joined(format, (name, FOOTNOTE), (name, FOOTNOTE)))
    identifiers = [element.get("{http://www.w3.org/XML/1998/namespace}id") for element in root.iter()]
    identifiers = [each for each in identifiers if each]
    assert len(set(identifiers)) == len(identifiers)


def test_sections_keep_their_language_and_distinct_footnotes() -> None:
    html = joined("html", ("https://example.org/a", f"<html lang=de>{FOOTNOTE}"), (HOSTILE, FOOTNOTE))
    assert html.count("<!DOCTYPE html>") == html.count("<body>") == html.count("</html>") == 1
    assert '<section lang="de">\n<p>Source: <a href="https://example.org/a">https://example.org/a</a></p>\n' in html
    assert "<p>Source: a&quot;b&lt;c&gt;&amp;`d`--&gt;" in html


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.html", "Source: `a.html`"),
        ("https://example.org/a", "Source: <https://example.org/a>"),
        ("a`b.html", "Source: ``a`b.html``"),
    ],
)
def test_markdown_names_the_source_and_separates_pages_by_a_rule(name: str, line: str) -> None:
    assert joined("markdown", (name, "<p>Rain"), (name, "<p>Snow")) == f"{line}\n\nRain\n\n---\n\n{line}\n\nSnow\n"


def test_the_name_of_a_report_cannot_end_its_comment() -> None:
    comment = joined("report", ("-->.html", "<p>Rain")).partition("\n")[0]
    assert comment == "<!-- - -&gt;.html -->"
