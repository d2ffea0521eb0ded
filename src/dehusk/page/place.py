"""Place: where in the tree and in the source a leaf stands. Worked out only when someone asks."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from turbohtml import Comment, Element, Node, SourceSpan, Text, parse, parse_fragment, unescape

from dehusk.page.fast_walk import PARSED, in_head
from dehusk.page.leaves import Elements
from dehusk.page.walk_flags import DRAWING, DRAWN, HEAD, PRE, RAW, ROLES, SKIP, VERBATIM

Span = tuple[int, int]
TAG: Final = re.compile(r"<[^<>]*>")
PLAIN_NAME: Final = re.compile(r"[a-z_][\w.-]*", re.ASCII | re.IGNORECASE)


class Paths:
    """The XPath of any element of a page; siblings are counted once, paths are joined on demand."""

    __slots__ = ("_elements", "_known", "_number", "_twins")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known = {0: ""}
        self._twins: Counter[tuple[int, str]] = Counter()
        self._number: list[int] = []
        for key in zip(elements.parent, elements.tag, strict=True):
            self._twins[key] += 1
            self._number.append(self._twins[key])

    def of(self, first: int, last: int) -> str:
        """Return the path of the innermost element that holds both elements and so all between them."""
        parents = self._elements.parent
        while first != last:
            # Parents come before their children, so of two elements the later one is never above the other.
            first, last = (parents[first], last) if first > last else (first, parents[last])
        return self._path(first) or "/"

    def _path(self, index: int) -> str:
        missing = []
        while index not in self._known:
            missing.append(index)
            index = self._elements.parent[index]
        path = self._known[index]
        for below in reversed(missing):
            path = self._known[below] = path + self._step(below)
        return path

    def _step(self, index: int) -> str:
        parent, tag = self._elements.parent[index], self._elements.tag[index]
        name = tag if PLAIN_NAME.fullmatch(tag) else f"*[name()={tag!r}]"
        return f"/{name}[{self._number[index]}]" if self._twins[parent, tag] > 1 else f"/{name}"


def source_spans(html: str, strings: Sequence[str], *, shadows: bool = False) -> list[Span | None]:
    """Return the span of each leaf in `html`, given the leaves' texts in document order.

    The parser tells where tags stand, but not texts; a text is what lies between the tags round it. Each answer is
    checked against the leaf's own text, so that a span is right or None.
    """
    normal = html.replace("\r\n", "\n").replace("\r", "\n")
    tree = parse(normal, source_locations=True, scripting=True, allow_declarative_shadow_roots=shadows)
    found = _between_tags(list(_events(tree, shadows=shadows)), normal)
    spans = [
        span if span and _reads(normal[slice(*span)]) == " ".join(string.split()) else None
        for string, span in zip(strings, found, strict=False)
    ]
    return _with_carriage_returns(spans + [None] * (len(strings) - len(spans)), html)


class _Event(NamedTuple):
    """Something met on the way through the source: a tag with its span, a comment, or a leaf."""

    kind: type[Element] | type[Comment] | type[Text]
    start: int = -1
    end: int = -1


LEAF: Final = _Event(Text)
COMMENT: Final = _Event(Comment)


def _events(tree: Node, *, shadows: bool) -> Iterator[_Event]:  # noqa: C901, PLR0912
    """Yield tags, comments and leaves in document order; enters and leaves out exactly what `walk` does."""
    stack: list[tuple[Iterator[Node], _Event | None, int, int, int]] = []
    children, closing, state, base, parsed = iter(tree.children), None, 0, 0, 0
    while True:
        for node in children:
            if type(node) is Text:
                yield LEAF if state & VERBATIM or not node.data.isspace() else COMMENT
            elif type(node) is Element:
                role = ROLES.get(node.tag, 0)
                location = node.source_location
                opening = location and _tag(location.start_tag, base)
                if opening:
                    yield opening
                end = location and _tag(location.end_tag, base)
                icon = role & DRAWING and not state & DRAWN and not node.text.strip()
                if not role & SKIP and not icon:
                    stack.append((children, closing, state, base, parsed))
                    below: Sequence[Node] = node.flattened_children if shadows else node.children
                    if role & HEAD:
                        below = in_head(below)
                    elif role & RAW and opening and parsed < PARSED:
                        # Inside of another it has been parsed already, and counts from where that one does.
                        base = opening.end if all(type(raw) is Text for raw in below) else base
                        below = [child for raw in below for child in _fragment(raw)]
                        parsed += 1
                    state |= (VERBATIM if role & PRE else 0) | (DRAWN if role & DRAWING else 0)
                    closing, children = end, iter(below)
                    break
                if end:
                    yield end
            elif type(node) is Comment:
                yield COMMENT
        else:
            if closing:
                yield closing
            if not stack:
                return
            children, closing, state, base, parsed = stack.pop()


def _fragment(node: Node) -> Sequence[Node]:
    return parse_fragment(node.data, source_locations=True).children if type(node) is Text else (node,)


def _tag(span: SourceSpan | None, base: int) -> _Event | None:
    return span and _Event(Element, base + span.start_offset, base + span.end_offset)


def _between_tags(events: list[_Event], html: str) -> list[Span | None]:
    """Return what lies between the tags, and comments, to the left and right of each leaf."""
    following = _next_tags(events, len(html))
    spans: list[Span | None] = []
    cursor = 0
    for place, event in enumerate(events):
        if event.kind is Element:
            cursor = event.end
            continue
        limit = following[place]
        if event is COMMENT:
            cursor = _after_comment(html, cursor, limit)
            continue
        end = limit
        if place + 1 < len(events) and events[place + 1] is COMMENT:
            mark = html.find("<!", cursor, limit)
            end = mark if mark >= 0 else limit
        spans.append((cursor, end) if cursor <= end else None)
        cursor = max(cursor, end)
    return spans


def _next_tags(events: list[_Event], length: int) -> list[int]:
    following = [length] * len(events)
    ahead = length
    for place in range(len(events) - 1, -1, -1):
        following[place] = ahead
        if events[place].kind is Element:
            ahead = events[place].start
    return following


def _after_comment(html: str, cursor: int, limit: int) -> int:
    """Return the end of the comment at the cursor; white space between tags counts as one and has no end."""
    start = html.find("<", cursor, limit)
    if start < 0:
        return cursor
    close = "-->" if html.startswith("<!--", start) else ">"
    end = html.find(close, start, limit)
    return cursor if end < 0 else end + len(close)


def _reads(source: str) -> str:
    """Return what a piece of source reads as: stray tags gone, references resolved, white space collapsed."""
    return " ".join(unescape(TAG.sub("", source)).split())


def _with_carriage_returns(spans: list[Span | None], html: str) -> list[Span | None]:
    """Move spans from the normalised source, where CR LF is one character, back to the source itself."""
    if "\r\n" not in html:
        return spans
    pairs = np.array([found.start() for found in re.finditer("\r\n", html)])
    places = pairs - np.arange(len(pairs))  # where each pair's LF stands in the normalised source
    return [span and (_moved(span[0], places), _moved(span[1], places)) for span in spans]


def _moved(offset: int, places: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> int:
    return offset + int(np.searchsorted(places, offset, side="left"))
