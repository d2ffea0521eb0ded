"""Code as Markdown: in backticks and fences, or in tags where some reader would not see that it is code.

In tags nothing depends on what a reader takes for code: whatever has a meaning in Markdown or HTML is written as a
character reference.
"""

import re
from typing import Final

from dehusk.formats.markdown.escape import without_controls

FENCES: Final = re.compile("`+")
# A tag, a link or an image to a reader that does not see code.
MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?]|$)|\]\s*[(\[:]")
REFERENCES: Final = {ord(character): f"&#{ord(character)};" for character in "!#$'*:=@[\\]^_`{|}~"} | {
    ord(character): name for character, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
}
BEFORE_BLANK_LINE: Final = re.compile(r"\n(?=[ \t]*(?:\n|$))")
# What begins an item at the start of a line, and an address without a scheme.
LINE_STARTS: Final = re.compile(r"(?m)^([ \t]*)([-+]|\d(?=\d{0,8}[.)]))|(www)(\.)")


def span(words: str, *, in_cell: bool = False) -> str:
    r"""Return text as a code span.

    >>> span("a"), span("`"), span("a``b"), span("~~<b>"), span("a\\|b", in_cell=True)
    ('`a`', '`` ` ``', '```a``b```', '<code>&#126;&#126;&lt;b&gt;</code>', '<code>a&#92;&#124;b</code>')
    """
    words = without_controls(words, " ")
    # Readers differ on what a backslash before a pipe means; on whether a backtick can be escaped, so that one in the
    # text may pair with one in here; and on whether code or what is struck out binds more strongly.
    if (in_cell and "\\|" in words) or (("`" in words or "~~" in words) and MARKUP.search(words)):
        return f"<code>{_as_references(words)}</code>"
    fence = _fence(words, 1)
    edge = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{edge}{words}{edge}{fence}"


def block(words: str, language: str) -> str:
    """Return text without control characters as a code block, the fence longer than any in it.

    >>> print(block("x", "python"))
    ```python
    x
    ```
    """
    fence = _fence(words, 3)
    return f"{fence}{language}\n{words}\n{fence}"


def nested_block(words: str, language: str, *, fences_work: bool) -> str:
    """Return text without control characters as a code block inside a list item, a quote or the like.

    Not all readers know a fence there, or know what it is in, and one fence that is missed turns the next code block into
    text. A blank line would end what such a reader takes for a paragraph.

    >>> print(nested_block("<b>\\n\\nx", "html", fences_work=True))
    <pre><code class="language-html">&lt;b&gt;&#10;
    x</code></pre>
    """
    if fences_work and not MARKUP.search(words):
        return block(words, language)
    attribute = f' class="language-{language}"' if language else ""
    lines = BEFORE_BLANK_LINE.sub("&#10;", _as_references(words))
    return f"<pre><code{attribute}>{lines}</code></pre>"


def _as_references(words: str) -> str:
    return LINE_STARTS.sub(_item_reference, words.translate(REFERENCES))


def _item_reference(match: re.Match[str]) -> str:
    kept, character = match.group(1, 2) if match[2] else match.group(3, 4)
    return f"{kept}&#{ord(character)};"


def _fence(words: str, least: int) -> str:
    longest = max(map(len, FENCES.findall(words)), default=0) if "`" in words else 0
    return "`" * (max(least, longest + 1) if longest >= least else least)
