"""Inline: the runs of a leaf as Markdown: emphasis, code, links, images, formulas, footnotes."""

from itertools import chain, pairwise
from string import punctuation
from typing import Final

from dehusk.formats.markdown import escape
from dehusk.outline.parts import (
    DELETED,
    EMPHASIS,
    LOWERED,
    RAISED,
    STRONG,
    VERBATIM,
    Formula,
    Image,
    Inline,
    NoteSign,
    Run,
)

NESTED: Final = (STRONG, EMPHASIS, DELETED, RAISED, LOWERED)
SIGNED: Final = STRONG | EMPHASIS | DELETED
SIGNS: Final = {STRONG: ("**", "**"), EMPHASIS: ("*", "*"), DELETED: ("~~", "~~")}
# Markdown has no signs for what is raised or lowered, but lets HTML stand for itself.
TAGS: Final = {
    STRONG: ("<strong>", "</strong>"),
    EMPHASIS: ("<em>", "</em>"),
    DELETED: ("<del>", "</del>"),
    RAISED: ("<sup>", "</sup>"),
    LOWERED: ("<sub>", "</sub>"),
}


# In ASCII alone, since programs differ on what is punctuation elsewhere.
PUNCTUATION: Final = frozenset(punctuation)


class _Stretch:
    """The runs from `first` to `last` share a mark."""

    __slots__ = ("first", "inner", "last", "mark", "written")

    def __init__(self, mark: int, first: int, *, inner: bool = False) -> None:
        self.mark, self.first, self.last = mark, first, first
        self.inner = inner  # whether it begins inside of another
        self.written = TAGS[mark]


def inline(content: Inline) -> str:
    """Return text in Markdown; a line end in it is one on the page.

    >>> inline([("", "w", 0, ""), ("", "or", STRONG, ""), (" ", "x", VERBATIM, "https://example.org/")])
    'w**or** [`x`](https://example.org/)'
    """
    if isinstance(content, str):
        return escape.text(content)
    used = before = together = 0
    special = False
    for _, words, marks, link in content:
        used, together, before = used | marks, together | (before & marks), marks
        special = special or bool(link) or not isinstance(words, str) or bool(marks & VERBATIM and "$" in words)
    if special or together & ~VERBATIM:
        return _with_care(content, used)
    texts = [escape.code(words) if marks & VERBATIM else escape.text(words) for _, words, marks, _ in content]  # type: ignore[arg-type]
    return "".join([gap + _marked(content, texts, index, marks) for index, (gap, _, marks, _) in enumerate(content)])


def _marked(runs: list[Run], texts: list[str], index: int, marks: int) -> str:
    """Return a run whose marks go on in none of its neighbours, as most do."""
    text = texts[index]
    if marks & ~VERBATIM:
        for mark in reversed(NESTED):
            if marks & mark:
                read = _is_read(runs, texts, _Stretch(mark, index))
                start, end = SIGNS[mark] if read else TAGS[mark]
                text = f"{start}{text}{end}"
    return text


def _with_care(content: list[Run], used: int) -> str:
    """Return text that has links, images, formulas or notes, or marks that go on from one run to the next."""
    runs = _parted(content)
    # A dollar that cannot be escaped could close what a price opens.
    prices = not any(isinstance(words, Formula) or (marks & VERBATIM and "$" in words) for _, words, marks, _ in runs)
    texts = [_text(words, marks, prices=prices) for _, words, marks, _ in runs]
    begins, ends = _nested(runs, texts, used) if used & ~VERBATIM else ({}, {})
    out: list[str] = []
    before = ""
    for index, (gap, words, _, link) in enumerate(runs):
        if not gap and out and out[-1].endswith("!") and ((link and link != before) or isinstance(words, NoteSign)):
            out[-1] = f"{out[-1][:-1]}\\!"  # before a bracket it would make an image
        out.append(gap)
        if link and link != before:
            out.append("[")
        if index in begins:
            out += [stretch.written[0] for stretch in begins[index]]
        out.append(texts[index])
        if index in ends:
            out += [stretch.written[1] for stretch in ends[index]]
        if link and not (index + 1 < len(runs) and runs[index + 1][3] == link):
            out.append(f"]({escape.address(link)})")
        before = link
    return "".join(out)


