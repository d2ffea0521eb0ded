import pytest

from dehusk import Page
from dehusk.metadata import Metadata, read
from tests.helpers.metadata import metadata_of

URL = "https://example.org/a/b"


def test_addresses_are_absolute() -> None:
    facts = metadata_of(
        '<base href="/en/"><link rel=canonical href=rain><meta property="og:image" content="//cdn.example/r.jpg">'
        "<a rel=license href=../terms>terms</a>",
        url=URL,
    )
    assert facts.url == "https://example.org/en/rain"
    assert facts.image == "https://cdn.example/r.jpg"
    assert facts.licence == "https://example.org/terms"


def test_unsafe_addresses_are_skipped() -> None:
    facts = metadata_of(
        '<link rel=canonical href="javascript:alert(1)"><meta property="og:url" content="https://example.org/c">',
        url=URL,
    )
    assert (facts.url, facts.origin["url"]) == ("https://example.org/c", "opengraph")


def test_the_address_defaults_to_where_the_page_was_fetched() -> None:
    facts = metadata_of("<p>x", url=URL)
    assert (facts.url, facts.origin["url"]) == ("https://example.org/a/b", "page")
    assert metadata_of("<p>x").url is None


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        ('<meta name=keywords content="rain, snow,rain, ">', ("rain", "snow")),
        ('<meta property="article:tag" content=rain><meta property="article:tag" content=snow>', ("rain", "snow")),
        ("<a rel=tag href=/r>#rain</a><a rel=tag href=/s>snow</a>", ("rain", "snow")),
        (f'<meta name=keywords content="{"x" * 200}">', ()),
    ],
)
def test_tags_come_from_the_first_source_that_has_any(html: str, tags: tuple[str, ...]) -> None:
    assert metadata_of(html).tags == tags


def test_site_description_and_licence_come_with_their_origin() -> None:
    facts = metadata_of(
        '<meta property="og:site_name" content="The News"><meta name=description content=" On\nrain. ">'
        '<meta name="dc.rights" content="CC BY 4.0">',
        url=URL,
    )
    assert (facts.site, facts.description, facts.licence) == ("The News", "On rain.", "CC BY 4.0")
    assert facts.origin == {
        "site": "opengraph", "description": "meta", "licence": "dublin core", "url": "page",
    }  # fmt: skip


def test_plain_text_has_no_metadata() -> None:
    page = Page.from_text("By Ann Example\nMay 2, 2024")
    assert read(page, page.text, language=False) == Metadata()


@pytest.mark.parametrize("url", [None, "page-1", "javascript:alert(1)"])
def test_addresses_are_absolute_or_none(url: str | None) -> None:
    html = (
        '<link rel=canonical href="/rain"><meta property="og:url" content="rain">'
        '<meta property="og:image" content="a.png"><link rel=license href="/cc">'
        '<script type="application/ld+json">{"@type": "Article", "url": "../rain", "image": "b.png"}</script>'
    )
    facts = metadata_of(html, url=url)
    assert (facts.url, facts.image, facts.licence) == (None, None, None)
    facts = metadata_of(f'<base href="https://example.org/a/">{html}', url=url)
    assert (facts.url, facts.image) == ("https://example.org/rain", "https://example.org/a/a.png")
    assert metadata_of('<base href="/a/"><link rel=canonical href="rain">', url=url).url is None
