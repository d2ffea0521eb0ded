"""The lexicon: word classes from tagged text, in place of TreeTagger's."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from dehusk.compressed import decompressed, decompression_errors
from dehusk.errors import InputError
from dehusk.methods.fiasco.fast_tokens import TokenKind
from dehusk.methods.fiasco.words import CLOSED, OPEN, SPECIAL, split

# Universal parts of speech; punctuation and numbers are not words.
CLASSES: Final = {
    **dict.fromkeys(("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ"), CLOSED),
    **dict.fromkeys(("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"), OPEN),
    **dict.fromkeys(("SYM", "X"), SPECIAL),
}
COLUMNS: Final = "word, lemma, universal part of speech, Penn tag"


def word_classes(path: Path) -> dict[str, int]:
    """Return the commonest class of every word of a tagged text, one word per line with tabs between `COLUMNS`."""
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for word, kind in _pieces(_rows(path)):
        counts[word][kind] += 1
    if not counts:
        raise InputError(f"{path} has no tagged words; expected lines with {COLUMNS}, separated by tabs")
    return {word: kinds.most_common(1)[0][0] for word, kinds in sorted(counts.items())}


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each word with its part of speech."""
    try:
        with path.open("rb") as file:
            lines = decompressed(file, path).read().decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8; expected lines with {COLUMNS}") from error
    except decompression_errors() as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read: {problem}; expected lines with {COLUMNS}") from error
    for line in lines:
        fields = line.split("\t")
        if len(fields) >= 3:
            yield fields[0], fields[2]


def _pieces(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Yield the words as a page has them: `do` and `n't` are `don`, an apostrophe and `t` there."""
    before = ""
    for word, part in rows:
        kind = CLASSES.get(part, 0)
        if word.lower() == "n't":
            yield before + "n", CLOSED
            yield "t", CLOSED
        elif word[:1] in "'’" and part != "PUNCT":
            yield from ((piece, CLOSED) for piece in _words(word))
        elif kind:
            yield from ((piece, kind) for piece in _words(word))
        before = word.lower()


def _words(word: str) -> list[str]:
    if word.isascii() and word.isalpha():
        return [word.lower()]
    return [piece for piece, token in split(word) if token is TokenKind.WORD]
