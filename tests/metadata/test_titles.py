import pytest

from dehusk.metadata.titles import without_site
from tests.helpers.metadata import article_script, metadata_of


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
def test_the_title_is_what_head_and_heading_agree_on(html: str, title: str, origin: str) -> None:
    facts = metadata_of(html)
    assert (facts.title, facts.origin["title"]) == (title, origin)


def test_the_host_gives_the_name_of_the_site() -> None:
    html = "<title>Rain in the hills of the far north tonight - The Weather Tribune of the North</title>"
    assert metadata_of(html).title == "Rain in the hills of the far north tonight - The Weather Tribune of the North"
    url = "https://www.weathertribune.example/a"
    assert metadata_of(html, url=url).title == "Rain in the hills of the far north tonight"


def test_headings_of_service_pages_are_slogans() -> None:
    html = "<title>Pest control in Moortal</title><h1>Your home, our pest control</h1>"
    assert metadata_of(html, kind="article").title == "Your home, our pest control"
    assert metadata_of(html, kind="service").title == "Pest control in Moortal"


def test_a_page_without_a_title_has_none() -> None:
    facts = metadata_of("<p>Text")
    assert facts.title is None
    assert "title" not in facts.origin


def test_json_ld_gives_a_title_if_nothing_else_does() -> None:
    facts = metadata_of(article_script(headline="A title") + "<p>Text")
    assert (facts.title, facts.origin["title"]) == ("A title", "json-ld")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Der Film «Regen im Mai» kommt ins Kino", "Der Film «Regen im Mai» kommt ins Kino"),
        ("Le film « Pluie en mai » sort en salle", "Le film « Pluie en mai » sort en salle"),
        ("Lange erwartet: »Regen im Mai«", "Lange erwartet: »Regen im Mai«"),
        ("The long film «Rain in May» | Example News", "The long film «Rain in May»"),
        ("The long film «Rain in May» - Example News", "The long film «Rain in May»"),
        ("The long rain in May » Example News", "The long rain in May"),
        ("The long rain in May « Example News", "The long rain in May"),
    ],
)
def test_quotation_marks_do_not_separate(title: str, expected: str) -> None:
    assert without_site(title, {"examplenews"}) == expected
    assert metadata_of(f"<title>{title}</title><p>x").title == expected


def test_a_heading_that_is_the_last_part_of_a_title_is_the_book_unless_the_site_comes_first() -> None:
    book = "<title>Rain in the spring - Weather for all</title><h1>Weather for all</h1><p>x"
    assert metadata_of(book).title == "Rain in the spring"
    site = '<meta property="og:site_name" content="Daily News">'
    assert metadata_of(f"{site}<title>Daily News - Rain</title><h1>Rain</h1><p>x").title == "Rain"


def test_a_claim_that_is_a_small_part_of_a_heading_is_not_the_title() -> None:
    html = "<title>Rain</title><h1>{}</h1><p>x"
    assert metadata_of(html.format("Rain in the mountains and what it does")).title != "Rain"
    assert metadata_of(html.format("Rain (7)")).title == "Rain"
