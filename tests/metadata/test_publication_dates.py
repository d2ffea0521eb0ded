import pytest

from tests.helpers.metadata import article_script, metadata_of


@pytest.mark.parametrize(("lang", "date"), [("en-US", "2024-03-04"), ("en-GB", "2024-04-03"), ("fr", "2024-04-03")])
def test_the_language_decides_whether_the_day_comes_first(lang: str, date: str) -> None:
    assert metadata_of(f"<html lang={lang}><h1>Rain</h1><p>03/04/2024").published == date


@pytest.mark.parametrize(
    ("html", "url", "date", "origin"),
    [
        (article_script(datePublished="2024-05-02"), None, "2024-05-02", "json-ld"),
        ('<meta property="article:published_time" content="2024-05-02">', None, "2024-05-02", "opengraph"),
        ('<meta name="dc.date.issued" content="2024-05-02">', None, "2024-05-02", "dublin core"),
        ('<meta name="parsely-pub-date" content="2024-05-02">', None, "2024-05-02", "meta"),
        ("<p itemprop=datePublished content=2024-05-02>Thursday", None, "2024-05-02", "microdata"),
        ("<h1>Rain</h1><time datetime=2024-05-02>3 days ago</time>", None, "2024-05-02", "text"),
        ("<h1>Rain</h1><p>May 2, 2024", None, "2024-05-02", "text"),
        ("<p>May 2, 2024<h1>Rain</h1>", None, "2024-05-02", "text"),
        ("<h1>Rain</h1><p>Text", "https://example.org/2024/05/02/rain", "2024-05-02", "url"),
        ("<h1>Rain</h1>" + "<p>x" * 30 + "<p>Posted on May 2, 2024", None, "2024-05-02", "text"),
        ("<h1>Rain</h1>" + "<p>x" * 30 + "<time datetime=2024-05-02>then</time>", None, "2024-05-02", "time"),
        (article_script(datePublished="2024-05-09") + "<h1>Rain</h1><p>May 2, 2024", None, "2024-05-02", "text"),
        (article_script(datePublished="2024-05-02") + "<h1>Rain</h1><p>May 9, 2024", None, "2024-05-02", "json-ld"),
    ],
)
def test_dates_are_found_in_every_source(html: str, url: str | None, date: str, origin: str) -> None:
    facts = metadata_of(html, url=url)
    assert (facts.published, facts.origin["published"]) == (date, origin)


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Rain</h1><p>It rained from May 2, 2024 on for a week and more, and nobody in the whole town went out.",
        "<h1>Rain</h1><p>© May 2, 2024",
        "<h1>Rain</h1><p>Joined: May 2, 2024",
        "<h1>Rain</h1><p>Deadline: May 2, 2024",
        "<h1>Rain of 2 May 2024</h1>",
        '<meta name="date" content="9999-99-99">',
        article_script(datePublished=20240502.5),
    ],
)
def test_other_dates_are_not_the_publication_date(html: str) -> None:
    facts = metadata_of(html)
    assert facts.published is None
    assert "published" not in facts.origin


@pytest.mark.parametrize(
    "line",
    [
        "May 2, 2024, updated June 3, 2024",
        "Updated June 3, 2024 | Published May 2, 2024",
        "2. Mai 2024 (aktualisiert am 3. Juni 2024)",
    ],
)
def test_publication_and_modification_are_told_apart(line: str) -> None:
    facts = metadata_of(f"<h1>Rain</h1><p>{line}")
    assert (facts.published, facts.modified) == ("2024-05-02", "2024-06-03")


def test_dates_on_product_pages_are_not_publication_dates() -> None:
    html = "<h1>Boots</h1><p>May 2, 2024"
    assert metadata_of(html, kind="article").published == "2024-05-02"
    assert metadata_of(html, kind="product").published is None
