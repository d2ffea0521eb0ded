"""No format loses, doubles, splits or joins words: Markdown and HTML show the text, word by word."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Document, Extractor, Page, formats
from dehusk.formats import PLAIN, Look
from dehusk.gold.corpora import open_corpus
from dehusk.outline.build import outline
from tests.formats.readback import expected_text, html_text, markdown_text, words
from tests.golden import FOLDERS
from tests.test_invariants import markup

READERS = {"markdown": markdown_text, "html": html_text}
LOOKS = [PLAIN, Look(links=True, images=True), Look(formatting=False)]


def differences(
    document: Document, *, every: bool = False, look: Look = PLAIN
) -> dict[str, tuple[list[str], list[str]]]:
    """Return the first words that differ, with their neighbours, for each format with a difference."""
    expected = words(expected_text(document, outline(document, every=every, look=look), every=every))
    found = {}
    for name, read in READERS.items():
        shown = words(read(formats.render(document, name, every=every, look=look)))
        if shown != expected:
            places = (place for place, (a, b) in enumerate(zip(expected, shown, strict=False)) if a != b)
            place = next(places, min(len(expected), len(shown)))
            found[name] = expected[max(0, place - 5) : place + 5], shown[max(0, place - 5) : place + 5]
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("method", ["alltext", "kernel"])
def test_golden_pages_keep_their_words(folder: Path, method: str) -> None:
    document = Extractor(method).extract((folder / "source.html").read_bytes(), url="https://example.org/")
    for look in LOOKS:
        assert differences(document, look=look) == {}
        assert differences(document, look=look, every=True) == {}


# Markup that matters to the formats and that the common strategy lacks.
inside = st.sampled_from(
    [
        *("<sup>", "</sup>", "<sub>", "</sub>", "<em>", "</em>", "<strong>", "</strong>", "<del>", "</del>", "<br>"),
        *("<ol>", "</ol>", "<ul>", "</ul>", "<li>", "<dl>", "</dl>", "<dt>", "<dd>", "<blockquote>", "<pre>", "</pre>"),
        *("<code>", "</code>", "<figure>", "<figcaption>", "<caption>", "<tr>", "<td>", "<th>", "</table>", "<hr>"),
        *('<a href="/x">', "</a>", '<a href="#fn1">1</a>', '<li id="fn1">', '<math alttext="x">', "<img src=a.png>"),
        *('<td rowspan="2">', '<th colspan="3">', '<td colspan="2000">', '<ol start="7">', "*a*", "_b_", "`c`", "[d]"),
        *("![e](f)", "<g>", "&h;", "~i~", "$j$", "k\\", "#l", "1.", "2)", "-", "+", ">", "=", "|", ":", "!", "-----"),
        *("1986. ", "\n", " ", "word", "木", "\x01"),
    ]
)
odd = st.lists(st.one_of(inside, markup), max_size=25).map("".join)


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd, st.sampled_from(LOOKS), st.booleans())
def test_odd_markup_keeps_its_words(html: str, look: Look, every: bool) -> None:
    document = Extractor("alltext").extract(Page.from_html(html, url="https://example.org/"))
    assert differences(document, look=look, every=every) == {}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1800)
def test_every_page_of_a_corpus_keeps_its_words() -> None:
    wrong, count = {}, 0
    extractor = Extractor()
    for count, page in enumerate(open_corpus(Path("wcxb-dev")).pages(), 1):
        document = extractor.extract(page.html, url="https://example.org/")
        if found := differences(document, look=LOOKS[count % len(LOOKS)]):
            wrong[page.id] = found
    assert count > 1000
    assert wrong == {}
