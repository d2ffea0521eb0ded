"""Quality: what the main text is like, by texrex's badness, by perplexity, and by its shape."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dehusk.corpus.badness import badness
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Quality, Settings
from dehusk.corpus.shingles import word_hashes
from dehusk.errors import DehuskError

if TYPE_CHECKING:
    from dehusk.perplexity import Perplexity


def measure(case: Case, settings: Settings) -> Case:
    """Add the measures of the main text; reject documents that are beyond the limits."""
    if case.document is None:
        return case
    wanted, text, language = settings.quality, case.columns["text"], case.columns["language"]
    words = word_hashes(text)
    columns = {**shape(text), "badness": badness(words, language)}
    if wanted.max_perplexity:
        columns["perplexity"] = perplexity(text, language or "")
    case = replace(case, words=words).having(**columns)
    for reason, detail in _faults(columns, wanted):
        case = case.reject(reason, detail)
    return case


def _faults(columns: dict[str, float | int | None], wanted: Quality) -> list[tuple[str, str]]:
    """Return all limits that a text is beyond, with what was found."""
    checks = (
        ("short", "characters", wanted.min_characters, -1),
        ("badness", "badness", wanted.max_badness, 1),
        ("perplexity", "perplexity", wanted.max_perplexity, 1),
        ("shape", "mean_word", wanted.min_mean_word, -1),
        ("shape", "mean_word", wanted.max_mean_word, 1),
        ("shape", "letters", wanted.min_letters, -1),
        ("shape", "repeated_lines", wanted.max_repeated_lines, 1),
    )
    found = []
    for reason, name, limit, sign in checks:
        value = columns.get(name)
        if limit and value is not None and (value - limit) * sign > 0:
            found.append((reason, f"{name.replace('_', ' ')} {value:.4g}, limit {limit:g}"))
    return found


def shape(text: str) -> dict[str, float | int | None]:
    """Return how long a text is, and of what: words, letters, lines that were there before.

    >>> shape("Rain again.\\nRain again.\\nNo end.")
    {'characters': 31, 'words': 6, 'mean_word': 4.333, 'letters': 0.742, 'repeated_lines': 0.379, 'ended_lines': 1.0}
    """
    words = text.split()
    lines = [line for line in text.split("\n") if line]
    total = sum(map(len, lines))
    repeated = total - sum(map(len, set(lines)))
    letters = sum(map(len, words)) - sum(map(text.count, "0123456789.,;:!?-()\"'/|"))
    ended = sum(line.endswith((".", "!", "?", "…", '"', "”", "。", "！", "？", ":")) for line in lines)
    return {
        "characters": len(text),
        "words": len(words),
        "mean_word": round(sum(map(len, words)) / len(words), 3) if words else None,
        "letters": round(letters / len(text), 3) if text else None,
        "repeated_lines": round(repeated / total, 3) if total else None,
        "ended_lines": round(ended / len(lines), 3) if lines else None,
    }


def perplexity(text: str, language: str) -> float | None:
    """Return the median perplexity of the sentences of a text; None if there is no model for its language."""
    model = _model(language)
    sentences = model.sentences(text) if model else []
    return round(float(np.median([each.perplexity for each in sentences])), 1) if sentences else None


@lru_cache(8)
def _model(language: str) -> "Perplexity | None":
    from dehusk.perplexity import Perplexity  # noqa: PLC0415  (only on request)

    try:
        return Perplexity(language)
    except DehuskError:
        return None
