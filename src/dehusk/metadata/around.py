"""Around the title: the lines that stand there, where people look for who wrote a piece and when."""

from typing import TYPE_CHECKING, Final, NamedTuple

from dehusk.page.leaves import NEW_LINE

if TYPE_CHECKING:
    from dehusk.page import Page

BEFORE: Final = 6  # lines; what stands further up belongs to the site
AFTER: Final = 15
LONGEST: Final = 200  # characters of a line that tells who and when; longer ones tell the story
# One below, one above, two below, two above…
NEAREST: Final = sorted({*range(-BEFORE, AFTER + 1)} - {0}, key=lambda distance: (abs(distance), -distance))
LEAVES: Final = 12  # of a line, on average at most
LEVELS: Final = 4  # elements above a text whose attributes speak of it


class Line(NamedTuple):
    """A line of text near the title."""

    text: str
    first: int  # its first leaf
    last: int  # one past its last leaf
    distance: int  # in lines from the title, negative before it


def lines_around(page: "Page", leaf: int) -> list[Line]:
    """Return the lines near a leaf, the nearest first; at the same distance the one below comes before the one above.

    >>> from dehusk.page import Page
    >>> [line.text for line in lines_around(Page.from_html("<p>News<h1>Title</h1><p>By Ann<p>Text"), 1)]
    ['By Ann', 'News', 'Text']
    """
    leaves = page.leaves
    if not 0 <= leaf < len(leaves):
        return []
    # A line has hardly ever more leaves than this. Bytes and lists are faster to walk over than columns.
    low, high = max(leaf - LEAVES * BEFORE, 0), min(leaf + LEAVES * AFTER, len(leaves))
    edges, here = _edges(leaves.parted[low:high].tobytes(), leaf - low)
    low, high = low + edges[0], low + edges[-1]
    start, end = leaves.start[low:high].tolist(), leaves.end[low:high].tolist()
    found = []
    for distance in NEAREST:
        number = here + distance
        if 0 <= number < len(edges) - 1:
            first, last = edges[number] - edges[0], edges[number + 1] - edges[0]
            if end[last - 1] - start[first] <= LONGEST:
                text = page.text[start[first] : end[last - 1]]
                found.append(Line(text, low + first, low + last, distance))
    return found


def _edges(parted: bytes, leaf: int) -> tuple[list[int], int]:
    """Return where the lines round a leaf begin, at last where the last one ends, and which of them is the leaf's own.

    >>> _edges(bytes((NEW_LINE, NEW_LINE, 0, NEW_LINE)), 2)
    ([0, 1, 3, 4], 1)
    """
    here = leaf
    while here and parted[here] < NEW_LINE:
        here -= 1
    above: list[int] = []
    below: list[int] = []
    place = here
    while place and len(above) < BEFORE:
        place -= 1
        if parted[place] >= NEW_LINE:
            above.append(place)
    place = leaf + 1
    while place < len(parted) and len(below) <= AFTER:
        if parted[place] >= NEW_LINE:
            below.append(place)
        place += 1
    if len(below) <= AFTER:
        below.append(len(parted))
    return [*reversed(above), here, *below], len(above)
