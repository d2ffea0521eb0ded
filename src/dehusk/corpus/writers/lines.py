"""Lines that cannot be forged: what a page or an archive says of itself stays in the line that it is written to."""

import re
from typing import Final
from urllib.parse import quote

# White space, control characters, separators of lines and paragraphs, and what turns the direction of writing round.
NOT_IN_LINE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
MOST: Final = 8000  # bytes of a value: some readers refuse a record whose headers have more than 32 KB
# What any program takes for the end of a line.
LINE_ENDS: Final = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"


def in_line(value: str) -> str:
    r"""Return an address, or the like, as it is written to a line: percent-encoded where it must be, and cut off.

    >>> in_line("https://example.org/a b\r\nWARC-Type: \u00fc")
    'https://example.org/a%20b%0D%0AWARC-Type:%20ü'
    """
    encoded = NOT_IN_LINE.sub(lambda match: quote(match[0].encode("utf-8", "replace"), safe=""), value[:MOST])
    return encoded.encode()[:MOST].decode("utf-8", "ignore")
