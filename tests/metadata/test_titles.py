import pytest

from dehusk import Page
from dehusk.metadata import Metadata, read


def found(html: str, url: str | None = None, kind: str | None = None) -> Metadata:
    page = Page.from_html(html, url=url)
    return read(page, page.text, kind, language=False)


@pytest.mark.parametrize(
    ("html", "title", "origin"),
    [
        ("<title>A rather long title - Example News</title>", "A rather long title", "title"),
        ("<title>Example News: A title</title><h1>A title</h1>", "A title", "heading"),
        ('<meta property="og:title" content="A title"><title>A title | The News</title>', "A title", "opengraph"),
        ("<title>Rain</title><h1>Example</h1><h1>Rain</h1>", "Rain", "heading"),
        ("<title>Two days of rain</title><h1>Three days of rain</h1>", "Three days of rain", "heading"),
        ("<title>Two days of rain</title><h1>Subscribe now</h1>", "Two days of rain", "title"),
        ("<title>Rain all week (87)</title><h1>Rain all week</h1>", "Rain all week", "heading"),
        ("<title>Rain all week</title><h1>Rain all week 87 comments</h1>", "Rain all week", "title"),
        (
            "<title>Rain - and what it does | News</title><h1>Rain - and what it does</h1>",
            "Rain - and what it does",
            "heading",
        ),
        ("<title>Rain and snow | Opinion</title><h1>Rain and snow | Opinion</h1>", "Rain and snow", "title"),
        ("<title>Chapter two of it - The Book</title><h1>The Book</h1>", "Chapter two of it", "title"),
        ("<h1>Only a<br>heading</h1>", "Only a heading", "heading"),
        ("<h1><style>a{b:c}</style>Styled</h1>", "Styled", "heading"),
        ("<title>Fish &amp;amp; chips</title>", "Fish & chips", "title"),
        ("<h1>Configuration¶</h1>", "Configuration", "heading"),
    ],
)
def test_a_title_is_what_head_and_heading_agree_on(html: str, title: str, origin: str) -> None:
    facts = found(html)
    assert (facts.title, facts.origin["title"]) == (title, origin)


def test_the_host_tells_the_name_of_the_site() -> None:
    html = "<title>Rain in the hills of the far north tonight - The Weather Tribune of the North</title>"
    assert found(html).title == "Rain in the hills of the far north tonight - The Weather Tribune of the North"
    assert found(html, "https://www.weathertribune.example/a").title == "Rain in the hills of the far north tonight"


def test_a_page_that_sells_has_a_slogan_for_its_heading() -> None:
    html = "<title>Pest control in Moortal</title><h1>Your home, our pest control</h1>"
    assert found(html, kind="article").title == "Your home, our pest control"
    assert found(html, kind="service").title == "Pest control in Moortal"


def test_a_page_without_a_title_has_none() -> None:
    facts = found("<p>Text")
    assert facts.title is None
    assert "title" not in facts.origin


def test_linked_data_gives_a_title_where_nothing_else_does() -> None:
    facts = found('<script type="application/ld+json">{"@type": "Article", "headline": "A title"}</script><p>Text')
    assert (facts.title, facts.origin["title"]) == ("A title", "json-ld")
