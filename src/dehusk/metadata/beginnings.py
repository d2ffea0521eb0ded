"""Beginnings: the few lines of a page that begin with one of some labels, out of the many that do not."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

LETTERS: Final = 4  # of a label, whose case tells that of the rest


class Labelled(NamedTuple):
    """A line, how much of it is the label, and the line after it."""

    text: str
    label: int
    following: str


class Beginnings:
    """Finds lines by the labels that they begin with: small, in capitals, or with one capital.

    >>> list(Beginnings(["written by"]).lines("News\\nWritten By Ann\\nMore"))
    [Labelled(text='Written By Ann', label=10, following='More')]
    """

    __slots__ = ("_first", "_others")

    def __init__(self, labels: Sequence[str]) -> None:
        # By their first letters, so that nearly all lines are passed after a glance at theirs.
        groups: dict[str, list[str]] = {}
        for label in sorted(labels, key=len, reverse=True):
            for start in {cased(label[:LETTERS]) for cased in (str, str.upper, str.capitalize)}:
                rest = f"{re.escape(start[1:])}(?i:{re.escape(label[LETTERS:])})"
                groups.setdefault(re.escape(start[0]), []).append(rest)
        pattern = "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in groups.items())
        self._first, self._others = re.compile(f"(?:{pattern})"), re.compile(f"\\n(?:{pattern})")

    def lines(self, text: str) -> Iterator[Labelled]:
        """Yield the lines of a text that begin with one of the labels, the longest that fits."""
        if found := self._first.match(text):
            yield _line(text, 0, found.end())
        for found in self._others.finditer(text):
            yield _line(text, found.start() + 1, found.end())


def _line(text: str, start: int, label: int) -> Labelled:
    end = text.find("\n", label)
    end = end if end >= 0 else len(text)
    after = text.find("\n", end + 1)
    return Labelled(text[start:end], label - start, text[end + 1 : after if after >= 0 else len(text)])
