"""Around the title: the lines that stand there, where people look for who wrote a piece and when."""

from typing import TYPE_CHECKING, Final

from dehusk.metadata.fast_lines import line_edges
from dehusk.page.fast_scan import lines
from dehusk.page.leaves import NEW_LINE

if TYPE_CHECKING:
    from dehusk.page import Page

BEFORE: Final = 6  # lines; what stands further up belongs to the site
AFTER: Final = 15
LONGEST: Final = 200  # characters of a line that tells who and when; longer ones tell the story
# One below, one above, two below, two above…
NEAREST: Final = sorted({*range(-BEFORE, AFTER + 1)} - {0}, key=lambda distance: (abs(distance), -distance))
LEAVES: Final = 12  # of a line, on average at most; hardly any has more
# A line of text near the title: the text, its first leaf, one past its last, and how many lines it is from the title,
# negative before it. No type of its own, since twenty of them are made for every page.
Line = tuple[str, int, int, int]


def lines_around(page: "Page", leaf: int) -> list[Line]:
    """Return the lines near a leaf, the nearest first; at the same distance the one below comes before the one above.

    >>> from dehusk.page import Page
    >>> [text for text, *_ in lines_around(Page.from_html("<p>News<h1>Title</h1><p>By Ann<p>Text"), 1)]
    ['By Ann', 'News', 'Text']
    """
    leaves = page.leaves
    if not 0 <= leaf < len(leaves):
        return []
    edges, here = line_edges(leaves.parted, leaf, BEFORE, AFTER, LEAVES, NEW_LINE)
    return lines(page.text, leaves.start, leaves.end, edges, here, NEAREST, LONGEST)