def _text(content: str | Image | Formula | NoteSign, marks: int, *, prices: bool) -> str:
    if isinstance(content, str):
        return escape.code(content) if marks & VERBATIM else escape.text(content, prices=prices)
    match content:
        case Image(address, words):
            return f"![{escape.text(words, prices=prices)}]({escape.address(address)})"
        case Formula(tex):
            return f"${tex}$"
        case NoteSign(label):
            return f"[^{label}]"


def _parted(runs: list[Run]) -> list[Run]:
    """Put blanks round formulas that touch a word: next to one a dollar is a dollar."""
    for _, words, _, _ in runs:
        if isinstance(words, Formula):
            break
    else:
        return runs
    parted = runs[:1]
    for (_, left, _, _), (gap, right, marks, link) in pairwise(runs):
        touches = isinstance(left, Formula) and (not isinstance(right, str) or right[0].isalnum() or right[0] == "$")
        touches |= isinstance(right, Formula) and (not isinstance(left, str) or left[-1].isalnum() or left[-1] == "$")
        parted.append((gap or " " * touches, right, marks, link))
    return parted


Stretches = dict[int, list[_Stretch]]


def _nested(runs: list[Run], texts: list[str], used: int) -> tuple[Stretches, Stretches]:
    """Return what begins before and ends after each run, properly nested, and how it is written."""
    begins: Stretches = {}
    ends: Stretches = {}
    reach = {mark: _reach(runs, mark) for mark in NESTED if used & mark}
    opened: list[_Stretch] = []
    for index, (_, _, marks, _) in enumerate(runs):
        inner = bool(opened)
        missing = [mark for mark in reach if marks & mark and all(mark != one.mark for one in opened)]
        # What goes on longest begins first, so that what ends first is innermost.
        for mark in sorted(missing, key=lambda mark: -reach[mark][index]):
            opened.append(_Stretch(mark, index, inner=inner))
            begins.setdefault(index, []).append(opened[-1])
        while opened and any(reach[stretch.mark][index] == index for stretch in opened):
            opened[-1].last = index
            ends.setdefault(index, []).append(opened.pop())
    for stretch in chain.from_iterable(begins.values()):
        if _is_read(runs, texts, stretch):
            stretch.written = SIGNS[stretch.mark]
    return begins, ends


def _reach(runs: list[Run], mark: int) -> list[int]:
    """Return, for each run that has a mark, the last run up to which it goes on; a link is never left half marked."""
    reach = list(range(len(runs)))
    for index in range(len(runs) - 2, -1, -1):
        (_, _, marks, link), (_, _, next_marks, next_link) = runs[index], runs[index + 1]
        if marks & next_marks & mark and link == next_link:
            reach[index] = reach[index + 1]
    return reach


def _is_read(runs: list[Run], texts: list[str], stretch: _Stretch) -> bool:
    """Tell whether signs round a stretch would be read as its beginning and end."""
    mark, first, last = stretch.mark, stretch.first, stretch.last
    # Inside of another a sign next to punctuation can be taken for the end of that.
    if not mark & SIGNED or (stretch.inner and not (texts[first][0].isalnum() and texts[last][-1].isalnum())):
        return False
    return _opens(runs, texts, first, mark) and _closes(runs, texts, last, mark)


def _opens(runs: list[Run], texts: list[str], index: int, mark: int) -> bool:
    """Tell whether signs before a run would be read as opening ones, by the rules on what stands on either side."""
    gap, _, marks, link = runs[index]
    if index == 0 or gap or link != runs[index - 1][3]:
        return True
    if runs[index - 1][2] & SIGNED:  # signs that touch other signs are counted together
        return False
    return texts[index - 1][-1] in PUNCTUATION or (marks == mark and texts[index][0].isalnum())


def _closes(runs: list[Run], texts: list[str], index: int, mark: int) -> bool:
    """Tell the same of closing signs after a run."""
    _, _, marks, link = runs[index]
    if index + 1 == len(runs) or runs[index + 1][0] or link != runs[index + 1][3]:
        return True
    if runs[index + 1][2] & SIGNED:
        return False
    return texts[index + 1][0] in PUNCTUATION or (marks == mark and texts[index][-1].isalnum())
