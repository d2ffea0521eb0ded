"""Lines: whatever a page claims about itself, as one line of plain text."""

from functools import lru_cache

from dehusk.metadata.fast_clean_text import letters, line

__all__ = ["folded", "line"]


@lru_cache(4096)  # the same few strings are compared again and again
def folded(text: str) -> str:
    """Return the letters and digits alone, for comparing what should be the same.

    >>> folded("Fish & Chips!") == folded("fish chips")
    True
    """
    return letters(text.casefold())
