"""Quality: what the main text is like, by texrex's badness, by perplexity, and by its shape."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from dehusk.characters import BLANKS, Table, class_table
from dehusk.corpus.badness import badness
from dehusk.corpus.case import Case
from dehusk.corpus.fast_shape import fill_shape
from dehusk.corpus.settings import Quality, Settings
from dehusk.corpus.shingles import word_hashes
from dehusk.errors import DehuskError
from dehusk.reasons import Code, Reason

if TYPE_CHECKING:
    from dehusk.perplexity import Perplexity

SPACE, MARK, END = 1, 2, 4  # flags of characters, those of fast_shape
MARKS: Final = "0123456789.,;:!?-()\"'/|"
ENDS: Final = '.!?…"”。！？:'


def measure(case: Case, settings: Settings) -> Case:
    """Add the measures of the main text; reject documents that are beyond the limits."""
    if case.document is None:
        return case
    limits, text, language = settings.quality, case.columns["text"], case.columns["language"]
    words = word_hashes(text)
    columns = {**shape(text), "badness": badness(words, language)}
    if limits.max_perplexity:
        columns["perplexity"] = perplexity(text, language or "")
    case = replace(case, words=words).with_columns(**columns)
    reason = _fault(columns, limits)
    return case.reject(reason) if reason else case


def _fault(columns: dict[str, float | int | None], limits: Quality) -> Reason | None:
    """Return the first limit that a text is beyond; None if it is within all of them."""
    checks = (
        (Code.TOO_SHORT, "characters", limits.min_characters, -1),
        (Code.BADNESS, "badness", limits.max_badness, 1),
        (Code.PERPLEXITY, "perplexity", limits.max_perplexity, 1),
        (Code.SHAPE, "mean_word", limits.min_mean_word, -1),
        (Code.SHAPE, "mean_word", limits.max_mean_word, 1),
        (Code.SHAPE, "letters", limits.min_letters, -1),
        (Code.SHAPE, "repeated_lines", limits.max_repeated_lines, 1),
    )
    for code, name, limit, sign in checks:
        value = columns.get(name)
        if limit and value is not None and (value - limit) * sign > 0:
            return Reason(code, name.replace("_", " ") if code is Code.SHAPE else "", limit, value)
    return None


def shape(text: str) -> dict[str, float | int | None]:
    """Return how long a text is, and of what: words, letters, lines that were there before.

    >>> shape("Rain again.\\nRain again.\\nNo end.")
    {'characters': 31, 'words': 6, 'mean_word': 4.333, 'letters': 0.742, 'repeated_lines': 0.379, 'ended_lines': 1.0}
    """
    totals = np.empty(6, np.int64)
    fill_shape(text, _classes(), totals)
    words, in_words, marks, lines, in_lines, ended = totals.tolist()
    return {
        "characters": len(text),
        "words": words,
        "mean_word": round(in_words / words, 3) if words else None,
        "letters": round((in_words - marks) / len(text), 3) if text else None,
        "repeated_lines": round(_repeated(text) / in_lines, 3) if in_lines else None,
        "ended_lines": round(ended / lines, 3) if lines else None,
    }


def _repeated(text: str) -> int:
    """Return how many characters of a text are in lines that were there before."""
    lines = text.split("\n")
    distinct = set(lines)
    return 0 if len(distinct) == len(lines) else sum(map(len, lines)) - sum(map(len, distinct))


@lru_cache(1)
def _classes() -> Table:
    table = class_table(0, (SPACE, BLANKS))
    for flag, letters in ((MARK, MARKS), (END, ENDS)):
        for letter in letters:
            table[ord(letter)] |= flag
    return table


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
