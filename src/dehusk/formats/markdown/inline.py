"""The content of a leaf block as Markdown: emphasis, code, links, images, formulas, footnote references."""

import re
from itertools import chain, pairwise
from string import punctuation
from typing import Final, NamedTuple

from dehusk.formats.markdown import code, escape
from dehusk.outline.fast_nodes import InlineRun
from dehusk.outline.kinds import CODE, DELETED, EMPHASIS, STRONG, SUBSCRIPT, SUPERSCRIPT
from dehusk.outline.nodes import Content, FootnoteReference, Formula, Image, InlineObject

NESTED: Final = (STRONG, EMPHASIS, DELETED, SUPERSCRIPT, SUBSCRIPT)
WITH_DELIMITERS: Final = STRONG | EMPHASIS | DELETED
DELIMITERS: Final = {STRONG: ("**", "**"), EMPHASIS: ("*", "*"), DELETED: ("~~", "~~")}
# Markdown has no delimiters for superscript and subscript, but allows HTML.
TAGS: Final = {
    STRONG: ("<strong>", "</strong>"),
    EMPHASIS: ("<em>", "</em>"),
    DELETED: ("<del>", "</del>"),
    SUPERSCRIPT: ("<sup>", "</sup>"),
    SUBSCRIPT: ("<sub>", "</sub>"),
}
WHITE_SPACE: Final = re.compile(r"\s")
# In ASCII alone, since programs differ on what is punctuation elsewhere.
PUNCTUATION: Final = frozenset(punctuation)


class _Stretch:
    """The runs from `first` to `last` share a style."""

    __slots__ = ("first", "inner", "last", "style", "tags")

    def __init__(self, style: int, first: int, *, inner: bool = False) -> None:
        self.style, self.first, self.last = style, first, first
        self.inner = inner  # whether it begins inside another
        self.tags = TAGS[style]


Stretches = dict[int, list[_Stretch]]


class Place(NamedTuple):
    """Where content is, as far as that makes a difference."""

    prices: bool = True  # whether dollars before a digit are left as they are
    in_cell: bool = False
    has_attributes: bool = False  # whether braces at its end would be attributes of what it is in
    has_pairs: bool = False  # whether text of the same table has what some reader may pair with code


PARAGRAPH: Final = Place()
HEADING: Final = Place(has_attributes=True)
TERM: Final = Place(prices=False, has_attributes=True)


def inline(content: Content, place: Place = PARAGRAPH) -> str:
    """Return content in Markdown; a line end in it is one on the page.

    >>> inline([InlineRun("", "w"), InlineRun("", "or", STRONG), InlineRun(" ", "x", CODE, "https://example.org/")])
    'w**or** [`x`](https://example.org/)'
    """
    if isinstance(content, str):
        return escape.text(content, prices=place.prices, braces=place.has_attributes)
    used = before = together = 0
    special = False
    for run in content:
        style = run.style
        used, together, before = used | style, together | (before & style), style
        special = special or bool(run.link) or not isinstance(run.content, str) or _is_code_with_dollar(run)
    if special or together & ~CODE:
        return _nested_inline(content, used, place)
    if used & CODE:
        texts = _texts(content, used, place)
    else:
        prices, braces = place.prices, place.has_attributes
        texts = [escape.text(run.content, prices=prices, braces=braces) for run in content]
        _escape_braces(content, texts)
    return "".join([run.gap + _styled(content, texts, index, run.style) for index, run in enumerate(content)])


def has_dollars(content: Content) -> bool:
    """Return whether content has dollars that cannot be escaped, so that one could close what a price opens."""
    return not isinstance(content, str) and any(
        isinstance(run.content, Formula) or _is_code_with_dollar(run) for run in content
    )


def has_code(content: Content) -> bool:
    """Return whether content has code."""
    return not isinstance(content, str) and any(run.style & CODE for run in content)


def has_pairs(content: Content) -> bool:
    """Return whether text has what some reader may pair with the same in code, as if that were none."""
    texts = [content] if isinstance(content, str) else [_source(run) for run in content if not _is_code(run)]
    return any("^" in text or "==" in text or "||" in text for text in texts)


