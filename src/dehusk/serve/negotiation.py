"""Negotiation: the format that an `Accept` header asks for."""

from dehusk.formats import by_name
from dehusk.serve.offered import BY_MEDIA_TYPE


def preferred(accept: str, default: str) -> str | None:
    """Return the format that an `Accept` header likes best; None if it likes none.

    >>> preferred("text/markdown, text/plain;q=0.5", "json"), preferred("*/*", "json"), preferred("image/png", "json")
    ('markdown', 'json', None)
    """
    ranges = [_range(each) for each in accept.split(",") if each.strip()]
    if not ranges:
        return default
    names = {by_name(default).media_type: default, **BY_MEDIA_TYPE}
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
    for exactness, media_range in ((3, kind), (2, family), (1, "*/*")):
        if qualities := [quality for each, quality in ranges if each == media_range]:
            return (max(qualities), exactness) if max(qualities) > 0 else (0, 0)
    return 0, 0
