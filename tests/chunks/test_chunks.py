"""Chunks: each word once, tables and code whole, headings followed."""

import re
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Chunk, Document, Extractor, Page, UsageError, extract
from dehusk.outline.build import outline
from dehusk.writing.invisible import VISIBLE
from testing.hostile_inputs import HOSTILE
from testing.readback import markdown_text, words
from tests.golden import FOLDERS
from tests.test_invariants import markup

REFERENCE = re.compile(r"\[\^[\w-]+\](?!:)")


def chunks(html: str, count: int) -> list[Chunk]:
    return Extractor("alltext").extract(html).chunks(count)


def texts(html: str, count: int) -> list[str]:
    return [chunk.text for chunk in chunks(html, count)]


def prose(count: int, word: str = "word") -> str:
    """Return a paragraph of so many words, in sentences of ten."""
    sentences = [f"{word.title()} " + " ".join([word] * 8) + " end." for _ in range(count // 10)]
    return f"<p>{' '.join(sentences)}</p>"


def shown(text: str) -> str:
    """Return the characters that Markdown shows, without references to footnotes, which may be in another chunk."""
    # Something in its place, since a line that begins with `1988.[^1]` is no list: a sign of punctuation, as brackets
    # are, since that decides whether an asterisk next to it is markup.
    return "".join(words(markdown_text(REFERENCE.sub("\u205c", text)))).replace("\u205c", "")


def check(document: Document, count: int) -> None:
    """Check that the chunks have what the document has, once and in order, each where it says."""
    pieces = document.chunks(count)
    assert "".join(shown(chunk.text) for chunk in pieces) == shown(document.markdown())
    ends = [0, *(chunk.span[1] for chunk in pieces)]
    for chunk, before in zip(pieces, ends, strict=False):
        start, end = chunk.span
        assert before <= start <= end <= len(document.page.text)
        assert chunk.text.strip()
        if chunk.source:
            assert 0 <= chunk.source[0] <= chunk.source[1] <= len(document.page.html)
    if not outline(document).replaced and document.blocks and document.kept.all():
        # No formula or footnote, and nothing dropped: the spans hold every character that can be seen.
        spans = "".join(document.page.text[slice(*chunk.span)] for chunk in pieces)
        assert "".join(VISIBLE.findall(spans)) == "".join(VISIBLE.findall(document.page.text))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("count", [1, 7, 40, 300])
def test_golden_pages_lose_and_double_no_word(folder: Path, count: int) -> None:
    data = (folder / "source.html").read_bytes()
    for method in ("alltext", "kernel", "pyplexity", "boilernet-small"):
        check(Extractor(method).extract(data), count)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(markup, st.integers(1, 12))
def test_no_markup_loses_or_doubles_a_word(html: str, count: int) -> None:
    check(Extractor("alltext").extract(html), count)


@pytest.mark.parametrize("html", ["", "<p>", "<script>x</script>"])
def test_a_page_without_text_has_no_chunks(html: str) -> None:
    assert extract(html).chunks() == []
    assert extract(b"%PDF-1.4").chunks() == []


def test_a_short_document_is_one_chunk() -> None:
    (chunk,) = chunks("<h1>Soup</h1><p>Warm.<h2>Cooking</h2><p>Boil.<h2>Serving</h2><p>Eat.", 300)
    assert chunk.text == "# Soup\n\nWarm.\n\n## Cooking\n\nBoil.\n\n## Serving\n\nEat."
    assert chunk.headings == ("Soup",)


def test_every_section_that_fits_is_one_chunk_with_its_path() -> None:
    html = f"<h1>A</h1>{prose(40)}<h2>B</h2>{prose(40)}<h3>C</h3>{prose(40)}<h2>D</h2>{prose(40)}"
    found = chunks(html, 90)
    assert [chunk.headings for chunk in found] == [("A",), ("A", "B"), ("A", "D")]
    assert [re.findall("^#+ .", chunk.text, re.MULTILINE) for chunk in found] == [["# A"], ["## B", "### C"], ["## D"]]


def test_sections_beside_each_other_never_share_a_chunk() -> None:
    html = "<h1>A</h1>" + "".join(f"<h2>Part {number}</h2>{prose(10)}" for number in range(9))
    found = chunks(html, 50)
    assert [chunk.headings for chunk in found] == [("A", f"Part {number}") for number in range(9)]
    assert found[0].text.startswith("# A\n\n## Part 0")


def test_a_chunk_in_the_middle_of_a_section_keeps_its_headings() -> None:
    found = chunks(f"<h1>A</h1><h2>B</h2>{prose(60) * 3}<h2>C</h2>{prose(60)}", 100)
    assert [chunk.headings[1] for chunk in found] == ["B", "B", "B", "C"]
    assert "B" not in found[1].text


def test_a_short_introduction_goes_with_the_first_subsection() -> None:
    found = chunks(f"<h1>A</h1>{prose(20)}<h2>B</h2>{prose(60)}<h2>C</h2>{prose(60)}", 100)
    assert [chunk.headings for chunk in found] == [("A",), ("A", "C")]
    found = chunks(f"<p>By Ann<h1>A</h1>{prose(60) * 4}", 100)
    assert found[0].text.startswith("By Ann\n\n# A\n\nWord")
    assert found[0].headings == ()
    assert found[1].headings == ("A",)


def test_a_heading_stays_with_what_follows() -> None:
    found = texts(f"{prose(90)}<h2>B</h2>{prose(90)}<h2>C</h2><h3>D</h3>{prose(90)}", 100)
    assert [text.count("#") for text in found] == [0, 2, 5]
    assert all(not text.rpartition("\n")[2].startswith("#") for text in found)


def test_a_page_of_nothing_but_headings_is_cut_too() -> None:
    found = texts("<h2>One two</h2>" * 50, 10)
    assert all(len(text.split()) <= 18 for text in found)
    assert sum(text.count("One two") for text in found) == 50


def test_a_section_ends_with_the_list_or_quote_that_its_heading_is_in() -> None:
    html = f"<h1>A</h1><ul><li><h2>B</h2>{prose(90)}<li><h2>C</h2>{prose(90)}</ul>{prose(90, 'after')}"
    found = chunks(html, 100)
    assert [chunk.headings for chunk in found] == [("A", "B"), ("A", "C"), ("A",)]
    assert found[1].text.startswith("- ## C\n\n  Word")


def test_text_is_cut_between_paragraphs() -> None:
    assert [len(text.split("\n\n")) for text in texts(prose(40) * 5, 100)] == [2, 2, 1]


def test_a_list_is_cut_between_items_and_goes_on_with_its_numbers() -> None:
    html = "<ol start=5>" + "".join(f"<li>one two {letter}" for letter in "abcdef") + "</ol>"
    assert texts(html, 6) == [
        "5. one two a\n6. one two b",
        "7. one two c\n8. one two d",
        "9. one two e\n10. one two f",
    ]
    html = "<ol reversed><li>a b<ul><li>c d<li>e f</ul><li>g h</ol>"
    assert texts(html, 4) == ["2. a b", "2. - c d\n   - e f", "1. g h"]


def test_an_item_stays_with_its_nested_list_if_that_fits() -> None:
    html = "<ul>" + "<li>one two<ul><li>three<li>four</ul>" * 3 + "</ul>"
    assert texts(html, 6) == ["- one two\n  - three\n  - four"] * 3


def test_a_term_stays_with_its_definition() -> None:
    html = "<dl>" + "<dt>One two<dd>three four five</dd>" * 4 + "</dl>"
    assert texts(html, 7) == ["One two\n: three four five"] * 4


def test_a_line_that_ends_in_a_colon_stays_with_what_follows() -> None:
    html = f"{prose(30)}<p>You need the <b>following:</b></p><ul><li>one two three<li>four five six</ul>"
    assert texts(html, 35)[1] == "You need the **following:**\n\n- one two three\n- four five six"


def test_what_introduces_nothing_stays_in_its_section() -> None:
    found = texts(f"<h2>A</h2>{prose(30)}<p>Nothing follows:<h2>B</h2>{prose(30)}", 40)
    assert [text[-4:] for text in found] == ["ows:", "end."]


def test_tables_and_code_are_never_cut() -> None:
    rows = "".join(f"<tr><td>row {number}<td>some more words" for number in range(200))
    code = "\n".join(f"line_{number} = {number}" for number in range(200))
    html = f"{prose(20)}<table><tr><th>a<th>b{rows}</table>{prose(20)}<pre><code>{code}</code></pre>{prose(20)}"
    found = texts(html, 50)
    assert len(found) == 5
    assert found[1].startswith("| a | b |\n| --- | --- |\n| row 0 |")
    assert found[1].count("\n") == 201
    assert found[3] == f"```\n{code}\n```"


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    found = chunks(prose(250), 100)
    assert [len(chunk.text.split()) for chunk in found] == [100, 100, 50]
    assert all(chunk.text.endswith("end.") for chunk in found)


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    found = texts("<p>" + " ".join(f"w{number}" for number in range(25)), 10)
    assert [len(text.split()) for text in found] == [10, 10, 5]


def test_scripts_without_spaces_are_cut_too() -> None:
    found = texts("<p>" + "雨が降った。" * 30, 30)
    assert set(found) == {"雨が降った。" * 5}
    assert [len(text) for text in texts("<p>" + "雨" * 100, 40)] == [40, 40, 20]


def test_formatting_goes_on_where_a_paragraph_is_cut() -> None:
    html = "<p>One <b>two. Three <i>four</i>. Five</b> six. <code>x. Y</code> seven.</p>"
    assert texts(html, 2) == ["One **two.**", "**Three <em>four</em>.**", "**Five** six.", "`x. Y`", "seven."]


def test_pieces_of_a_paragraph_know_their_place() -> None:
    html = "<p>One &amp; two.  Three\n<b>four. Five</b> six.</p>"
    page = Page.from_html(html)
    found = Extractor("alltext").extract(page).chunks(3)
    assert [page.text[slice(*chunk.span)] for chunk in found] == ["One & two.", "Three four.", "Five six."]
    assert [html[slice(*chunk.source)] for chunk in found if chunk.source] == [
        "One &amp; two.",
        "Three\n<b>four.",
        "Five</b> six.",
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('f <math><annotation encoding="application/x-tex">^', [("f", "f"), ("$^$", "^")]),
        ("<p><math alttext=}>=</math> i", [("$}$", "="), ("i", "i")]),
        ("<p>a <math alttext=x><mi>x</mi><mo>+</mo></math> b", [("a", "a"), ("$x$", "x+"), ("b", "b")]),
    ],
)
def test_a_formula_knows_its_place(html: str, expected: list[tuple[str, str]]) -> None:
    document = extract(html, method="alltext")
    check(document, 1)
    assert [(chunk.text, document.page.text[slice(*chunk.span)]) for chunk in document.chunks(1)] == expected


def test_emphasis_after_a_reference_is_read_back() -> None:
    html = 'one two <a href="#fn3">†</a><i>; three four five</i><p id="fn3">A note.'
    for count in range(1, 6):
        check(extract(html, method="alltext"), count)


def test_a_long_paragraph_of_formulas_alone_is_cut() -> None:
    formula = "<math alttext='x^2'><mi>x</mi></math>"
    document = extract(f"<p>{f'{formula} ' * 120}", method="alltext")
    check(document, 50)
    assert [chunk.text.count("$x^2$") for chunk in document.chunks(50)] == [50, 50, 20]
    for chunk in document.chunks(50):
        assert chunk.source
        assert document.page.html[slice(*chunk.source)].count("<math") == chunk.text.count("$x^2$") - 1


def test_formulas_without_a_place_never_go_back() -> None:
    drawn = '<img class="tex" alt="y^2">'
    html = f"<p>{drawn} a {drawn} b <math alttext=x>z</math> {drawn}</p>"
    document = extract(html, method="alltext")
    assert document.markdown().count("$y^2$") == 3
    for count in range(1, 6):
        check(document, count)


def test_a_chunk_of_moved_text_has_no_source() -> None:
    (chunk,) = chunks("<table>moved<tr><td>cell</table>", 300)
    assert chunk.source is None
    assert Extractor("alltext").extract(Page.from_text("Plain text.")).chunks()[0].source is None


def test_dropped_blocks_may_lie_between() -> None:
    page = Page.from_html("<p>One.<p><a href=/>Menu</a><p>Two.")
    document = Extractor("alltext").extract(page)
    kept = document.kept.copy()
    kept[1] = False
    document = Document(page, document.blocks, document.scores, kept, [(0, 4), (10, 14)], 0.5, None)
    (chunk,) = document.chunks()
    assert (chunk.text, chunk.span) == ("One.\n\nTwo.", (0, 14))


@pytest.mark.parametrize("count", [0, -3])
def test_a_chunk_has_at_least_one_word(count: int) -> None:
    with pytest.raises(UsageError, match=f"words must be at least 1, got {count}"):
        chunks("<p>x", count)


def test_a_chunk_shows_its_beginning() -> None:
    (chunk,) = chunks(f"<h1>A</h1>{prose(50)}", 100)
    assert repr(chunk) == (
        "Chunk('# A Word word word word word word word word word end. …', headings=('A',), span=(0, 251), "
        "source=(4, 262))"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "20 MB page"])
