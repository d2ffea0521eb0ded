"""The headline: found on the page, kept or dropped on request, and the title that formats begin with."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dehusk import Document, Extractor, Page, Scores, UsageError, extract
from dehusk.blocks import Blocks, cut
from dehusk.methods.base import Capabilities
from dehusk.selection.headline import MAX_LENGTH, Headline, find_headline, rows, says_the_same
from testing.readback import READERS
from tests.helpers.cuts import by_leaf

NAV = "<nav><a href=/>Home</a> <a href=/weather>Weather</a> <a href=/sport>Sport</a></nav>"
BODY = "".join(
    f"<p>It rained on {day}, and it went on raining through the night, so that nobody left the house before noon, and "
    "the streets of the town were as empty as the fields around it.</p>"
    for day in ("Monday", "Tuesday", "Wednesday")
)
HEAD = "<title>All about the rain | Town Weather</title>"
PAGE = f"{HEAD}{NAV}<h1>All about <i>the rain</i></h1>{BODY}<footer><a href=/imprint>Imprint</a></footer>"
URL = "https://weather.example/2026/rain"
WITH_TITLE = ("markdown", "html", "tei")
BY_SCORE = ("text", "json", "xml", "cleaneval")


def headline(html: str, kind: str | None = "article") -> str | None:
    found = find_headline(Page.from_html(html, url=URL), kind)
    return found and (found.title if found.span is None else Page.from_html(html).text[slice(*found.span)])


def on_page(html: str) -> bool:
    found = find_headline(Page.from_html(html, url=URL), None)
    return bool(found and found.span)


def shown(document: Document, name: str) -> str:
    """Return what readers of a format see."""
    return READERS[name][0](document.render(name))


def body(document: Document, name: str) -> str:
    """Return an output without its head."""
    return document.render(name).rpartition("<body>")[2]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (PAGE, "All about the rain"),
        (f"<title>Rain</title>{NAV}<h1>Rain</h1>{BODY}", "Rain"),
        (f"<title>Rain</title><h1>Town Weather</h1><h2>Sun</h2><h2>Rain</h2>{BODY}", "Rain"),
        (f"<title>How much rain fell</title><h1>Rain: how much fell in May</h1>{BODY}", "Rain: how much fell in May"),
        (f"<meta property=og:title content='All about rain'>{NAV}<div>All about rain</div>{BODY}", "All about rain"),
        (f"<h1>Rain</h1>{BODY}", "Rain"),
    ],
)
def test_the_headline_is_the_block_that_says_the_title(html: str, found: str) -> None:
    assert headline(html) == found
    assert on_page(html)
    block = extract(html, url=URL).headline
    assert block
    assert block.text == found


@pytest.mark.parametrize(
    "html",
    [
        f"<title>All about the rain</title><h1>Stay dry!</h1>{BODY}",
        f"<title>All about the rain</title>{BODY}",
        f"<title>All about the rain</title><p><a href=/rain>All about the rain</a>{BODY}",  # a link to itself
    ],
)
def test_a_title_that_the_page_does_not_show_has_no_block(html: str) -> None:
    assert headline(html) == "All about the rain"
    assert extract(html, url=URL).headline is None


def test_the_name_of_the_site_is_no_headline() -> None:
    name = "<meta property=og:site_name content='Town Weather'><title>Town Weather</title>"
    assert headline(f"{name}{NAV}{BODY}") is None
    assert headline(f"{name}{NAV}<h1>Town Weather</h1>{BODY}") is None
    front = Page.from_html(f"<title>News of the town and its weather</title>{BODY}", url="https://weather.example/")
    assert find_headline(front, None) is None


def test_the_heading_of_a_product_is_its_name() -> None:
    html = f"<title>Feel fresh again</title><h1>Umbrella 7</h1>{BODY}"
    assert (headline(html, "product"), headline(html, "service")) == ("Umbrella 7", "Feel fresh again")


@pytest.mark.parametrize(
    "html",
    ["", "<p>x", "<title></title>x", "<h1></h1>x", "<meta property=og:site_name content=Town><title>| Town</title>x"],
)
def test_pages_without_a_title_have_no_headline(html: str) -> None:
    assert headline(html) is None
    assert extract(html).headline is None
    assert extract(b"%PDF-1.4").headline is None


def test_running_text_in_a_heading_is_no_headline() -> None:
    words = "rain " * (MAX_LENGTH // 4)
    assert headline(f"<title>Rain</title><h1>{words}</h1>{BODY}") is None
    assert headline(f"<title>{words}</title>{BODY}") is None


def test_a_headline_that_a_method_cuts_into_blocks_is_one() -> None:
    document = by_leaf("<title>All about the rain</title><h1>All <b>about</b> the rain</h1><p>Rain.", [0.9] * 3 + [0.1])
    assert document.headline
    assert document.headline.text == "All about the rain"
    assert document.text == "Rain."


def test_two_blocks_in_one_heading_are_written_as_one_heading() -> None:
    document = extract(f"<title>Rain in May</title>{NAV}<h1><div>Rain</div><div>in May</div></h1>{BODY}", url=URL)
    assert document.headline
    assert document.headline.text == "Rain\nin May"
    assert document.markdown().startswith("# Rain in May\n\nIt rained")


def test_formats_for_readers_begin_with_the_title_and_the_others_follow_the_scores() -> None:
    document = extract(PAGE, url=URL, threshold=0.2)  # strict enough to drop the headline
    assert document.text.startswith("It rained on Monday")
    assert document.markdown().startswith("# All about *the rain*\n\nIt rained on Monday")
    assert body(document, "html").startswith("\n<h1>All about <em>the rain</em></h1>\n<p>It rained on Monday")
    assert body(document, "tei").startswith('\n<div>\n<head>All about <hi rend="italic">the rain</hi></head>\n<p>It')
    assert json.loads(document.json())["text"] == document.text
    for name in BY_SCORE:
        assert "the rain" not in shown(document, name)


def test_a_title_that_only_the_head_has_is_added() -> None:
    document = extract(f"{HEAD}{NAV}{BODY}", url=URL)
    assert document.markdown().startswith("# All about the rain\n\nIt rained on Monday")
    assert "All about" not in document.text


@pytest.mark.parametrize("name", ["alltext", "bte", "texrex"])
def test_the_methods_of_papers_write_what_they_keep(name: str) -> None:
    html = f"{HEAD}{NAV}{BODY}"
    document = Extractor(name).extract(html, url=URL)
    assert "All about" not in document.markdown()
    assert Extractor(name, headline="keep").extract(html, url=URL).markdown().startswith("# All about the rain\n\n")


def test_the_headline_is_kept_on_request() -> None:
    document = extract(PAGE, url=URL, headline="keep")
    assert document.text.startswith("All about the rain\nIt rained on Monday")
    assert document.markdown() == extract(PAGE, url=URL).markdown()
    assert json.loads(document.json())["blocks"][0]["kind"] == "heading"
    for name in (*WITH_TITLE, *BY_SCORE):
        assert shown(document, name).count("All about") == 1


def test_the_headline_is_dropped_on_request() -> None:
    for threshold in (0.5, 1.0):
        document = extract(PAGE, url=URL, headline="drop", threshold=threshold)
        assert document.headline
        assert not document.kept[document.blocks.strings().index("All about the rain")]
        for name in (*WITH_TITLE, *BY_SCORE):
            assert "All about" not in shown(document, name)
    assert "All about" not in extract(f"{HEAD}{BODY}", url=URL, headline="drop").markdown()


def test_a_choice_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(UsageError, match="headline must be 'auto', 'keep' or 'drop', got 'on'"):
        extract(PAGE, headline="on")  # type: ignore[arg-type]


@pytest.mark.parametrize("choice", ["auto", "keep", "drop"])
def test_a_page_without_main_text_stays_empty(choice: Any) -> None:
    document = Extractor(threshold=0.0, headline=choice).extract(PAGE)
    outputs = [document.text, document.markdown(), *(chunk.text for chunk in document.chunks())]
    assert "".join(outputs) == ""
    assert str(document.reason) == "no main text"
    assert "<h1>" not in document.html()
    short = Extractor(min_length=10_000, headline=choice).extract(PAGE)
    assert short.markdown() == ""


@pytest.mark.parametrize(
    ("title", "first", "begin"),
    [
        ("Rain in May", "<h1>Rain in May</h1>", "# Rain in May\n\nIt rained"),
        ("Rain in May", "<h2>Rain in May!</h2>", "# Rain in May!\n\nIt rained"),
        ("Rain in May", "<p><b>RAIN IN MAY</b></p>", "# **RAIN IN MAY**\n\nIt rained"),
        ("Rain in May and in June", "<h2>Rain in May</h2>", "# Rain in May\n\nIt rained"),
        ("Rain in May", "<h3>Rain in May: a diary</h3>", "# Rain in May: a diary\n\nIt rained"),
        ("Rain | All the News of the Town and its Weather", "<h2>Rain</h2>", "# Rain\n\nIt rained"),
        ("Rain in May", "<p>20 May</p><p>Rain in May</p>", "20 May\n\n# Rain in May\n\nIt rained"),
        ("Rain in May", "<h1>A diary</h1>", "# A diary\n\nIt rained"),
        ("Rain in May", "<h2>A diary</h2>", "# Rain in May\n\n## A diary\n\nIt rained"),
        ("Rain in May", "<ul><li>Rain in May</ul>", "# Rain in May\n\n- Rain in May\n\nIt rained"),
    ],
)
def test_the_title_is_written_once(title: str, first: str, begin: str) -> None:
    page = Page.from_html(f"<title>{title}</title>{first}{BODY}", url=URL)
    document = Extractor(threshold=1.0).extract(page)
    assert document.markdown().startswith(begin)
    assert [word for chunk in document.chunks(30) for word in chunk.text.split()] == document.markdown().split()


def test_a_dropped_headline_after_kept_text_moves_to_the_beginning() -> None:
    html = f"<title>All about the rain</title>{BODY}<h1>All about the rain</h1>{BODY}"
    document = Extractor(Planted([0, 0, 0, 1, 0, 0, 0])).extract(html, url=URL)
    assert document.markdown().startswith("# All about the rain\n\nIt rained on Monday")
    starts = [chunk.span[0] for chunk in document.chunks(40)]
    assert starts == sorted(starts)


def test_levels_of_other_headings_stay() -> None:
    document = extract(f"{HEAD}{NAV}<h2>Spring</h2>{BODY}<h3>May</h3>{BODY}", url=URL)
    headings = [line for line in document.markdown().splitlines() if line.startswith("#")]
    assert headings == ["# All about the rain", "## Spring", "### May"]


def test_chunks_are_under_the_title() -> None:
    chunks = extract(PAGE, url=URL).chunks(30)
    assert chunks[0].text.startswith("# All about *the rain*\n\nIt rained on Monday")
    assert {chunk.headings for chunk in chunks} == {("All about the rain",)}
    assert all(before.span[1] <= after.span[0] for before, after in pairwise(chunks))


def test_every_block_is_written_without_a_title_of_its_own() -> None:
    document = extract(f"{HEAD}{NAV}{BODY}", url=URL)
    assert "All about" not in document.render("markdown", every=True)


def test_front_matter_comes_before_the_title() -> None:
    text = extract(PAGE, url=URL).markdown(metadata=True)
    assert text.startswith('---\ntitle: "All about the rain"\n')
    assert "\n---\n\n# All about *the rain*\n\n" in text


@pytest.mark.parametrize("one", ["Rain", "RAIN!", "Rain | Town", "Rain…"])
def test_forms_of_a_title_say_the_same(one: str) -> None:
    assert says_the_same(one, "Rain")
    assert says_the_same("Rain", one)


@pytest.mark.parametrize("other", ["", "!", "It rained all day.", "Sun", "Rainy", "A rainbow"])
def test_other_texts_do_not(other: str) -> None:
    assert not says_the_same("Rain", other)


def test_titles_are_compared_by_words_in_any_script() -> None:
    assert says_the_same("Rain again", "Rain—again, all day")
    assert not says_the_same("Art is on", "Smart is on")
    assert says_the_same("U.S. rain", "US rain")
    assert says_the_same("大雨", "大雨又来")


class Planted:
    """A method with given scores that wants the rules after them."""

    name = "planted"
    capabilities = Capabilities(refines=True)

    def __init__(self, scores: list[float]) -> None:
        self._scores = scores

    def segment(self, page: Page) -> Any:
        return cut(page)

    def score(self, page: Page, blocks: Any) -> Any:
        return Scores(blocks, np.array(self._scores, np.float64), self.name)


def test_a_block_with_more_text_outside_of_the_headline_is_not_the_headline() -> None:
    blocks = Blocks.of(("Rain in May", 0), ("Rain and what", 0))
    assert rows(blocks, (0, 11)) == range(1)
    assert rows(blocks, (0, 6)) == range(1)  # more than half of it
    assert rows(blocks, (0, 5)) == range(0)


def test_a_few_words_of_a_long_title_do_not_say_the_same() -> None:
    assert says_the_same("Rain in May", "Rain in May, and sun")
    assert not says_the_same("Rain", "Rain in May, and then the sun")


@pytest.mark.parametrize(("path", "is_front"), [("", True), ("/", True), ("/?p=7", False), ("/rain", False)])
def test_what_only_the_head_of_a_front_page_says_is_no_headline(path: str, is_front: bool) -> None:
    page = Page.from_html("<title>All about rain</title><p>It rained.", url=f"https://example.org{path}")
    assert find_headline(page, None) == (None if is_front else Headline("All about rain", None))
