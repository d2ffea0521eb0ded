"""The teiHeader of a document: the page's metadata, and how the text was extracted."""

import re
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from dehusk.document import Document
from dehusk.formats.fast_markup import escaped, quoted
from dehusk.metadata import Metadata

W3C_DATE: Final = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?)?", re.ASCII)


def header(document: Document, metadata: Metadata) -> str:
    """Return the header of a document.

    >>> from dehusk import extract
    >>> metadata = Metadata(title="A & B", published="2024-05-02")
    >>> print(header(extract("<p>x", method="alltext"), metadata).partition("<e")[0])
    <teiHeader>
    <fileDesc>
    <titleStmt>
    <title>A &amp; B</title>
    </titleStmt>
    <publicationStmt>
    <p>Taken from the web page that is described below.</p>
    </publicationStmt>
    <sourceDesc>
    <bibl>
    <title>A &amp; B</title>
    <date type="published" when="2024-05-02">2024-05-02</date>
    </bibl>
    </sourceDesc>
    </fileDesc>
    <BLANKLINE>
    """
    title = f"<title>{escaped(metadata.title or document.page.title or 'Untitled')}</title>\n"
    title += "".join(f"<author>{escaped(author)}</author>\n" for author in metadata.authors)
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt>\n{title}</titleStmt>\n<publicationStmt>\n"
        "<p>Taken from the web page that is described below.</p>\n</publicationStmt>\n"
        f"<sourceDesc>\n<bibl>\n{title}{_source(metadata, document.page.url)}</bibl>\n</sourceDesc>\n</fileDesc>\n"
        f"{_encoding(document.scores.model, document.threshold)}{_profile(metadata)}</teiHeader>\n"
    )


def _source(metadata: Metadata, url: str | None) -> str:
    parts = [f"<publisher>{escaped(metadata.site)}</publisher>\n"] if metadata.site else []
    for name, value in (("published", metadata.published), ("modified", metadata.modified)):
        if value:
            when = f' when="{value}"' if W3C_DATE.fullmatch(value) else ""
            parts.append(f'<date type="{name}"{when}>{escaped(value)}</date>\n')
    if address := metadata.url or url:
        parts.append(f"<ptr target={quoted(address)}/>\n")
    if metadata.licence:
        parts.append(f"<availability>\n<licence>{escaped(metadata.licence)}</licence>\n</availability>\n")
    return "".join(parts)


@lru_cache(8)  # the same for all pages of a run
def _encoding(model: str, threshold: float) -> str:
    description = f"Blocks scored by the method {model}; kept: those below {threshold:g}."
    try:
        release = version("dehusk")
    except PackageNotFoundError:  # not installed
        release = "0"
    return (
        f'<encodingDesc>\n<appInfo>\n<application ident="dehusk" version="{release}">\n'
        f"<label>dehusk</label>\n<desc>{escaped(description)}</desc>\n</application>\n</appInfo>\n</encodingDesc>\n"
    )


def _profile(metadata: Metadata) -> str:
    parts = [f"<abstract>\n<p>{escaped(metadata.description)}</p>\n</abstract>\n"] if metadata.description else []
    if metadata.language:
        parts.append(f"<langUsage>\n<language ident={quoted(metadata.language)}/>\n</langUsage>\n")
    terms = [f"<term>{escaped(tag)}</term>\n" for tag in metadata.tags]
    terms += [f'<term type="kind">{escaped(metadata.kind)}</term>\n'] if metadata.kind else []
    if terms:
        parts.append(f"<textClass>\n<keywords>\n{''.join(terms)}</keywords>\n</textClass>\n")
    return f"<profileDesc>\n{''.join(parts)}</profileDesc>\n" if parts else ""
