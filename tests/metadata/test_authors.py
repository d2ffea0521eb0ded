import pytest

from dehusk.metadata.authors import names_in_byline, names_in_claims
from tests.helpers.metadata import article_script, metadata_of


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("Ann Example", ("Ann Example",)),
        ("By Ann Example", ("Ann Example",)),
        ("Ann Example, Bob Nobody", ("Ann Example", "Bob Nobody")),
        ("Ann Example and Bob Nobody", ("Ann Example", "Bob Nobody")),
        ("Ann Example & Bob Nobody; Ann Example", ("Ann Example", "Bob Nobody")),
        ("Fish & Chips", ("Fish & Chips",)),
        ("Ann Example, MD, PhD", ("Ann Example",)),
        ("Ann Example MD", ("Ann Example",)),
        ("Ann Example, Senior Editor", ("Ann Example",)),
        ("Staff Writer", ("Staff Writer",)),
        ("Dr. Ann Example (Berlin)", ("Dr. Ann Example",)),
        ("David Example", ("David Example",)),
        ("Von Ann Example und Bob von Nobody", ("Ann Example", "Bob von Nobody")),
        ("https://example.org/ann", ()),
        ("ann@example.org", ()),
        ("@ann", ()),
        ("page.head.author", ()),
        ("admin", ()),
        ("March", ()),
        ("", ()),
    ],
)
def test_machine_readable_claims_are_split_into_names(claim: str, names: tuple[str, ...]) -> None:
    assert names_in_claims([claim]) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Ann Example | Updated May 2, 2024", ("Ann Example",)),
        ("By Ann ExamplePublished: May 2", ("Ann Example",)),
        ("ByAnn Example", ("Ann Example",)),
        ("Written by Ann Example on May 2", ("Ann Example",)),
        ("Par Anne Exemple et Jean Personne", ("Anne Exemple", "Jean Personne")),
        ("Por Ana Ejemplo", ("Ana Ejemplo",)),
        ("Di Anna Esempio", ("Anna Esempio",)),
        ("Door Anna van Voorbeeld", ("Anna van Voorbeeld",)),
        ("Av Anna Exempel", ("Anna Exempel",)),
        ("Автор: Анна Пример", ("Анна Пример",)),
        ("作者：三木花子", ("三木花子",)),
        ("بقلم: سارة المثال | 2 مايو 2024", ("سارة المثال",)),
        ("كتب: سامي النموذج", ("سامي النموذج",)),
        ("كتب الأطفال", ()),  # books for children
        ("By The News Desk", ("The News Desk",)),
        ("By the way, it rained", ()),
        ("By rail and road", ()),
        ("Ann Example", ()),
        ("By May 2, 2024", ()),
    ],
)
def test_bylines_are_read_in_many_languages(text: str, names: tuple[str, ...]) -> None:
    assert names_in_byline(text) == names


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Ann Example", ("Ann Example",)),
        ({"name": "Ann Example"}, ("Ann Example",)),
        ([{"name": "Ann Example"}, "Bob Nobody"], ("Ann Example", "Bob Nobody")),
        ({"@list": [{"name": "Ann Example"}]}, ("Ann Example",)),
        ({"givenName": "Ann", "familyName": "Example"}, ("Ann Example",)),
        ({"name": ["Ann Example"]}, ("Ann Example",)),
        (7, ()),
        ({"name": 7}, ()),
        ([[], {}, None, True], ()),
    ],
)
def test_json_ld_has_authors_in_many_shapes(author: object, names: tuple[str, ...]) -> None:
    assert metadata_of(article_script(author=author) + "<h1>Rain</h1>").authors == names


@pytest.mark.parametrize(
    ("html", "names", "origin"),
    [
        ('<meta name="author" content="Ann Example">', ("Ann Example",), "meta"),
        ('<meta property="article:author" content="Ann Example">', ("Ann Example",), "opengraph"),
        ('<meta name="dc.creator" content="Example, Ann">', ("Ann Example",), "dublin core"),
        (
            '<meta name="citation_author" content="Example, Ann"><meta name="citation_author" content="Nobody, Bob">',
            ("Ann Example", "Bob Nobody"),
            "meta",
        ),
        ("<h1>Rain</h1><p itemprop=author itemscope><b itemprop=name>Ann Example</b>", ("Ann Example",), "microdata"),
        ('<h1>Rain</h1><p class="post-author">Ann Example', ("Ann Example",), "byline"),
        ("<h1>Rain</h1><p><span class=author>Ann Example</span> <time>May 2, 2024</time>", ("Ann Example",), "byline"),
        ("<h1>Rain</h1><p>May 2, 2024 · By Ann Example", ("Ann Example",), "byline"),
        ("<h1>Rain</h1><p>Text.<p>More text." + "<p>x" * 30 + "<p>Written by Ann Example", ("Ann Example",), "byline"),
        ("<h1>Rain</h1><p>Text." + "<p>x" * 30 + "<p>Written by<p>Ann Example", ("Ann Example",), "byline"),
        ("<h1>Rain</h1><p>Text." + "<p>x" * 30 + "<a rel=author href=/ann>Ann Example</a>", ("Ann Example",), "rel"),
        ("<h1>Rain</h1><p class=username>rain_lover7", ("rain_lover7",), "byline"),
    ],
)
def test_authors_are_found_in_every_source(html: str, names: tuple[str, ...], origin: str) -> None:
    facts = metadata_of(html)
    assert (facts.authors, facts.origin["authors"]) == (names, origin)


@pytest.mark.parametrize(
    "html",
    [
        '<h1>Rain</h1><p class="author-bio">Ann Example',
        "<h1>Rain</h1><div class=comment><p class=author>Ann Example</div>",
        '<div itemscope itemtype="https://schema.org/Comment"><p itemprop=author>Ann Example</div>',
        "<h1>Rain</h1><p>Reviewed by Ann Example",
        "<h1>Rain</h1><p>Photo by Ann Example",
        "<h1>Rain</h1><p>Ann Example",
        '<meta name="twitter:creator" content="@ann">',
        '<meta property="article:author" content="https://example.org/ann">',
    ],
)
def test_names_without_a_mark_or_a_by_are_no_authors(html: str) -> None:
    facts = metadata_of(html)
    assert facts.authors == ()
    assert "authors" not in facts.origin


def test_a_person_is_preferred_to_the_name_of_the_site() -> None:
    head = '<meta property="og:site_name" content="The News">' + article_script(author="The News")
    assert metadata_of(head + "<h1>Rain</h1><p>By Ann Example").authors == ("Ann Example",)
    assert metadata_of(head + "<h1>Rain</h1><p>Text").authors == ("The News",)
    assert metadata_of(head + article_script(author=["Ann Example", "The News"])).authors != ()


def test_a_full_name_is_preferred_to_an_account_name() -> None:
    assert metadata_of(article_script(author="aexample") + "<h1>Rain</h1><p>By Ann Example").authors == ("Ann Example",)
    assert metadata_of(article_script(author="aexample") + "<h1>Rain</h1><p>Text").authors == ("aexample",)


def test_names_on_product_pages_are_no_authors() -> None:
    html = "<h1>Boots</h1><p class=author>Ann Example<p>Nice boots."
    assert metadata_of(html, kind="article").authors == ("Ann Example",)
    assert metadata_of(html, kind="product").authors == ()
