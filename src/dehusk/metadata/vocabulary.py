"""Vocabulary: the names under which `meta` elements tell of a piece, each list in the order in which it is asked."""

from typing import Final

Vocabulary = dict[str, str]  # each name with the origin that is told


def _asked(*vocabularies: tuple[str, tuple[str, ...]]) -> Vocabulary:
    """Return the names of some vocabularies, each of which has an origin.

    >>> _asked(("opengraph", ("og:title",)), ("meta", ("twitter:title",)))
    {'og:title': 'opengraph', 'twitter:title': 'meta'}
    """
    return {name: origin for origin, names in vocabularies for name in names}


TITLE: Final = "og:title"
OTHER_TITLES: Final = _asked(
    ("meta", ("citation_title", "parsely-title", "sailthru.title", "twitter:title")),
    ("dublin core", ("dc.title", "dcterms.title")),
)
AUTHOR: Final = _asked(
    ("opengraph", ("article:author", "og:author", "og:article:author", "article:author_name", "book:author")),
    ("meta", ("author", "parsely-author", "sailthru.author", "cxenseparse:author", "byl", "creator")),
)
# Catalogues put the surname first.
SCHOLAR: Final = _asked(
    ("meta", ("citation_author", "citation_authors", "eprints.creators_name", "bepress_citation_author")),
)
DUBLIN_CORE: Final = _asked(("dublin core", ("dc.creator", "dcterms.creator", "dc.contributor.author")))
PUBLISHED: Final = _asked(
    (
        "opengraph",
        (
            "article:published_time",
            "og:article:published_time",
            "og:published_time",
            "article:published",
            "article-published_time",
            "og:publish_date",
            "og:pubdate",
        ),
    ),
    (
        "meta",
        (
            "datepublished",
            "date_published",
            "publish-date",
            "publish_date",
            "published",
            "published-date",
            "published_date",
            "publisheddate",
            "publication_date",
            "publication-date",
            "pubdate",
            "parsely-pub-date",
            "sailthru.date",
            "cxenseparse:publishtime",
            "cxenseparse:recs:publishtime",
            "citation_online_date",
            "citation_publication_date",
            "citation_date",
            "article.published",
            "rnews:datepublished",
            "originalpublicationdate",
            "article_date_original",
            "displaydate",
            "dateposted",
            "date-pub",
            "datecreated",
            "article.created",
            "created",
            "date",
        ),
    ),
    (
        "dublin core",
        ("dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date", "dcterms.date"),
    ),
)
MODIFIED: Final = _asked(
    (
        "opengraph",
        (
            "article:modified_time",
            "og:article:modified_time",
            "og:modified_time",
            "article:modified",
            "og:updated_time",
        ),
    ),
    (
        "meta",
        (
            "datemodified",
            "date_modified",
            "last-modified",
            "last_modified",
            "lastmod",
            "modified",
            "modified-date",
            "updated",
            "updated_time",
            "last_updated",
            "revised",
            "cxenseparse:modifiedtime",
            "article.updated",
        ),
    ),
    ("dublin core", ("dc.date.modified", "dcterms.modified")),
)
SITE: Final = _asked(
    ("opengraph", ("og:site_name",)),
    ("meta", ("application-name", "apple-mobile-web-app-title", "cxenseparse:site-name", "citation_journal_title")),
)
DESCRIPTION: Final = _asked(
    ("opengraph", ("og:description",)),
    ("meta", ("description", "twitter:description", "sailthru.description", "excerpt")),
    ("dublin core", ("dc.description", "dcterms.description", "dcterms.abstract")),
)
IMAGE: Final = _asked(
    ("opengraph", ("og:image:secure_url", "og:image", "og:image:url")),
    ("meta", ("twitter:image", "twitter:image:src", "sailthru.image.full", "parsely-image-url", "thumbnail")),
)
LICENCE: Final = _asked(
    ("dublin core", ("dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights")),
    ("meta", ("license", "licence", "cc:license")),
)
KEYWORDS: Final = _asked(
    ("opengraph", ("article:tag", "og:article:tag", "video:tag", "book:tag")),
    ("meta", ("parsely-tags", "sailthru.tags", "news_keywords", "citation_keywords", "keywords")),
    ("dublin core", ("dc.subject", "dcterms.subject")),
)
LANGUAGE: Final = _asked(("opengraph", ("og:locale",)), ("meta", ("content-language",)))
ADDRESS: Final = "og:url"
# What WordPress tells for cards: a label, and what it stands for.
CARD: Final = ("twitter:label1", "twitter:data1")

_ALL: Final = (
    OTHER_TITLES, AUTHOR, SCHOLAR, DUBLIN_CORE, PUBLISHED, MODIFIED, SITE, DESCRIPTION, IMAGE, LICENCE, KEYWORDS,
    LANGUAGE,
)  # fmt: skip
KNOWN: Final = frozenset({TITLE, ADDRESS, *CARD}).union(*_ALL)
