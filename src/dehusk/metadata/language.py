"""Language: which one the kept text is in, and how sure that is.

The detector is asked; what the page says of itself counts where there is too little text to tell. The model takes half
a second and 80 MB, so it is loaded when the first text is looked at.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from dehusk.metadata.fast_language import Bayes, has_letters

# Characters that are looked at: more of them if the first leave a doubt; measured in docs/metadata.md.
LENGTHS: Final = (150, 300, 1000)
SURE: Final = 0.95
UNSURE: Final = 0.7  # below it the page's own word counts for more
LEAST: Final = 30  # letters without which a text tells nothing
PART: Final = 1 << 18  # numbers that are worked on at a time
ROWS: Final = 1 << 12
MEMORY: Final = 6  # bytes of the longest features
UNIT: Final = 2**-11  # of which all weights are multiples, as long as they are half floats from -16 to -1
CLAIMED: Final = 0.91  # how often what a page claims is right: 565 of 621 pages
# Written like Mandarin, and found by the detector in it; `zxx` is its word for no language.
TAKEN_FOR: Final = {"yue": "zh", "wuu": "zh", "srl": "sr", "zxx": ""}


class Language(NamedTuple):
    """A language by its code in ISO 639, how sure it is, and who says so; "" where nobody does."""

    code: str = ""
    confidence: float = 0.0
    origin: str = ""


def language_of(text: str, claims: Iterable[tuple[str, str]] = ()) -> Language:
    """Return the language of a text; `claims` are what the page says, each with its origin, the most trusted first.

    >>> language_of("Es regnete den ganzen Tag, und niemand ging hinaus.").code
    'de'
    >>> language_of("OK", [("fr-CA", "html lang")])
    Language(code='fr', confidence=0.91, origin='html lang')
    """
    found = _detected(text)
    if found.confidence < UNSURE:
        for claim, origin in claims:
            if code := _code(claim):
                return Language(code, CLAIMED, origin)
    return found


def _detected(text: str) -> Language:
    if not has_letters(text[: LENGTHS[-1]], LEAST):
        return Language()
    code, confidence, known = "", 0.0, 0
    for length in LENGTHS:
        if confidence < SURE and known < len(text):
            code, confidence = _classified(text[:length])
            known = length
    code = TAKEN_FOR.get(code, code)
    return Language(code, round(float(confidence), 4), "text") if code else Language()


def _code(claim: str) -> str:
    """Return the language in a claim such as en-GB or pt_BR.

    >>> _code("pt_BR"), _code("x-default"), _code("english")
    ('pt', '', '')
    """
    code = claim.strip().lower().replace("_", "-").partition("-")[0]
    return code if code.isalpha() and code.isascii() and len(code) in (2, 3) else ""


def _classified(text: str) -> tuple[str, float]:
    """Return the likeliest language of a text as the detector calls it, and how likely that is."""
    # What the detector does to a text before it looks: its model was trained on such.
    text = text.lower() if text.isupper() else text
    data = text.encode() if text.isascii() else normalize("NFC", text).encode("utf-8", "surrogatepass")
    codes, model = _detector()
    place, confidence = model.likeliest(data)
    return codes[place], confidence


@cache
def _detector() -> tuple[list[str], Bayes]:
    """Return the codes of the languages, and the model of py3langid made ready for `Bayes`.

    The tables are py3langid's. Its own way through them takes a call of the interpreter for every byte and turns half
    floats into whole ones for every text, which is more than ten times the work.
    """
    tool: Any = import_module("py3langid.langid")
    found = tool.LanguageIdentifier.from_model_file(tool.MODEL_FILE, norm_probs=True)
    codes: list[str] = found.nb_classes
    model = Bayes(
        _moves(found),
        int(found.tk_row[0]),
        MEMORY,
        _whole(found.nb_ptc),
        UNIT,
        found.nb_pc.astype(np.float32),
        # A language that is written in two scripts has two classes.
        [(codes.index(code), place) for place, code in enumerate(codes) if codes.index(code) < place],
    )
    return codes, model


def _whole(weights: NDArray[np.float16]) -> NDArray[np.int16]:
    """Return weights as whole numbers of units."""
    found: NDArray[np.int16] = np.empty(weights.shape, np.int16)
    # In parts, since as floats they take twice the memory.
    for start in range(0, len(weights), ROWS):
        part = np.rint(weights[start : start + ROWS].astype(np.float32) / np.float32(UNIT))
        assert abs(part).max() < 1 << 15
        found[start : start + ROWS] = part
    return found


def _moves(found: Any) -> NDArray[np.uint32]:
    """Return the detector's automaton as `Bayes` reads it: what a step leads to is its row and its feature in one."""
    features, rows = np.array(found.tk_output, np.int64) + 1, np.array(found.tk_row, np.int64)
    steps = rows * (len(found.nb_ptc) + 1) + features
    assert steps.max() < 1 << 32
    moves = np.array(found.tk_nextmove, np.uint32)
    # In parts, since an array of places takes twice the memory of what it points at.
    for start in range(0, len(moves), PART):
        moves[start : start + PART] = steps[moves[start : start + PART]]
    return moves