def _source(run: InlineRun) -> str:
    match run.content:
        case Image(_, words):
            return words
        case Formula(tex):
            return tex
        case FootnoteReference(label):
            return label
    return str(run.content)


def _is_code_with_dollar(run: InlineRun) -> bool:
    return bool(run.style & CODE) and "$" in run.content


def _styled(runs: list[InlineRun], texts: list[str], index: int, style: int) -> str:
    """Return a run whose styles do not go on in its neighbours, as most are."""
    text = texts[index]
    if style & ~CODE:
        for each in reversed(NESTED):
            if style & each:
                readable = _delimiters_work(runs, texts, _Stretch(each, index))
                start, end = DELIMITERS[each] if readable else TAGS[each]
                text = f"{start}{text}{end}"
    return text


def _nested_inline(content: list[InlineRun], used: int, place: Place) -> str:
    """Return content that has links or inline objects, or styles that go on from one run to the next."""
    runs = _with_gaps_around_formulas(content)
    texts = _texts(runs, used, place._replace(prices=False) if place.prices and has_dollars(runs) else place)
    begins, ends = _stretches(runs, texts, used) if used & ~CODE else ({}, {})
    out: list[str] = []
    before = ""
    for index, run in enumerate(runs):
        link, opens_link = run.link, run.link and run.link != before
        if not run.gap and out and (opens_link or isinstance(run.content, FootnoteReference)):
            out[-1] = escape.before_bracket(out[-1])
        out.append(run.gap)
        if opens_link:
            out.append("[")
        if index in begins:
            out += [stretch.tags[0] for stretch in begins[index]]
        out.append(texts[index])
        if index in ends:
            out += [stretch.tags[1] for stretch in ends[index]]
        if link and not (index + 1 < len(runs) and runs[index + 1].link == link):
            out.append(f"]({escape.address(link)})")
        before = link
    return "".join(out)


def _texts(runs: list[InlineRun], used: int, place: Place) -> list[str]:
    """Return each run in Markdown, without its styles and its link."""
    with_code = bool(used & CODE)
    strict = with_code and (place.has_pairs or has_pairs(runs))
    texts = [
        code.span(run.content, in_cell=place.in_cell, strict=strict or bool(run.link or run.style & ~CODE))
        if with_code and _is_code(run)
        else _text(run.content, place, in_link=bool(run.link))
        for run in runs
    ]
    _escape_braces(runs, texts)
    if with_code or any(_is_text(run) and escape.may_have_address(run.content) for run in runs):
        _keep_apart(runs, texts)
    return texts


def _escape_braces(runs: list[InlineRun], texts: list[str]) -> None:
    """Escape those that would be attributes of the run before them."""
    for index, text in enumerate(texts):
        if text.startswith("{") and index and runs[index].gap != " ":
            texts[index] = f"\\{text}"


def _is_code(run: InlineRun) -> bool:
    return bool(run.style & CODE) and isinstance(run.content, str)


def _is_text(run: InlineRun) -> bool:
    return isinstance(run.content, str) and not run.style & CODE


def _text(content: str | InlineObject, place: Place, *, in_link: bool) -> str:
    if isinstance(content, str):
        words = escape.text(content, prices=place.prices, braces=place.has_attributes)
        # In the text of a link one reader takes the backslash before a bracket for none.
        return words.replace("!\\[", "\\!\\[") if in_link else words
    match content:
        case Image(address, words):
            return f"![{escape.attribute(escape.text(words, prices=place.prices))}]({escape.address(address)})"
        case Formula(tex):
            return f"${escape.formula(tex, in_link=in_link)}$"
        case FootnoteReference(label):
            return f"[^{label}]"


def _keep_apart(runs: list[InlineRun], texts: list[str]) -> None:
    """Change the texts before code, links and the like so that no reader takes what begins there for a part of them."""
    address = -1  # the index of the text with an address that goes on up to here
    for index, run in enumerate(runs):
        opens_link = run.link and index and run.link != runs[index - 1].link
        if run.gap:
            address = -1
        elif index and (opens_link or not _is_text(run)):
            if address >= 0:
                texts[address] = escape.without_address(texts[address])
                address = -1
            if _is_code(run):
                _keep_code_apart(runs, texts, index)
        if _is_text(run) and escape.has_address(texts[index]):
            address = index
        elif address >= 0 and (run.link != runs[address].link or WHITE_SPACE.search(texts[index])):
            address = -1


