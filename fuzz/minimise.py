"""The minimiser: the smallest page that still fails in the same way, as far as a number of tries goes."""

import re
from collections.abc import Callable, Sequence
from typing import Final

TAGS: Final = re.compile(rb"<[^<>]*>|[^<]+|<")
LINES: Final = re.compile(rb"[^\n]*\n|[^\n]+")
WORDS: Final = re.compile(rb"\w+|\W")
LEVELS: Final = (TAGS, LINES, WORDS)
SMALL: Final = 400  # bytes; below it single bytes are tried too


def minimised(data: bytes, fails: Callable[[bytes], bool], tries: int = 400) -> bytes:
    """Return a small part of a page for which `fails` still holds.

    >>> minimised(b"<div><p>One</p><p>two</p></div>", lambda data: b"two" in data)
    b'two'
    """
    budget = _Budget(fails, tries)
    before = None
    while data != before and budget.left:
        before = data
        for level in LEVELS:
            data = b"".join(_reduced(level.findall(data), budget))
        if len(data) <= SMALL:
            data = b"".join(_reduced([data[at : at + 1] for at in range(len(data))], budget))
    return data


class _Budget:
    """Counts tries: once they are spent, nothing fails any more."""

    def __init__(self, fails: Callable[[bytes], bool], tries: int) -> None:
        self._fails, self.left = fails, tries

    def fails(self, pieces: Sequence[bytes]) -> bool:
        if not self.left:
            return False
        self.left -= 1
        return self._fails(b"".join(pieces))


def _reduced(pieces: list[bytes], budget: _Budget) -> list[bytes]:
    """Leave out ever smaller runs of pieces, as ddmin does, while what remains still fails."""
    size = max(1, len(pieces) // 2)
    while budget.left:
        start = 0
        while start < len(pieces) and budget.left:
            without = pieces[:start] + pieces[start + size :]
            if len(pieces) > size and budget.fails(without):
                pieces = without
            else:
                start += size
        if size == 1:
            break
        size //= 2
    return pieces
