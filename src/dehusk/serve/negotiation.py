"""Negotiation: the media type of each format, and the format that an `Accept` header asks for."""

from typing import Final

MEDIA_TYPES: Final = {
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "text": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "xml": "application/xml",
    "tei": "application/tei+xml",
    "cleaneval": "text/plain; charset=utf-8",
    "report": "text/html; charset=utf-8",
}
# In this order, where a client likes several equally. Two formats have the media type of another one: by name only.
ACCEPTED: Final = {
    MEDIA_TYPES[name].partition(";")[0]: name for name in ("json", "markdown", "text", "html", "xml", "tei")
}
ALSO: Final = {"text/xml": "xml", "text/x-markdown": "markdown", "application/xhtml+xml": "html"}


def preferred(accept: str, default: str) -> str | None:
    """Return the format that an `Accept` header likes best; None if it likes none.

    >>> preferred("text/markdown, text/plain;q=0.5", "json"), preferred("*/*", "json"), preferred("image/png", "json")
    ('markdown', 'json', None)
    """
    ranges = [_range(each) for each in accept.split(",") if each.strip()]
    if not ranges:
        return default
    names = {MEDIA_TYPES[default].partition(";")[0]: default, **ACCEPTED, **ALSO}
    liked = {kind: _quality(kind, ranges) for kind in names}
    best = max(liked, key=lambda kind: liked[kind])  # the first of several
    return names[best] if liked[best] > (0, 0) else None


def _range(text: str) -> tuple[str, float]:
    kind, *parameters = (part.strip().lower() for part in text.split(";"))
    quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
    try:
        return kind, min(max(float(quality), 0.0), 1.0)
    except ValueError:
        return kind, 0.0


def _quality(kind: str, ranges: list[tuple[str, float]]) -> tuple[float, int]:
    """Return how much a media type is liked, and by how exact a range: the most exact one counts."""
    family = kind.partition("/")[0] + "/*"
    for exactness, wanted in ((3, kind), (2, family), (1, "*/*")):
        found = [quality for each, quality in ranges if each == wanted]
        if found:
            return (max(found), exactness) if max(found) > 0 else (0, 0)
    return 0, 0
