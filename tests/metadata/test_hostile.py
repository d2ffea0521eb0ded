"""Hostile metadata: whatever a page claims, reading takes bounded time and every string is one clean line."""

import json
from dataclasses import fields
from time import process_time
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk import Page
from dehusk.metadata import Metadata, read
from tests.helpers.metadata import article_script, metadata_of

SCRIPT = '<script type="application/ld+json">{}</script>'
HEAD = "<title>Rain</title><h1>Rain</h1>"


def strings(facts: Metadata) -> list[str]:
    values = [getattr(facts, field.name) for field in fields(facts) if field.name != "origin"]
    flat = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
    return [each for each in flat if isinstance(each, str)]


def assert_clean(facts: Metadata) -> None:
    for text in strings(facts):
        assert text == " ".join(text.split())
        assert not {category(character) for character in text} & {"Cc", "Cs", "Zl", "Zp"}
        text.encode("utf-8")


PAGES = {
    "5 MB of JSON-LD": SCRIPT.format('{"@type": "Article", "headline": "' + "x" * 5_000_000 + '"}'),
    "JSON-LD of many nodes": SCRIPT.format(json.dumps([{"@type": "Article", "author": "Ann"}] * 20_000)),
    "JSON-LD nested 10,000 deep": SCRIPT.format('{"@graph":[' * 10_000 + "]}" * 10_000),
    "lists nested 10,000 deep": SCRIPT.format("[" * 10_000 + "]" * 10_000),
    "never closed": SCRIPT.format('{"@type": "Article", "author": {"name": "' * 5_000),
    "blanks before an author": SCRIPT.format('{"@type":"Article","author":' + " " * 160_000 + "oops"),
    "brackets before an author": SCRIPT.format('{"@type":"Article","author":' + "[ " * 80_000 + "oops"),
    "names of an author": SCRIPT.format('{"@type":"Article","author":{' + '"name" ' * 80_000 + "oops"),
    "commas and blanks": SCRIPT.format('{"@type":"Article"' + f",{' ' * 500}" * 1_000 + "oops"),
    "an author of dots": f'<meta name=author content="{"." * 500_000} x">'
    + SCRIPT.format('{"@type":"Article","author":"' + "." * 500_000 + ' x"}'),
    "20,000 authors": article_script(author=[f"Ann Example{number}" for number in range(20_000)]),
    "20,000 tags": "".join(f"<a rel=tag>{number}</a>" for number in range(20_000)),
    "20,000 site names": "".join(f"<meta property=og:site_name content='s {n}'>" for n in range(20_000)),
    "lone surrogates": SCRIPT.format('{"@type": "Article", "headline": "\\ud800", "author": "\\udfff Ann"}'),
    "numbers for strings": SCRIPT.format(
        '{"@type": 7, "headline": 1e999, "author": [1, {"name": 2}], "datePublished": -5, "image": 0, "@id": 3}'
    ),
    "a number of 100,000 digits": SCRIPT.format('{"@type": "Article", "datePublished": ' + "9" * 100_000 + "}"),
    "points at itself": SCRIPT.format(
        '{"@id": "#a", "@type": "Article", "author": {"@id": "#a"}, "name": {"@id": "#a"}}'
    ),
    "100,000 meta tags": '<meta name="author" content="Ann Example">' * 100_000,
    "100,000 names for a meta tag": "".join(f'<meta name="n{n}" content="x">' for n in range(100_000)),
    "a meta tag of 5 MB": f'<meta name=author content="{"Ann Example, " * 400_000}">',
    "50,000 headings": "<h1>Rain</h1>" * 50_000,
    "a heading of 2 MB": f"<h1>{'Rain - ' * 300_000}</h1>",
    "a title of 2 MB": f"<title>{'Rain | ' * 300_000}</title><h1>x</h1>",
    "50,000 time elements": "<h1>Rain</h1>" + "<time datetime=9999-99-99>9</time>" * 50_000,
    "50,000 dates": "<h1>Rain</h1><p>" + "1/1/2024 " * 50_000,
    "50,000 bylines": "<h1>Rain</h1>" + "<p>Written by nobody at all" * 50_000,
    "digits": "<h1>Rain</h1><p>" + "<br>".join(["20240502" * 20] * 2_000),
    "50,000 properties": "<p itemprop=author>x" * 50_000,
    "deep": "<div class=author>" * 20_000 + "Ann Example",
    "control characters": "<title>a\x01b\u2028c\u0085d&#x9f;e</title><meta name=author content='A\x02nn\nExample'>",
}


