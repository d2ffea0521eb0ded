"""Vocabulary: the names under which `meta` elements tell of a piece, each list in the order in which it is asked."""

from typing import Final

Names = tuple[str, ...]
Vocabularies = tuple[tuple[str, Names], ...]  # each with the origin that is told

TITLE: Final[Vocabularies] = (
    ("opengraph", ("og:title",)),
    ("meta", ("citation_title", "parsely-title", "sailthru.title", "twitter:title")),
    ("dublin core", ("dc.title", "dcterms.title")),
)
AUTHOR: Final[Vocabularies] = (
    ("opengraph", ("article:author", "og:author", "og:article:author", "article:author_name", "book:author")),
    ("meta", ("author", "parsely-author", "sailthru.author", "cxenseparse:author", "byl", "creator")),
)
# Catalogues put the surname first.
SCHOLAR: Final[Vocabularies] = (
    ("meta", ("citation_author", "citation_authors", "eprints.creators_name", "bepress_citation_author")),
    ("dublin core", ("dc.creator", "dcterms.creator", "dc.contributor.author")),
)
PUBLISHED: Final[Vocabularies] = (
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
MODIFIED: Final[Vocabularies] = (
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
SITE: Final[Vocabularies] = (
    ("opengraph", ("og:site_name",)),
    ("meta", ("application-name", "apple-mobile-web-app-title", "cxenseparse:site-name", "citation_journal_title")),
)
DESCRIPTION: Final[Vocabularies] = (
    ("opengraph", ("og:description",)),
    ("meta", ("description", "twitter:description", "sailthru.description", "excerpt")),
    ("dublin core", ("dc.description", "dcterms.description", "dcterms.abstract")),
)
IMAGE: Final[Vocabularies] = (
    ("opengraph", ("og:image:secure_url", "og:image", "og:image:url")),
    ("meta", ("twitter:image", "twitter:image:src", "sailthru.image.full", "parsely-image-url", "thumbnail")),
)
LICENCE: Final[Vocabularies] = (
    ("dublin core", ("dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights")),
    ("meta", ("license", "licence", "cc:license")),
)
KEYWORDS: Final[Vocabularies] = (
    ("opengraph", ("article:tag", "og:article:tag", "video:tag", "book:tag")),
    ("meta", ("parsely-tags", "sailthru.tags", "news_keywords", "citation_keywords", "keywords")),
    ("dublin core", ("dc.subject", "dcterms.subject")),
)
LANGUAGE: Final[Vocabularies] = (("opengraph", ("og:locale",)), ("meta", ("content-language",)))
ADDRESS: Final[Vocabularies] = (("opengraph", ("og:url",)),)
# What WordPress tells for cards: a label, and what it stands for.
CARD: Final = ("twitter:label1", "twitter:data1")

_ALL: Final = (
    TITLE, AUTHOR, SCHOLAR, PUBLISHED, MODIFIED, SITE, DESCRIPTION, IMAGE, LICENCE, KEYWORDS, LANGUAGE, ADDRESS,
)  # fmt: skip
KNOWN: Final = frozenset(CARD).union(*(names for vocabularies in _ALL for _, names in vocabularies))
