"""Header: what a page says about itself, and how its text was taken from it, as a teiHeader."""

import re
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from dehusk.document import Document
from dehusk.formats.markup import escaped, quoted
from dehusk.metadata import Metadata

WHEN: Final = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?)?", re.ASCII)


def header(document: Document, facts: Metadata) -> str:
    """Return the header of a document.

    >>> from dehusk import extract
    >>> facts = Metadata(title="A & B", published="2024-05-02")
    >>> print(header(extract("<p>x", method="alltext"), facts).partition("<e")[0])
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
    title = f"<title>{escaped(facts.title or document.page.title or 'Untitled')}</title>\n"
    title += "".join(f"<author>{escaped(author)}</author>\n" for author in facts.authors)
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt>\n{title}</titleStmt>\n<publicationStmt>\n"
        "<p>Taken from the web page that is described below.</p>\n</publicationStmt>\n"
        f"<sourceDesc>\n<bibl>\n{title}{_source(facts, document.page.url)}</bibl>\n</sourceDesc>\n</fileDesc>\n"
        f"{_encoding(document.scores.model, document.threshold)}{_profile(facts)}</teiHeader>\n"
    )


def _source(facts: Metadata, url: str | None) -> str:
    parts = [f"<publisher>{escaped(facts.site)}</publisher>\n"] if facts.site else []
    for name, value in (("published", facts.published), ("modified", facts.modified)):
        if value:
            when = f' when="{value}"' if WHEN.fullmatch(value) else ""
            parts.append(f'<date type="{name}"{when}>{escaped(value)}</date>\n')
    if address := facts.url or url:
        parts.append(f"<ptr target={quoted(address)}/>\n")
    if facts.licence:
        parts.append(f"<availability>\n<licence>{escaped(facts.licence)}</licence>\n</availability>\n")
    return "".join(parts)


@lru_cache(8)  # the same for all pages of a run
def _encoding(model: str, threshold: float) -> str:
    told = f"Blocks scored by the method {model}; kept: those below {threshold:g}."
    try:
        number = version("dehusk")
    except PackageNotFoundError:  # run from its sources
        number = "0"
    return (
        f'<encodingDesc>\n<appInfo>\n<application ident="dehusk" version="{number}">\n'
        f"<label>dehusk</label>\n<desc>{escaped(told)}</desc>\n</application>\n</appInfo>\n</encodingDesc>\n"
    )


def _profile(facts: Metadata) -> str:
    parts = [f"<abstract>\n<p>{escaped(facts.description)}</p>\n</abstract>\n"] if facts.description else []
    if facts.language:
        parts.append(f"<langUsage>\n<language ident={quoted(facts.language)}/>\n</langUsage>\n")
    terms = [f"<term>{escaped(tag)}</term>\n" for tag in facts.tags]
    terms += [f'<term type="kind">{escaped(facts.kind)}</term>\n'] if facts.kind else []
    if terms:
        parts.append(f"<textClass>\n<keywords>\n{''.join(terms)}</keywords>\n</textClass>\n")
    return f"<profileDesc>\n{''.join(parts)}</profileDesc>\n" if parts else ""
