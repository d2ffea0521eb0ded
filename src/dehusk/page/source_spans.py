"""Where in the source of a page each leaf is."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from turbohtml import parse, unescape

from dehusk.page.fast_walk import Span, Step, Tags, walk

TAG: Final = re.compile(r"<[^<>]*>")


def source_spans(html: str, strings: Sequence[str], limit: int, *, shadows: bool = False) -> list[Span | None]:
    """Return the span in `html` of each leaf, given the leaves' texts in document order and the limit on elements.

    The parser reports where tags are, but not texts; a text is what lies between the tags around it. Each span is
    checked against the leaf's own text, so that it is right or None.
    """
    normal = html.replace("\r\n", "\n").replace("\r", "\n")
    tree = parse(normal, source_locations=True, scripting=True, allow_declarative_shadow_roots=shadows)
    steps: list[Tags | Step] = []
    walk(tree, limit, shadows, steps)
    candidates = _between_tags(_events(steps), normal)
    spans = [
        span if span and _is_source(normal[span[0] : span[1]], string) else None
        for string, span in zip(strings, candidates, strict=False)
    ]
    return _with_carriage_returns(spans + [None] * (len(strings) - len(spans)), html)


# An event of a walk is where a tag starts and ends, or one of these two. Pairs of numbers and not objects: a page may
# have a million events, and the garbage collector stops looking through tuples that hold nothing but numbers.
LEAF: Final = (-1, -1)
OTHER: Final = (-2, -2)  # a comment, or white space


def _events(steps: list[Tags | Step]) -> list[Span]:
    """Return tags, leaves and other nodes in the order of a walk."""
    events: list[Span] = []
    closing_tags: list[Span | None] = []
    bases, last_tag = [0], 0  # where the page and the fragments that the walk is in begin; where the last tag ends
    for step in steps:
        if step is Step.LEAF:
            events.append(LEAF)
        elif step is Step.OTHER:
            events.append(OTHER)
        elif step is Step.ENTER_FRAGMENT:
            bases.append(last_tag)
        elif step is Step.LEAVE_FRAGMENT:
            bases.pop()
        else:
            if step is Step.CLOSE:
                tag = closing_tags.pop()
            else:
                tag = _shifted(step[0], bases[-1])
                closing_tags.append(_shifted(step[1], bases[-1]))
            if tag:
                last_tag = tag[1]
                events.append(tag)
    return events + [tag for tag in reversed(closing_tags) if tag]


def _shifted(span: Span | None, base: int) -> Span | None:
    return span and (base + span[0], base + span[1])


def _between_tags(events: list[Span], html: str) -> list[Span | None]:
    """Return what lies between the tags, and comments, to the left and right of each leaf."""
    following = _next_tags(events, len(html))
    spans: list[Span | None] = []
    cursor = 0
    for number, event in enumerate(events):
        limit = following[number]
        if event is OTHER:
            cursor = _after_comment(html, cursor, limit)
        elif event is LEAF:
            end = limit
            if number + 1 < len(events) and events[number + 1] is OTHER:
                comment = html.find("<!", cursor, limit)
                end = comment if comment >= 0 else limit
            spans.append((cursor, end) if cursor <= end else None)
            cursor = max(cursor, end)
        else:
            cursor = event[1]
    return spans


def _next_tags(events: list[Span], length: int) -> list[int]:
    """Return where the first tag after each event begins."""
    following = [length] * len(events)
    for number in range(len(events) - 1, 0, -1):
        start = events[number][0]
        following[number - 1] = start if start >= 0 else following[number]
    return following


def _after_comment(html: str, cursor: int, limit: int) -> int:
    """Return the end of the comment at the cursor; white space between tags counts as one and has no end."""
    start = html.find("<", cursor, limit)
    if start < 0:
        return cursor
    close = "-->" if html.startswith("<!--", start) else ">"
    end = html.find(close, start, limit)
    return cursor if end < 0 else end + len(close)


def _is_source(source: str, text: str) -> bool:
    """Return whether a piece of source reads as a text: stray tags removed, references resolved, space collapsed."""
    if source == text:
        return True
    if "<" in source:
        source = TAG.sub("", source)
    if "&" in source:
        source = unescape(source)
    return source.split() == text.split()


def _with_carriage_returns(spans: list[Span | None], html: str) -> list[Span | None]:
    """Convert spans in the normalised source, where CR LF is one character, to spans in the source itself."""
    if "\r\n" not in html:
        return spans
    pairs = np.array([pair.start() for pair in re.finditer("\r\n", html)])
    line_ends = pairs - np.arange(len(pairs))  # of the normalised source, those that were pairs

    def shifted(offset: int) -> int:
        return offset + int(np.searchsorted(line_ends, offset, side="left"))

    return [span and (shifted(span[0]), shifted(span[1])) for span in spans]
