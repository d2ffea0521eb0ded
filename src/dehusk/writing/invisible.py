"""What a page's text has and its readers do not see: hints where to break a word, and glosses beside ideographs."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from dehusk.characters import BEYOND, WHOLE_WORD, WORD_CLASSES
from dehusk.page import Page, Span
from dehusk.page.walk_flags import VERBATIM
from dehusk.writing.edits import Edit

SOFT_HYPHEN, ZERO_WIDTH_SPACE, VOWEL_SEPARATOR = "\u00ad", "\u200b", "\u180e"
JOINERS: Final = "\u200c\u200d"  # the non-joiner and the joiner
INVISIBLE: Final = f"{SOFT_HYPHEN}{ZERO_WIDTH_SPACE}{VOWEL_SEPARATOR}{JOINERS}\u2060\ufeff"
CLOSING: Final = ",.;:!?)"
VISIBLE: Final = re.compile(rf"[^\s{INVISIBLE}]")
# Thai and Lao, Burmese, Khmer have no blanks: with a space of no width their authors say where a word ends.
WITHOUT_BLANKS: Final = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]{2}")
MONGOLIAN: Final = re.compile("[\u1800-\u18af]")
LATIN_END: Final = "\u036f"  # with its accents
GLOSSES: Final = frozenset({"rt", "rp", "rtc"})
GLOSS, MARK = "\ufff9", "\ufffa"  # stand for one among absorbed white space


def has_invisible(text: str) -> bool:
    """Return whether a text has any character that has to be left out.

    >>> has_invisible("co\u00adoperate"), has_invisible("naïve")
    (True, False)
    """
    return next(_invisible(text), None) is not None


def has_glosses(page: Page) -> bool:
    """Return whether a page may have glosses."""
    return page.elements.may_have("rt")


def removals(page: Page, marked: Sequence[Span] = ()) -> list[Edit]:
    """Return what to remove from a page's text, with the white space that would be doubled or at the end of a line.

    What is `marked` goes, too.

    >>> removals(Page.from_html("<p>\u200b</p><p>co\u00adoperate"))
    [Edit(start=0, end=2, replacement=''), Edit(start=4, end=5, replacement='')]
    """
    text, code = page.text, _Code(page)
    spans = [(*span, "") for span in _invisible(text)] + [(*span, GLOSS) for span in _glosses(page)]
    spans += [(*span, MARK) for span in marked]
    edits: list[Edit] = []  # with what is absorbed in place of what is written
    for start, end, white_space in sorted(spans, key=lambda span: (span[0], -span[1])):
        if edits and start < edits[-1].end:  # a gloss may have invisible characters
            continue
        low, high = code.free_around(start, end)
        left, right = start, end
        while left > low and text[left - 1].isspace():
            left -= 1
        while right < high and text[right].isspace():
            right += 1
        absorbed = white_space + text[left:start] + text[end:right]
        if edits and left <= edits[-1].end:
            left, _, before = edits.pop()
            absorbed = before + absorbed
        edits.append(Edit(left, right, absorbed))
    return [Edit(start, end, _white_space(text, start, end, absorbed)) for start, end, absorbed in edits]


def _invisible(text: str) -> Iterator[Span]:
    """Yield the invisible characters that no script needs where they are."""
    if text.isascii() or not any(character in text for character in INVISIBLE):
        return
    reached, before = 0, ""
    for start in sorted(chain.from_iterable(_offsets(text, character) for character in INVISIBLE)):
        character, end = text[start], start + 1
        before = before if start == reached else text[start - 1 : start]
        if _is_needed(character, before, text[end : end + 1]):
            before = character
        else:
            yield start, end
        reached = end


def _offsets(text: str, character: str) -> Iterator[int]:
    # A regular expression takes many times as long.
    offset = -1
    while (offset := text.find(character, offset + 1)) >= 0:
        yield offset


def _is_needed(character: str, before: str, after: str) -> bool:
    """Return whether a character changes what is around it.

    >>> _is_needed("\u200c", "ی", "ه"), _is_needed("\u200d", "👩", "🚀"), _is_needed("\u200c", "f", "f")
    (True, True, False)
    """
    if character in JOINERS:
        return before > LATIN_END and not before.isspace()
    if character == ZERO_WIDTH_SPACE:
        return WITHOUT_BLANKS.match(before + after) is not None
    return character == VOWEL_SEPARATOR and MONGOLIAN.match(before) is not None


def _glosses(page: Page) -> list[Span]:
    """Return the spans of ruby glosses, except in a `ruby` without any other text."""
    if not has_glosses(page):
        return []
    tags, parents, leaves = page.elements.tag, page.elements.parent, page.leaves
    rubies, are_glosses = [-1] * len(tags), [False] * len(tags)  # the outermost `ruby` around each element
    for index in range(1, len(tags)):  # parents come before their children
        parent = parents[index]
        rubies[index] = index if rubies[parent] < 0 and tags[index] == "ruby" else rubies[parent]
        are_glosses[index] = are_glosses[parent] or (rubies[index] >= 0 and tags[index] in GLOSSES)
    owners = leaves.element.tolist()
    with_text = {rubies[owner] for owner in owners if not are_glosses[owner]}
    rows = zip(owners, leaves.start.tolist(), leaves.end.tolist(), strict=True)
    return [(start, end) for owner, start, end in rows if are_glosses[owner] and rubies[owner] in with_text]


class _Code:
    """The verbatim leaves of a page, whose white space stays."""

    def __init__(self, page: Page) -> None:
        verbatim = (page.leaves.state & VERBATIM) != 0
        self._starts, self._ends = page.leaves.start[verbatim].tolist(), page.leaves.end[verbatim].tolist()
        self._length = len(page.text)

    def free_around(self, start: int, end: int) -> Span:
        """Return the span around another that reaches up to the code before and after it; in code that span itself."""
        after = bisect_right(self._starts, start)
        if after and self._ends[after - 1] > start:
            return start, end
        low = self._ends[after - 1] if after else 0
        return low, self._starts[after] if after < len(self._starts) else self._length


def _white_space(text: str, start: int, end: int, absorbed: str) -> str:
    """Return the white space that stays where a span with `absorbed` white space is removed."""
    if start == 0 or end == len(text):
        return ""
    # Markup is often indented between a word and its gloss, where no blank is shown.
    if absorbed.startswith(GLOSS) and not (_is_spaced(text[start - 1]) or _is_spaced(text[end])):
        return ""
    # The blank before a mark belongs to it if what comes after it has none.
    if MARK in absorbed and text[end] in CLOSING:
        return ""
    return "\n" if "\n" in absorbed else " " if absorbed.strip(GLOSS + MARK) else ""


def _is_spaced(character: str) -> bool:
    return bool(WORD_CLASSES[min(ord(character), BEYOND)] != WHOLE_WORD)
