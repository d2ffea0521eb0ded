"""How much of a page's markup is parsed: memory is bounded before the parser takes it, since afterwards is too late."""

import re
from itertools import islice
from typing import Final, NamedTuple

from dehusk.config import Limits
from dehusk.page import fast_formatting
from dehusk.page.fast_formatting import affordable
from dehusk.page.formatting_costs import ATTRIBUTE_BYTES, CLONES_PER_BLOCK, ELEMENT_BYTES, MOST_BLOCKS
from dehusk.reasons import Code, Reason, cut_off

try:
    from dehusk.page import tags
except ImportError:  # there was no compiler
    count_formatting = fast_formatting.count_formatting
else:
    count_formatting = tags.count_formatting

MULTIPLIES: Final = Reason(Code.CUT_OFF, "where formatting left open multiplies")
START_TAG: Final = re.compile(r"<[a-zA-Z]")
TAG: Final = re.compile(r"<[a-zA-Z/!?]")
SIGN: Final = re.compile(r"<")
# End tags and comments cost memory too, though less: an ordinary page has one end tag per element, and few comments.
TAGS_PER_ELEMENT: Final = 2.5
# A sign that begins no tag is text, for which the parser takes about 60 bytes all the same.
SIGNS_PER_ELEMENT: Final = 7
# What a page may take in memory, of which formatting that is repeated may take what the rest of its markup leaves.
MOST_BYTES: Final = 750_000_000
BYTES_PER_CHARACTER: Final = 25
# With 4 characters for a tag that has formatting repeated and 2 for an attribute to repeat, shorter pages cannot take
# more than that, however they spend their characters.
SHORT: Final = 31_000


class Parsable(NamedTuple):
    """The part of a page's markup that is parsed, and why not more: None if it is all."""

    html: str
    reason: Reason | None = None


def parsable(html: str, limits: Limits) -> Parsable:
    """Return what can be parsed of the markup within the limits.

    >>> html, reason = parsable("<p>a<p>b<p>c", Limits(elements=2))
    >>> html, str(reason)
    ('<p>a<p>b', 'cut off after 2 elements')
    """
    part = _within_counts(html, limits.elements)
    most = max(MOST_BYTES - BYTES_PER_CHARACTER * len(part.html), MOST_BYTES // 3)
    if len(part.html) <= SHORT or rough_cost(part.html) <= most:
        return part
    length, _ = affordable(part.html, most)
    return part if length == len(part.html) else Parsable(part.html[:length], MULTIPLIES)


def _within_counts(html: str, elements: int) -> Parsable:
    """Return the markup up to its start tag number `elements`, or up to larger numbers of other markup."""
    # The shortest start tag has three characters, so most pages need not be searched.
    if len(html) <= 3 * elements or html.count("<") <= elements:
        return Parsable(html)
    limits = (
        (START_TAG, elements, "elements"),
        (TAG, int(TAGS_PER_ELEMENT * elements), "tags"),
        (SIGN, SIGNS_PER_ELEMENT * elements, "signs <"),
    )
    for pattern, most, what in limits:
        beyond = next(islice(pattern.finditer(html), most, None), None)
        if beyond is not None:
            return Parsable(html[: beyond.start()], cut_off(most, what))
    return Parsable(html)


def rough_cost(html: str) -> int:
    """Return the bytes that formatting would take if none of it were ever closed: most pages can afford that.

    >>> rough_cost("<p>No formatting.</p>"), rough_cost("<b>bold</b>")
    (0, 4352)
    """
    tags, ends, repeated, link, widest = count_formatting(html, ELEMENT_BYTES, ATTRIBUTE_BYTES)
    return tags * (repeated + link) + CLONES_PER_BLOCK * MOST_BLOCKS * ends * widest
