"""Language, and what else a page says about itself: title, authors, dates, licence."""

from dataclasses import replace

from dehusk.corpus.case import Case
from dehusk.corpus.columns import BlockColumns
from dehusk.corpus.settings import Settings
from dehusk.metadata.language import language_of

LEAST = 100  # characters of a block whose language is identified


def identify(case: Case, settings: Settings) -> Case:
    """Add the metadata; reject documents in languages that are not wanted."""
    document, wanted = case.document, settings.language
    if document is None:
        return case
    found = document.metadata
    columns: dict[str, object] = {
        "title": found.title,
        "authors": list(found.authors),
        "published": found.published,
        "modified": found.modified,
        "site": found.site,
        "description": found.description,
        "canonical": found.url,
        "licence": found.licence,
        "tags": list(found.tags),
        "language": found.language,
        "language_confidence": found.language_confidence,
    }
    if wanted.blocks:
        columns["blocks"] = _with_languages(case.columns["blocks"], case.columns["page_text"])
    case = case.having(**columns)
    if wanted.keep and found.language not in wanted.keep:
        return case.reject("language", found.language or "unknown")
    if (found.language_confidence or 0.0) < wanted.min_confidence:
        return case.reject("language", f"{found.language or 'unknown'} is uncertain")
    return case


def _with_languages(blocks: BlockColumns, text: str) -> BlockColumns:
    spans = zip(blocks.start.tolist(), blocks.length.tolist(), strict=True)
    found = [language_of(text[start : start + length]) if length >= LEAST else None for start, length in spans]
    return replace(blocks, languages=[(each.code, each.confidence) if each and each.code else None for each in found])
