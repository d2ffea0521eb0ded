"""The names of `meta` elements that describe a page, by field, the most trusted name first, each with its origin."""

from typing import Final

MetaNames = dict[str, str]  # name → origin


def _names(**names_by_origin: str) -> MetaNames:
    """Return each name with its origin.

    >>> _names(opengraph="og:title", dublin_core="dc.title dcterms.title")
    {'og:title': 'opengraph', 'dc.title': 'dublin core', 'dcterms.title': 'dublin core'}
    """
    return {name: origin.replace("_", " ") for origin, names in names_by_origin.items() for name in names.split()}


OPENGRAPH_TITLE: Final = "og:title"
OTHER_TITLES: Final = _names(
    meta="citation_title parsely-title sailthru.title twitter:title", dublin_core="dc.title dcterms.title"
)
AUTHOR: Final = _names(
    opengraph="article:author og:author og:article:author article:author_name book:author",
    meta="author parsely-author sailthru.author cxenseparse:author byl creator",
)
# In these the surname comes first.
SCHOLARLY_AUTHOR: Final = _names(meta="citation_author citation_authors eprints.creators_name bepress_citation_author")
DUBLIN_CORE_AUTHOR: Final = _names(dublin_core="dc.creator dcterms.creator dc.contributor.author")
PUBLISHED: Final = _names(
    opengraph="""
        article:published_time og:article:published_time og:published_time article:published article-published_time
        og:publish_date og:pubdate
    """,
    meta="""
        datepublished date_published publish-date publish_date published published-date published_date publisheddate
        publication_date publication-date pubdate parsely-pub-date sailthru.date cxenseparse:publishtime
        cxenseparse:recs:publishtime citation_online_date citation_publication_date citation_date article.published
        rnews:datepublished originalpublicationdate article_date_original displaydate dateposted date-pub datecreated
        article.created created date
    """,
    dublin_core="dc.date.issued dcterms.issued dc.date.created dcterms.created dc.date dcterms.date",
)
MODIFIED: Final = _names(
    opengraph="article:modified_time og:article:modified_time og:modified_time article:modified og:updated_time",
    meta="""
        datemodified date_modified last-modified last_modified lastmod modified modified-date updated updated_time
        last_updated revised cxenseparse:modifiedtime article.updated
    """,
    dublin_core="dc.date.modified dcterms.modified",
)
SITE: Final = _names(
    opengraph="og:site_name",
    meta="application-name apple-mobile-web-app-title cxenseparse:site-name citation_journal_title",
)
DESCRIPTION: Final = _names(
    opengraph="og:description",
    meta="description twitter:description sailthru.description excerpt",
    dublin_core="dc.description dcterms.description dcterms.abstract",
)
IMAGE: Final = _names(
    opengraph="og:image:secure_url og:image og:image:url",
    meta="twitter:image twitter:image:src sailthru.image.full parsely-image-url thumbnail",
)
LICENCE: Final = _names(
    dublin_core="dcterms.license dc.rights.license dcterms.rights dc.rights", meta="license licence cc:license"
)
KEYWORDS: Final = _names(
    opengraph="article:tag og:article:tag video:tag book:tag",
    meta="parsely-tags sailthru.tags news_keywords citation_keywords keywords",
    dublin_core="dc.subject dcterms.subject",
)
LANGUAGE: Final = _names(opengraph="og:locale", meta="content-language")
ADDRESS: Final = "og:url"
# WordPress writes a label such as "Written by" and its value for Twitter cards.
CARD_LABEL, CARD_VALUE = "twitter:label1", "twitter:data1"

KNOWN: Final = frozenset({OPENGRAPH_TITLE, ADDRESS, CARD_LABEL, CARD_VALUE}).union(
    OTHER_TITLES, AUTHOR, SCHOLARLY_AUTHOR, DUBLIN_CORE_AUTHOR, PUBLISHED, MODIFIED, SITE, DESCRIPTION, IMAGE, LICENCE,
    KEYWORDS, LANGUAGE,
)  # fmt: skip
