"""Language: which language the kept text is in, and how certain that is.

The detector decides; the page's own claim counts where there is too little text.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple
from unicodedata import normalize

from dehusk.metadata.fast_language import has_letters
from dehusk.metadata.language_model import language_model

# Characters that are classified: more of them if the first leave doubt; measured in research/metadata.md.
LENGTHS: Final = (150, 300, 1000)
CERTAIN: Final = 0.95
UNCERTAIN: Final = 0.7  # below this the page's own claim is trusted more
MIN_LETTERS: Final = 30  # texts with fewer are not classified
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


def known_languages() -> list[str]:
    """Return the codes of all languages that can be detected, sorted.

    >>> {"de", "en", "zh"} <= set(known_languages())
    True
    """
    return sorted({REPLACED_CODES.get(code, code) for code in language_model()[0]} - {""})


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
    codes, model = language_model()
    index, probability = model.likeliest(data)
    return codes[index], probability