@pytest.mark.parametrize("name", PAGES)
def test_hostile_claims_are_cleaned(name: str) -> None:
    page = Page.from_html(HEAD + PAGES[name], url="https://example.org/")
    assert_clean(read(page, page.text, "article", language=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_hostile_claims_are_read_quickly(name: str) -> None:
    page = Page.from_html(HEAD + PAGES[name], url="https://example.org/")
    start = process_time()
    read(page, page.text, "article", language=False)
    assert process_time() - start < 1


def test_scripts_beyond_the_limit_are_skipped() -> None:
    huge = article_script(author="Ann Example", x="x" * 5_000_000)
    assert metadata_of(HEAD + huge).authors == ()
    assert metadata_of(HEAD + huge + article_script(author="Bob Nobody")).authors == ("Bob Nobody",)


@pytest.mark.parametrize(
    "script",
    [
        '{"@type": "Article", "author": "Ann Example",}',
        '<!-- {"@type": "Article", "author": "Ann Example"} -->',
        '/* <![CDATA[ */ {"@type": "Article", "author": {"name": "Ann Example"}} /* ]]> */',
        '{"@type": "Article", "author": {"@type": "Person", "name": "Ann Example"}, "text": "a "quoted" word"}',
        '{"@type": "Article",\n "headline": "a\nb", "author": "Ann Example"}',
        '{"@type": "Article", "author": "Ann Example"};',
    ],
)
def test_broken_scripts_are_repaired_or_searched(script: str) -> None:
    facts = metadata_of(HEAD + SCRIPT.format(script))
    assert facts.authors == ("Ann Example",)


def test_a_list_of_teasers_is_not_the_article() -> None:
    teasers = [{"@type": "Article", "headline": f"Article {n}", "author": "Ann Example"} for n in range(10)]
    assert metadata_of(HEAD + SCRIPT.format(json.dumps(teasers))).authors == ()
    teasers[7]["headline"] = "Rain"
    teasers[7]["author"] = "Bob Nobody"
    assert metadata_of(HEAD + SCRIPT.format(json.dumps(teasers))).authors == ("Bob Nobody",)


KEYS = st.sampled_from(
    ["@type", "@graph", "@id", "name", "headline", "author", "datePublished", "keywords", "image", "license", "@list"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
PIECES = st.sampled_from(
    ["<h1>", "</h1>", "<p class=author>", "By ", "May 2, 2024", "<time datetime=", ">", "<meta name="]
)
ATTRIBUTES = st.sampled_from(["author", "og:title", "date", "keywords", "og:image", "dc.creator", "twitter:label1"])


@given(
    linked=VALUES,
    names=st.lists(st.tuples(ATTRIBUTES, st.text(max_size=30)), max_size=4),
    body=st.lists(PIECES | st.text(max_size=15), max_size=12),
    url=st.none() | st.text(max_size=30),
    kind=st.none() | st.sampled_from(["article", "product", "forum"]),
)
@settings(max_examples=150, deadline=None)
def test_reading_never_fails_and_returns_clean_lines(
    linked: object, names: list[tuple[str, str]], body: list[str], url: str | None, kind: str | None
) -> None:
    metas = "".join(f'<meta name="{name}" content="{value}">' for name, value in names)
    script = article_script(**{"author": linked, "@graph": linked})
    page = Page.from_html(script + metas + "".join(body), url=url)
    facts = read(page, page.text, kind, language=False)
    assert_clean(facts)
    assert set(facts.origin) == {
        field.name for field in fields(facts) if field.name != "origin" and getattr(facts, field.name)
    }
