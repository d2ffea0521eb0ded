import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from markdown_it.token import Token

from dehusk import Extractor, Page, extract, formats
from dehusk.formats import Look
from dehusk.formats.markdown import code
from dehusk.formats.markdown.inline import inline
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import InlineRun
from dehusk.outline.kinds import CODE, DELETED, EMPHASIS, STRONG, SUBSCRIPT, SUPERSCRIPT
from testing.readback import READER, markdown_structure, outline_structure
from tests.formats.test_words import odd
from tests.golden import FOLDERS, WRITTEN


def written(html: str, **options: bool) -> str:
    document = Extractor("alltext").extract(html, url="https://example.org/a/")
    return formats.render(document, "markdown", look=Look(**options))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("method", ["alltext", "kernel"])
@pytest.mark.parametrize("every", [False, True])
def test_a_golden_page_is_read_back_with_the_same_structure(folder: Path, method: str, every: bool) -> None:
    document = Extractor(method).extract((folder / "source.html").read_bytes(), url="https://example.org/")
    look = Look(links=True, images=True)
    found = markdown_structure(formats.render(document, "markdown", every=every, look=look))
    assert found == outline_structure(outline(document, every=every, look=look).events)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(odd)
def test_odd_markup_is_read_back_with_the_same_structure(html: str) -> None:
    document = Extractor("alltext").extract(Page.from_html(html))
    found = markdown_structure(formats.render(document, "markdown"))
    assert found == outline_structure(outline(document).events)


STYLES = {"strong": STRONG, "em": EMPHASIS, "s": DELETED, "del": DELETED, "sup": SUPERSCRIPT, "sub": SUBSCRIPT}
STYLES["code"] = CODE
texts = st.text(st.sampled_from('ab1木é.,!"«([*_`~<&$\\|#'), min_size=1, max_size=4)
runs = st.lists(
    st.builds(
        InlineRun,
        st.sampled_from(["", "", " "]),
        texts,
        st.integers(0, 63),
        st.sampled_from(["", "", "https://example.org/a_b*c(d)?e=&amp;"]),
    ),
    min_size=1,
    max_size=6,
)


def read_runs(tokens: list[Token]) -> Iterator[tuple[str, int, str]]:
    """Yield each character with its style and its link."""
    style, link = 0, ""
    for token in tokens:
        name = token.tag or re.sub(r"\W", "", token.content)
        if token.type in ("text", "code_inline"):
            yield from ((letter, style | CODE * (token.type == "code_inline"), link) for letter in token.content)
        elif token.type == "link_open":
            link = str(token.attrGet("href"))
        elif token.type == "link_close":
            link = ""
        elif token.nesting == 1 or (token.type == "html_inline" and not token.content.startswith("</")):
            assert not style & STYLES[name]
            style |= STYLES[name]
        else:
            style &= ~STYLES[name]


@settings(max_examples=1500, deadline=None)
@given(runs)
def test_styles_and_links_are_read_back(content: list[InlineRun]) -> None:
    # An outline has neither a gap before the first run nor two runs in a row that differ in nothing.
    content[0].gap = ""
    assume(all(run.gap or (run.style, run.link) != (last.style, last.link) for last, run in pairwise(content)))
    tokens = READER.parseInline(inline(content))[0].children or []
    address = "https://example.org/a_b%2Ac%28d%29?e=&amp;"
    expected = []
    for run in content:
        if run.gap:
            expected.append((" ", 0, ""))
        expected += [(letter, run.style, address if run.link else "") for letter in run.content]
    assert [(" ", 0, "") if read[0] == " " else read for read in read_runs(tokens)] == expected


def test_lists_in_a_row_stay_apart() -> None:
    assert written("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>") == "- a\n\n* b\n\n- c"
    assert written("<ol><li>a</ol><ol start=4><li>b</ol>") == "1. a\n\n4) b"


def test_links_and_images_are_written_only_on_request() -> None:
    html = '<p>See <a href="b.html">this</a> <img src="c.png" alt="sea">'
    assert written(html) == "See this"
    assert written(html, links=True) == "See [this](https://example.org/a/b.html)"
    assert written(html, images=True) == "See this ![sea](https://example.org/a/c.png)"


def test_without_formatting_words_stay_and_styles_go() -> None:
    assert written("<h2>A</h2><p><b>b</b> <code>c_</code><sup>2</sup>", formatting=False) == "## A\n\nb c_2"


def test_numbers_from_attributes_are_clamped() -> None:
    assert written(f"<ol start={'9' * 30}><li>x") == "1. x"
    assert written("<ol start=-3><li>x") == "1. x"


def test_a_hostile_table_costs_no_more_than_its_cells() -> None:
    rows = "".join(f"<tr><td colspan={width}>x</td><td>y</td></tr>" for width in range(1, 900))
    assert len(written(f"<table>{rows}</table>")) < 100_000
    wide = "<tr><td rowspan=65534 colspan=1000>a</td></tr><tr><td>b</td></tr>" * 300
    assert written(f"<table>{wide}</table>").split().count("b") == 300


def test_containers_are_nested_up_to_a_limit() -> None:
    text = written("<blockquote>" * 400 + "<p>deep")
    assert text.endswith("deep")
    assert text.count(">") < 30


@pytest.mark.parametrize("folder", WRITTEN, ids=lambda folder: folder.name)
def test_code_is_the_same_character_by_character(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    for part in markdown_structure((folder / "expected.md").read_text(encoding="utf-8")):
        if part.startswith("code "):
            assert part.partition("\n")[2].strip("\n") in page.text


def test_a_fence_is_longer_than_any_in_the_code() -> None:
    assert code.block("````\nx\n````", "").startswith("`````\n")


def test_numbers_of_items_are_those_of_the_page() -> None:
    assert written("<ol reversed><li>c<li>b<li>a</ol>") == "3. c\n2. b\n1. a"
    assert written("<ol><li>a<li value=7>b<li>c<li value=x>d</ol>") == "1. a\n7. b\n8. c\n9. d"
    # Markdown has no number below zero.
    assert written("<ol reversed start=1><li>a<li>b<li>c</ol>") == "1. a\n0. b\n0. c"
    assert written("<ul><li value=7>a</ul>") == "- a"


def test_a_price_does_not_open_a_formula_in_another_line_of_its_cell() -> None:
    formulas = [f"<math alttext='{name}'>{name}</math>" for name in "xy"]
    page = f"<table><tr><th>a<th>b<tr><td>c<td>$0<p>{formulas[0]}</table><dl><dt>$1<dt>{formulas[1]}"
    assert "\\$0<br>$x$" in extract(page, method="alltext").markdown()
    assert "\\$1<br>$y$" in extract(page, method="alltext").markdown()
    assert "| $5 |" in extract("<table><tr><th>a<th>b<tr><td>c<td>$5</table>", method="alltext").markdown()


def test_code_on_two_lines_shows_no_backslash_whatever_comes_after_it() -> None:
    assert written("<p><code>a<br>b</code>&amp;c") == "`a`\\\n`b`&c"
