"""Unicode's composed form (NFC): one character for a letter with its accents."""

import re
from typing import Final
from unicodedata import category, is_normalized, normalize

from dehusk.writing.edits import Edit

# A letter may be ASCII, its accents are not.
BEYOND_ASCII: Final = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
KOREAN_VOWELS_AND_FINALS: Final = ("\u1160", "\u11ff")
MAX_ACCENTS: Final = 100  # a letter with more is left as it is: sorting them costs a square of their number


def compositions(text: str) -> list[Edit]:
    """Return which letters of a text to write in their composed form.

    >>> compositions("Cafe\u0301, naïve")
    [Edit(start=3, end=5, replacement='é')]
    """
    edits: list[Edit] = []
    for run in BEYOND_ASCII.finditer(text):
        if len(run[0]) > MAX_ACCENTS or not is_normalized("NFC", run[0]):
            begins = [offset for offset in range(*run.span()) if _begins_letter(text[offset])]
            for start, end in zip([run.start(), *begins], [*begins, run.end()], strict=True):
                composed = normalize("NFC", text[start:end]) if end - start <= MAX_ACCENTS else text[start:end]
                if composed != text[start:end]:
                    edits.append(Edit(start, end, composed))
    return edits


def _begins_letter(character: str) -> bool:
    first, last = KOREAN_VOWELS_AND_FINALS
    return category(character)[0] != "M" and not first <= character <= last