def _keep_code_apart(runs: list[InlineRun], texts: list[str], index: int) -> None:
    """Do so for code that nothing separates from the run before it."""
    before = runs[index - 1]
    if _is_text(before):
        texts[index - 1] = escape.before_code(texts[index - 1])
    if before.link not in ("", runs[index].link):
        # To a reader that does not see the link, its address goes on.
        texts[index] = code.in_tags(escape.without_controls(runs[index].content, " "))


def _with_gaps_around_formulas(runs: list[InlineRun]) -> list[InlineRun]:
    """Put spaces around formulas that touch a word: next to one a dollar is a dollar."""
    if not any(isinstance(run.content, Formula) for run in runs):
        return runs
    spaced = runs[:1]
    for before, run in pairwise(runs):
        left, right = before.content, run.content
        touches = isinstance(left, Formula) and (not isinstance(right, str) or right[0].isalnum() or right[0] == "$")
        touches |= isinstance(right, Formula) and (not isinstance(left, str) or left[-1].isalnum() or left[-1] == "$")
        spaced.append(InlineRun(run.gap or " " * touches, right, run.style, run.link))
    return spaced


def _stretches(runs: list[InlineRun], texts: list[str], used: int) -> tuple[Stretches, Stretches]:
    """Return what begins before and ends after each run, properly nested, and how it is written."""
    begins: Stretches = {}
    ends: Stretches = {}
    reach = {style: _reach(runs, style) for style in NESTED if used & style}
    opened: list[_Stretch] = []
    for index, run in enumerate(runs):
        inner = bool(opened)
        missing = [style for style in reach if run.style & style and all(style != one.style for one in opened)]
        # What goes on longest begins first, so that what ends first is innermost.
        for style in sorted(missing, key=lambda style: -reach[style][index]):
            opened.append(_Stretch(style, index, inner=inner))
            begins.setdefault(index, []).append(opened[-1])
        while opened and any(reach[stretch.style][index] == index for stretch in opened):
            opened[-1].last = index
            ends.setdefault(index, []).append(opened.pop())
    for stretch in chain.from_iterable(begins.values()):
        if _delimiters_work(runs, texts, stretch):
            stretch.tags = DELIMITERS[stretch.style]
    return begins, ends


def _reach(runs: list[InlineRun], style: int) -> list[int]:
    """Return, for each run with a style, the last run up to which it goes on; a link is never left half styled."""
    reach = list(range(len(runs)))
    for index in range(len(runs) - 2, -1, -1):
        run, following = runs[index], runs[index + 1]
        if run.style & following.style & style and run.link == following.link:
            reach[index] = reach[index + 1]
    return reach


def _delimiters_work(runs: list[InlineRun], texts: list[str], stretch: _Stretch) -> bool:
    """Return whether delimiters around a stretch would be read as its beginning and end."""
    style, first, last = stretch.style, stretch.first, stretch.last
    # Inside another stretch a delimiter next to punctuation can be taken for the end of that.
    if not style & WITH_DELIMITERS or (stretch.inner and not (texts[first][0].isalnum() and texts[last][-1].isalnum())):
        return False
    return all(_is_edge(runs, texts, *pair, style) for pair in ((first, first - 1), (last, last + 1)))


def _is_edge(runs: list[InlineRun], texts: list[str], inside: int, outside: int, style: int) -> bool:
    """Return whether a delimiter between two runs would be read as the start or end of a style on the one inside."""
    run = runs[inside]
    if not 0 <= outside < len(runs) or runs[max(inside, outside)].gap or run.link != runs[outside].link:
        return True
    if runs[outside].style & WITH_DELIMITERS:  # delimiters that touch are counted together
        return False
    before, after = texts[min(inside, outside)][-1], texts[max(inside, outside)][0]
    outer, inner = (before, after) if outside < inside else (after, before)
    return outer in PUNCTUATION or (run.style == style and inner.isalnum())
