"""Language: which language the kept text is in, and how certain that is.

The detector decides; the page's own claim counts where there is too little text. Loading the model takes half a second
and 80 MB, so that happens when the first text is classified.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from dehusk.metadata.fast_language import NaiveBayes, has_letters

# Characters that are classified: more of them if the first leave doubt; measured in research/metadata.md.
LENGTHS: Final = (150, 300, 1000)
CERTAIN: Final = 0.95
UNCERTAIN: Final = 0.7  # below this the page's own claim is trusted more
MIN_LETTERS: Final = 30  # texts with fewer are not classified
MOVES_PER_PART: Final = 1 << 18
ROWS_PER_PART: Final = 1 << 12
MEMORY: Final = 6  # bytes of the longest features
UNIT: Final = 2**-11  # all weights are multiples of it, since they are half floats from -16 to -1
CLAIM_CONFIDENCE: Final = 0.91  # how often the page's claim is right: 565 of 621 pages
# Written like Mandarin, and detected instead of it; `zxx` means no language.
REPLACED_CODES: Final = {"yue": "zh", "wuu": "zh", "srl": "sr", "zxx": ""}


class Language(NamedTuple):
    """An ISO 639 code, its confidence and its origin; "" if the language is unknown."""

    code: str = ""
    confidence: float = 0.0
    origin: str = ""


def language_of(text: str, claims: Iterable[tuple[str, str]] = ()) -> Language:
    """Return the language of a text; `claims` are the page's own, each with its origin, most trusted first.

    >>> language_of("Es regnete den ganzen Tag, und niemand ging hinaus.").code
    'de'
    >>> language_of("OK", [("fr-CA", "html lang")])
    Language(code='fr', confidence=0.91, origin='html lang')
    """
    detected = _detect(text)
    if detected.confidence < UNCERTAIN:
        for claim, origin in claims:
            if code := _claimed_code(claim):
                return Language(code, CLAIM_CONFIDENCE, origin)
    return detected


def _detect(text: str) -> Language:
    if not has_letters(text[: LENGTHS[-1]], MIN_LETTERS):
        return Language()
    code, confidence, known = "", 0.0, 0
    for length in LENGTHS:
        if confidence < CERTAIN and known < len(text):
            code, confidence = _classify(text[:length])
            known = length
    code = REPLACED_CODES.get(code, code)
    return Language(code, round(float(confidence), 4), "text") if code else Language()


def _claimed_code(claim: str) -> str:
    """Return the language code in a claim such as en-GB or pt_BR, or "".

    >>> _claimed_code("pt_BR"), _claimed_code("x-default"), _claimed_code("english")
    ('pt', '', '')
    """
    code = claim.strip().lower().replace("_", "-").partition("-")[0]
    return code if code.isalpha() and code.isascii() and len(code) in (2, 3) else ""


def _classify(text: str) -> tuple[str, float]:
    """Return the detector's code for the likeliest language of a text, and its probability."""
    # The detector normalises texts like this, and its model was trained on such.
    text = text.lower() if text.isupper() else text
    data = text.encode() if text.isascii() else normalize("NFC", text).encode("utf-8", "surrogatepass")
    codes, model = _detector()
    index, probability = model.likeliest(data)
    return codes[index], probability


@cache
def _detector() -> tuple[list[str], NaiveBayes]:
    """Return the codes of the languages, and py3langid's model as a `NaiveBayes`.

    py3langid's own classifier makes one Python call per byte and converts half floats for every text, which takes more
    than ten times as long.
    """
    tool: Any = import_module("py3langid.langid")
    theirs = tool.LanguageIdentifier.from_model_file(tool.MODEL_FILE, norm_probs=True)
    codes: list[str] = theirs.nb_classes
    model = NaiveBayes(
        _moves(theirs),
        int(theirs.tk_row[0]),
        MEMORY,
        _whole_weights(theirs.nb_ptc),
        UNIT,
        theirs.nb_pc.astype(np.float32),
        # A language written in two scripts has two classes.
        [(codes.index(code), index) for index, code in enumerate(codes) if codes.index(code) < index],
    )
    return codes, model


def _whole_weights(weights: NDArray[np.float16]) -> NDArray[np.int16]:
    """Return weights as whole multiples of `UNIT`."""
    whole: NDArray[np.int16] = np.empty(weights.shape, np.int16)
    # In parts, since as floats they take twice the memory.
    for start in range(0, len(weights), ROWS_PER_PART):
        part = np.rint(weights[start : start + ROWS_PER_PART].astype(np.float32) / np.float32(UNIT))
        assert abs(part).max() < 1 << 15
        whole[start : start + ROWS_PER_PART] = part
    return whole


def _moves(theirs: Any) -> NDArray[np.uint32]:
    """Return the detector's automaton as `NaiveBayes` reads it: the next row and its feature in one number."""
    features, rows = np.array(theirs.tk_output, np.int64) + 1, np.array(theirs.tk_row, np.int64)
    steps = rows * (len(theirs.nb_ptc) + 1) + features
    assert steps.max() < 1 << 32
    moves = np.array(theirs.tk_nextmove, np.uint32)
    # In parts, since an array of indices takes twice the memory.
    for start in range(0, len(moves), MOVES_PER_PART):
        moves[start : start + MOVES_PER_PART] = steps[moves[start : start + MOVES_PER_PART]]
    return moves
