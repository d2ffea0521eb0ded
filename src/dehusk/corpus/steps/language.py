"""Language, and what else a page says about itself: title, authors, dates, licence."""

from dataclasses import replace
from typing import Final

from dehusk.corpus.case import Case
from dehusk.corpus.columns import BlockColumns
from dehusk.corpus.settings import Settings
from dehusk.metadata.language import language_of
from dehusk.reasons import Code, Reason

METADATA: Final = (
    "title", "published", "modified", "site", "description", "licence", "language", "language_confidence",
)  # fmt: skip
LEAST: Final = 100  # characters of a block whose language is identified


def identify(case: Case, settings: Settings) -> Case:
    """Add the metadata; reject documents in languages that are not to be kept."""
    document, limits = case.document, settings.language
    if document is None:
        return case
    metadata = document.metadata
    columns: dict[str, object] = {name: getattr(metadata, name) for name in METADATA}
    columns |= {"canonical": metadata.url, "authors": list(metadata.authors), "tags": list(metadata.tags)}
    if limits.blocks:
        columns["blocks"] = _with_languages(case.columns["blocks"], case.columns["page_text"])
    case = case.with_columns(**columns)
    language, confidence = metadata.language or "unknown", metadata.language_confidence or 0.0
    if limits.keep and metadata.language not in limits.keep:
        return case.reject(Reason(Code.OTHER_LANGUAGE, language))
    if confidence < limits.min_confidence:
        return case.reject(Reason(Code.UNCERTAIN_LANGUAGE, language, limits.min_confidence, confidence))
    return case


def _with_languages(blocks: BlockColumns, text: str) -> BlockColumns:
    spans = zip(blocks.start.tolist(), blocks.length.tolist(), strict=True)
    guesses = [language_of(text[start : start + length]) if length >= LEAST else None for start, length in spans]
    return replace(blocks, languages=[(each.code, each.confidence) if each and each.code else None for each in guesses])
