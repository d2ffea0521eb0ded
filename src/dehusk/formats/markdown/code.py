"""Code as Markdown: in backticks and fences, or in tags where some reader would not see that it is code.

In tags nothing depends on what a reader takes for code: whatever has a meaning in Markdown or HTML is written as a
character reference.
"""

import re
from typing import Final

from dehusk.formats.markdown.escape import ADDRESS_START, without_controls

FENCES: Final = re.compile("`+")
# A tag, a link or an image to a reader that does not see code.
MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?]|$)|\]\s*[(\[:]")
# To some readers these are stronger than code, and pair with the same in other text.
BINDING: Final = re.compile(r"[`~^]|==|\|\|")
REFERENCES: Final = {ord(character): f"&#{ord(character)};" for character in "$*@[\\]^`|~"} | {
    ord(character): name for character, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
}
# What makes a line a heading, an item, a rule or a definition.
LINE_START: Final = re.compile(r"(?m)^([ \t]*)([-+=#:]|\d(?=\d{0,8}[.)]))")
UNDERSCORE: Final = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # inside of words it is plain
FIRST_TAB: Final = re.compile(r"\A\t")  # after a tag, one reader takes it for the white space of a quote
BEFORE_BLANK_LINE: Final = re.compile(r"\n(?=[ \t]*(?:\n|$))")


def span(words: str, *, in_cell: bool = False, strict: bool = False) -> str:
    r"""Return text as a code span; `strict` inside of other markup, and where text has what may pair with the code's.

    >>> span("a"), span("`"), span("a``b"), span("~~<b>"), span("a\\|b", in_cell=True)
    ('`a`', '`` ` ``', '```a``b```', '<code>&#126;&#126;&lt;b&gt;</code>', '<code>a&#92;&#124;b</code>')
    """
    words = without_controls(words, " ")
    if "\\<" in words or (in_cell and "\\|" in words) or _may_be_torn(words, strict=strict):
        return in_tags(words)
    fence = _fence(words, 1)
    edge = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{edge}{words}{edge}{fence}"


def _may_be_torn(words: str, *, strict: bool) -> bool:
    if strict and words.rfind("<") > words.rfind(">"):  # a tag that other code may end
        return True
    return bool(BINDING.search(words) and (strict or MARKUP.search(words)))


def in_tags(words: str) -> str:
    """Return text without control characters as code that no reader can take for anything else.

    >>> in_tags("<b>")
    '<code>&lt;b&gt;</code>'
    """
    return f"<code>{_as_references(words)}</code>"


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

    Not all readers know a fence there, or know what it is in; one that does not reads tags, links and, in braces,
    attributes. A blank line would end what it takes for a paragraph.

    >>> print(nested_block("<b>\\n\\nx", "html", fences_work=True))
    <pre><code class="language-html">&lt;b&gt;&#10;
    x</code></pre>
    """
    if fences_work and not MARKUP.search(words) and not _has_attributes(words):
        return block(words, language)
    attribute = f' class="language-{language}"' if language else ""
    lines = BEFORE_BLANK_LINE.sub("&#10;", FIRST_TAB.sub("&#9;", _as_references(words)))
    return f"<pre><code{attribute}>{lines}</code></pre>"


def _has_attributes(words: str) -> bool:
    """Return whether text has braces that would be attributes of what is before or around them."""
    if "{" not in words:
        return False
    lines = words.split("\n")
    return any(mark in words for mark in ("*{", "_{", "`{")) or any(
        " {" in f" {line}" and line.rstrip().endswith("}") for line in lines
    )


def _as_references(words: str) -> str:
    words = UNDERSCORE.sub("&#95;", words.translate(REFERENCES)).replace("==", "&#61;&#61;")
    words = LINE_START.sub(lambda match: f"{match[1]}&#{ord(match[2])};", words)
    return ADDRESS_START.sub(lambda match: f"&#{ord(match[0])};", words)


def _fence(words: str, least: int) -> str:
    longest = max(map(len, FENCES.findall(words)), default=0) if "`" in words else 0
    return "`" * (max(least, longest + 1) if longest >= least else least)
