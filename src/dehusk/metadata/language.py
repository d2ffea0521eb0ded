"""Language: which one the kept text is in, and how sure that is.

The detector is asked; what the page says of itself counts where there is too little text to tell. The model takes half
a second and 100 MB, so it is loaded when the first text is looked at.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any, Final, NamedTuple

# Characters that are looked at: more of them if the first leave a doubt; measured in docs/metadata.md.
LENGTHS: Final = (150, 300, 1000)
SURE: Final = 0.95
UNSURE: Final = 0.7  # below it the page's own word counts for more
LEAST: Final = 30  # letters without which a text tells nothing
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
    letters = filter(str.isalpha, text[: LENGTHS[-1]])
    if next(islice(letters, LEAST - 1, None), None) is None:
        return Language()
    code, confidence, known = "", 0.0, 0
    for length in LENGTHS:
        if confidence < SURE and known < len(text):
            code, confidence = _detector().classify(text[:length])
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


@cache
def _detector() -> Any:
    tool = import_module("py3langid.langid")
    return tool.LanguageIdentifier.from_model_file(tool.MODEL_FILE, norm_probs=True)
