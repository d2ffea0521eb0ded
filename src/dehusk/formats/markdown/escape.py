"""Escaping: text as Markdown that reads as that text and as nothing else, in any reader.

Readers differ in what a backslash escapes (Python-Markdown: not `<`), in the characters that they drop (the same one:
U+0002, wherever it is) and in what they know beyond CommonMark (formulas, attributes in braces). Where they differ,
what is written here means the same to all.
"""

import re
from typing import Final

from dehusk.formats.fast_markup import FORBIDDEN, has_controls, may_be_markdown

MARKUP: Final = re.compile(
    r"""
      [`*\[\]~]
    | \\(?=[!-/:-@\[-`{-~\n]|$)       # a backslash that would escape something; what comes after the line is unknown
    | (?<![^\W_])_ | _(?![^\W_])      # inside of words an underscore is plain
    | \$(?!\d)                        # before a digit it is a price, which neither opens nor closes a formula
    | \{(?=[^{}=]*=)                  # attributes of what is before it, such as a script to run
    """,
    re.VERBOSE,
)
REFERENCE: Final = re.compile(r"&(?=#?\w{1,32};)")
TAG: Final = re.compile(r"<(?=[A-Za-z/!?]|$)")
# All that is a line end to Python or JavaScript, and so may be one to a reader.
LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
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
ADDRESS_ESCAPES: Final = {
    ord(character): "".join(f"%{byte:02X}" for byte in character.encode())
    for character in ("\u2028", "\u2029", *"'()[]*~$", *map(chr, range(0x7F, 0xA0)))
}
NEEDS_ADDRESS_ESCAPE: Final = re.compile("['()\\[\\]*~$\x7f-\x9f\u2028\u2029]")
WEB_SCHEMES: Final = ("https://", "http://")
FENCES: Final = re.compile("`+")
# To a reader that knows no formulas these would begin a tag, end the text of a link or a label, or open a fence.
IN_FORMULA: Final = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[:])|~(?=~)")
HANDLER_IN_FORMULA: Final = re.compile(r"(?<=[*_])\{(?=[^{}]*?\bon[a-z]+\s*=)", re.IGNORECASE)


def text(words: str, *, prices: bool = True) -> str:
    r"""Escape what could be markup anywhere in a line, including dollars before a digit unless `prices`.

    >>> print(text("2*3 snake_case _x_ <b> AT&T &amp; $5 $x"))
    2\*3 snake_case \_x\_ &lt;b> AT&T &amp;amp; $5 \$x
    """
    if not may_be_markdown(words):  # a quick check that most texts pass
        return words
    words = without_controls(words, " ")
    if "&" in words:
        words = REFERENCE.sub("&amp;", words)
    if "<" in words:
        words = TAG.sub("&lt;", words)
    words = MARKUP.sub(r"\\\g<0>", words)
    return words if prices else PRICE.sub(r"\\$", words)


def without_controls(words: str, line_end: str) -> str:
    r"""Return text with `line_end` for whatever some reader takes for one, and U+FFFD for other control characters.

    >>> without_controls("a\r\nb\u2028c\x1bd\n", " ")
    'a b c�d\n'
    """
    return FORBIDDEN.sub("\ufffd", LINE_ENDS.sub(line_end, words)) if has_controls(words) else words


def line(words: str) -> str:
    r"""Escape what could be markup at the beginning of a line.

    >>> line("# 1"), line("1986. A year"), line("- x"), line("-5")
    ('\\# 1', '1986\\. A year', '\\- x', '-5')
    """
    match = LINE.match(words) if words[0] in LINE_BEGINS else None
    if match is None:
        return words
    offset = 0 if match["before"] else match.end()
    return f"{words[:offset]}\\{words[offset:]}"


def before_bracket(words: str) -> str:
    """Return escaped text so that a bracket after it begins no image, and no footnote inside of the text.

    >>> before_bracket("Look!"), before_bracket("2^"), before_bracket("Look")
    ('Look\\\\!', '2&#94;', 'Look')
    """
    if words.endswith("!"):
        return f"{words[:-1]}\\!"
    return f"{words[:-1]}&#94;" if words.endswith("^") else words


def code(words: str) -> str:
    """Return text as a code span.

    >>> code("a"), code("`"), code("a``b")
    ('`a`', '`` ` ``', '```a``b```')
    """
    words = without_controls(words, " ")
    fence = _fence(words, 1)
    edge = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{edge}{words}{edge}{fence}"


def fenced(words: str, language: str) -> str:
    """Return text without control characters as a code block, the fence longer than any in it.

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


def formula(tex: str) -> str:
    r"""Return LaTeX that means the same, and is no markup to a reader that knows no formulas.

    Spaces make no difference to LaTeX, and a backtick is shown as the quotation mark.

    >>> formula("a<b"), formula("x < 3"), formula("`"), formula("[a](b)")
    ('a< b', 'x < 3', '‘', '[a] (b)')
    """
    tex = IN_FORMULA.sub(r"\g<0> ", without_controls(tex, " ")).replace("`", "‘")
    return HANDLER_IN_FORMULA.sub(" {", tex) if "{" in tex else tex


def address(url: str) -> str:
    """Return an address as the target of a link.

    >>> address("https://example.org/a(b)?c=&copy;")
    'https://example.org/a%28b%29?c=\\\\&copy;'
    >>> address("javascript&colon;x")
    'javascript%26colon;x'
    """
    if NEEDS_ADDRESS_ESCAPE.search(url):
        url = url.translate(ADDRESS_ESCAPES)
    if "&" in url and not url.startswith(WEB_SCHEMES):
        # Whichever way a reader decodes what is before the first slash, it must not become a scheme.
        end = min(len(url.partition(mark)[0]) for mark in "/?")
        url = url[:end].replace("&", "%26") + url[end:]
    return REFERENCE.sub(r"\\&", url) if ";" in url else url
