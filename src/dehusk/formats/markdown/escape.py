"""Escaping: text as Markdown that reads as that text and as nothing else."""

import re
from typing import Final

from dehusk.formats.fast_markup import may_be_markdown

MARKUP: Final = re.compile(
    r"""
      [`*\[\]~]
    | \\(?=[!-/:-@\[-`{-~]|$)         # a backslash that would escape something; what comes after the text is unknown
    | (?<![^\W_])_ | _(?![^\W_])      # inside of words an underscore is plain
    | <(?=[A-Za-z/!?])
    | &(?=\#?\w{1,32};)
    | \$(?!\d)                        # before a digit it is a price, which neither opens nor closes a formula
    """,
    re.VERBOSE,
)
PRICE: Final = re.compile(r"\$(?=\d)")
# What can turn a line into a heading, a quote, an item, a rule, a definition or the second line of a table.
LINE: Final = re.compile(
    r"""
      (?P<before> \#{1,6}(?=\s|$) | > | [-+](?=\s|$) | :(?=\s) | =+\s*$ | [-:|](?=[-:|\s]*$) )
    | (?P<number> \d{1,9})(?=[.)](?:\s|$))
    | (?P<footnote> \[\^[^\]\s]+\])(?=:)
    """,
    re.VERBOSE,
)
LINE_BEGINS: Final = frozenset("#>-+:=|[0123456789")
# Characters that would end an address, or open something in it.
ADDRESS_ESCAPES: Final = {ord(character): f"%{ord(character):02X}" for character in "'()[]*~$"}
NEEDS_ADDRESS_ESCAPE: Final = re.compile(r"['()\[\]*~$]")
FENCES: Final = re.compile("`+")


def text(words: str, *, prices: bool = True) -> str:
    r"""Escape what could be markup anywhere in a line, including dollars before a digit unless `prices`.

    >>> print(text("2*3 snake_case _x_ <b> AT&T &amp; $5 $x"))
    2\*3 snake_case \_x\_ \<b> AT&T \&amp; $5 \$x
    """
    if not may_be_markdown(words):  # a quick check that most texts pass
        return words
    words = MARKUP.sub(r"\\\g<0>", words)
    return words if prices else PRICE.sub(r"\\$", words)


def line(words: str) -> str:
    r"""Escape what could be markup at the beginning of a line.

    >>> line("# 1"), line("1986. A year"), line("- x"), line("-5")
    ('\\# 1', '1986\\. A year', '\\- x', '-5')
    """
    match = LINE.match(words) if words[0] in LINE_BEGINS else None
    if match is None:
        return words
    place = 0 if match["before"] else match.end()
    return f"{words[:place]}\\{words[place:]}"


def code(words: str) -> str:
    """Return text as a code span.

    >>> code("a"), code("`"), code("a``b")
    ('`a`', '`` ` ``', '```a``b```')
    """
    fence = _fence(words, 1)
    edge = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{edge}{words}{edge}{fence}"


def fenced(words: str, language: str) -> str:
    """Return text as a code block, the fence longer than any in it.

    >>> print(fenced("x", "python"))
    ```python
    x
    ```
    """
    fence = _fence(words, 3)
    return f"{fence}{language}\n{words}\n{fence}"


def _fence(words: str, least: int) -> str:
    longest = max(map(len, FENCES.findall(words)), default=0) if "`" in words else 0
    return "`" * (max(least, longest + 1) if longest >= least else least)


def address(url: str) -> str:
    """Return an address as the target of a link.

    >>> address("https://example.org/a(b)?c=&copy;")
    'https://example.org/a%28b%29?c=\\\\&copy;'
    """
    if NEEDS_ADDRESS_ESCAPE.search(url):
        url = url.translate(ADDRESS_ESCAPES)
    return re.sub(r"&(?=#?\w{1,32};)", r"\\&", url) if ";" in url else url
