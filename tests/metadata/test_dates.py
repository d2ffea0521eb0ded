import json

import pytest

from dehusk import Page
from dehusk.metadata import Metadata, read
from dehusk.metadata.dates import machine, written
from dehusk.metadata.months import NAMES, month


def found(html: str, url: str | None = None, kind: str | None = None) -> Metadata:
    page = Page.from_html(html, url=url)
    return read(page, page.text, kind, language=False)


def linked(**facts: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", **facts})}</script>'


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2024-05-02", "2024-05-02"),
        ("2024-05-02T10:20:30Z", "2024-05-02T10:20:30Z"),
        ("2024-05-02T10:20:30.123+0200", "2024-05-02T10:20:30+02:00"),
        ("2024-05-02 10:20", "2024-05-02T10:20:00"),
        ("2024-05-02T10:20:30+02", "2024-05-02T10:20:30+02:00"),
        ("2024-05-02T99:99:99", "2024-05-02"),
        ("20240502", "2024-05-02"),
        ("20240502T102030Z", "2024-05-02T10:20:30Z"),
        ("2024/5/2", "2024-05-02"),
        ("Thu, 02 May 2024 08:20:30 GMT", "2024-05-02"),
        ("Thu May 02 2024 08:20:30 GMT+0000", "2024-05-02"),
        ("1714638030", "2024-05-02T08:20:30Z"),
        ("1714638030000", "2024-05-02T08:20:30Z"),
        ("9999-99-99", None),
        ("2024-02-30", None),
        ("0001-01-01T00:00:00", None),
        ("1970-01-01", None),
        ("2024", None),
        ("May 2024", None),
        ("yesterday", None),
        ("", None),
        ("2" * 100_000, None),
    ],
)
def test_machines_write_dates_in_many_ways(value: str, date: str | None) -> None:
    assert machine(value) == date


@pytest.mark.parametrize(
    "text",
    [
        "May 2, 2024", "May 2nd, 2024", "2 May 2024", "2nd of May 2024", "02-May-2024", "MAY 2, 2024",
        "Thu, May 2 2024",
        "2. Mai 2024", "2 mai 2024", "2 de mayo de 2024", "2 maggio 2024", "2 de maio de 2024", "2 mei 2024",
        "2 maja 2024", "2 мая 2024", "2 maj 2024", "2 Μαΐου 2024", "2 Mayıs 2024", "2 toukokuuta 2024",
        "2. května 2024", "2 مايو 2024",
        "2024年5月2日", "2024 年 5 月 2 日", "2024년 5월 2일", "2024. május 2.", "2024-05-02", "2024/05/02", "2.5.2024",
        "5/2/2024", "Posted on May 2, 2024 at 10:20", "By Ann Example•May 2, 2024•5 min read",
    ],
)  # fmt: skip
def test_people_write_dates_in_many_languages(text: str) -> None:
    assert [day.date for day in written(text)] == ["2024-05-02"]


@pytest.mark.parametrize(
    "text",
    [
        "5 Marketing, 2024",
        "Top 10 in 2024",
        "2024 in 12 pictures",
        "32/13/2024",
        "1.2.2024.5",
        "May 2024",
        "00.00.2024",
    ],
)
def test_other_numbers_are_no_dates(text: str) -> None:
    assert written(text) == []


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "el", "ar"])
def test_every_month_is_known(language: str) -> None:
    names = NAMES[language].split()
    assert [{month(form) for form in name.split("|")} for name in names] == [{number} for number in range(1, 13)]


@pytest.mark.parametrize(("lang", "date"), [("en-US", "2024-03-04"), ("en-GB", "2024-04-03"), ("fr", "2024-04-03")])
def test_the_language_tells_whether_the_day_comes_first(lang: str, date: str) -> None:
    assert found(f"<html lang={lang}><h1>Rain</h1><p>03/04/2024").published == date


@pytest.mark.parametrize(
    ("html", "url", "date", "origin"),
    [
        (linked(datePublished="2024-05-02"), None, "2024-05-02", "json-ld"),
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
        (linked(datePublished="2024-05-09") + "<h1>Rain</h1><p>May 2, 2024", None, "2024-05-02", "text"),
        (linked(datePublished="2024-05-02") + "<h1>Rain</h1><p>May 9, 2024", None, "2024-05-02", "json-ld"),
    ],
)
def test_dates_are_found_where_pages_tell_them(html: str, url: str | None, date: str, origin: str) -> None:
    facts = found(html, url)
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
        linked(datePublished=20240502.5),
    ],
)
def test_no_date_is_made_up(html: str) -> None:
    facts = found(html)
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
def test_writing_is_told_from_changing(line: str) -> None:
    facts = found(f"<h1>Rain</h1><p>{line}")
    assert (facts.published, facts.modified) == ("2024-05-02", "2024-06-03")


def test_a_shop_shows_dates_of_other_things() -> None:
    html = "<h1>Boots</h1><p>May 2, 2024"
    assert found(html, kind="article").published == "2024-05-02"
    assert found(html, kind="product").published is None