def test_hostile_pages_are_cut_in_bounded_time(name: str) -> None:
    document = Extractor("alltext").extract(HOSTILE[name]())
    for count in (20, 300):
        start = process_time()
        document.chunks(count)
        # As for writing every block with its place, which takes most of it.
        assert process_time() - start < 20, count


GROWING = {
    "headings": "<h1>a</h1><h2>b</h2><p>c d</p>",
    "only headings": "<h2>x y</h2>",
    "items": "<ol><li>a b<ul><li>c</ul></ol>",
    "terms": "<dl><dt>a b",
    "one paragraph": "It <b>rained</b>. ",
    "nested": "<ul><li>a b<blockquote><h3>c</h3>",
    "formulas": "a <math alttext=x display=block><mi>x</mi></math> b. ",
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", GROWING)
@pytest.mark.parametrize("count", [20, 300])
def test_cost_grows_no_faster_than_the_page(shape: str, count: int) -> None:
    def cost(size: int) -> float:
        document = Extractor("alltext").extract(GROWING[shape] * (size // len(GROWING[shape])))
        start = process_time()
        document.chunks(count)
        return process_time() - start

    cost(1000)
    assert cost(800_000) < 40 * cost(100_000) + 0.2


def test_chunks_of_a_document_are_the_same_every_time() -> None:
    document = Extractor("alltext").extract("<ol><li>One <b>two. Three</b> four.<li>Five.</ol>")
    assert document.chunks(2) == document.chunks(2)


def test_code_that_begins_with_white_space_has_a_source() -> None:
    document = extract("<pre><i>\n <b>a, you can</b></i></pre>", method="pyplexity")
    assert [document.page.html[slice(*chunk.source)].strip() for chunk in document.chunks(1) if chunk.source]


def test_a_section_may_have_exactly_as_many_words_as_a_chunk() -> None:
    html = "<h1>A</h1><p>One.<h2>B</h2><p>Two three four.<p>Five six seven."
    assert [chunk.text.split()[-1] for chunk in chunks(html, 7)] == ["One.", "seven."]
