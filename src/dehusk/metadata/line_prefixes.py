"""Finds the few lines of a text that begin with a label such as "Written by" or "Posted on"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

EXACT_LETTERS: Final = 4  # of a label, whose case must be one of three; that of the rest does not matter


class LabelledLine(NamedTuple):
    """A line, the length of its label, and the line after it."""

    text: str
    label: int
    following: str


class LinePrefixes:
    """Finds lines by their first words, in lower case, upper case or capitalised.

    >>> list(LinePrefixes(["written by"]).lines("News\\nWritten By Ann\\nMore"))
    [LabelledLine(text='Written By Ann', label=10, following='More')]
    """

    __slots__ = ("_longest", "_pattern")

    def __init__(self, labels: Sequence[str]) -> None:
        # Grouped by first letter, so that nearly all lines are ruled out by one comparison.
        groups: dict[str, list[str]] = {}
        for label in sorted(labels, key=len, reverse=True):
            for start in {cased(label[:EXACT_LETTERS]) for cased in (str, str.upper, str.capitalize)}:
                rest = f"{re.escape(start[1:])}(?i:{re.escape(label[EXACT_LETTERS:])})"
                groups.setdefault(re.escape(start[0]), []).append(rest)
        pattern = "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in groups.items())
        # One pattern, for all lines: compiling it takes longer than it takes to search several pages.
        self._pattern = re.compile(f"\\n(?:{pattern})")
        self._longest = max(map(len, labels))

    def lines(self, text: str) -> Iterator[LabelledLine]:
        """Yield the lines of a text that begin with a label; of several labels the longest counts."""
        if match := self._pattern.match("\n" + text[: self._longest]):
            yield _line(text, 0, match.end() - 1)
        for match in self._pattern.finditer(text):
            yield _line(text, match.start() + 1, match.end())


def _line(text: str, start: int, label_end: int) -> LabelledLine:
    end = text.find("\n", label_end)
    end = end if end >= 0 else len(text)
    after = text.find("\n", end + 1)
    return LabelledLine(text[start:end], label_end - start, text[end + 1 : after if after >= 0 else len(text)])
