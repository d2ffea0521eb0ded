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
    | (?<=\n)\{                       # or of what is around it
    """,
    re.VERBOSE,
)
REFERENCE: Final = re.compile(r"&(?=#?\w{1,32};)")
TAG: Final = re.compile(r"<(?=[A-Za-z/!?]|$)|(?<=\\)<")
# All that is a line end to Python or JavaScript, and so may be one to a reader.
LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
ADDRESS_START: Final = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
LONE_WORD: Final = re.compile(r"\A\S+(?=\s*(?:\n|\Z)|\s+[\"'(|])")
SCRIPT: Final = re.compile(r"\A\W*(?:javascript|vbscript|data)(?=:)", re.IGNORECASE)
MAIL: Final = re.compile(r"(?<=\w)@(?=\w)")
BRACE: Final = re.compile(r"(?<!\\)\{")
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
# To a reader that knows no formulas these would begin a tag, an image or an address, or open a fence.
IN_FORMULA: Final = re.compile(r"<(?=[A-Za-z/!?])|\\(?=<)|!(?=\[)|~(?=~)|:(?=//)|www(?=\.)", re.IGNORECASE)
# And these would be the target of a link, a label, or the box of a task.
BRACKETS_IN_FORMULA: Final = re.compile(r"(?<=\])\s*([(\[])|(?<=\])\s*(?=:)|(?<=[-+*.)])\s*(\[)(?=[ xX]\])")
BOX_IN_FORMULA: Final = re.compile(r"(?<=\[[ xX]\])\s+")
# Attributes of what is around or before them, to a reader that knows no formulas.
ATTRIBUTES_IN_FORMULA: Final = re.compile(r"(?<![*_\s])\s+\{(?=[^{}=]*=)")
HANDLER_IN_FORMULA: Final = re.compile(r"(?<=[*_])\{(?=[^{}]*?\bon[a-z]+\s*=)", re.IGNORECASE)


def text(words: str, *, prices: bool = True, braces: bool = False) -> str:
    r"""Escape what could be markup anywhere in a line: dollars before a digit unless `prices`, all `braces` on request.

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
    if braces or ("=" in words and words.count("{") > 1):  # braces in braces are attributes, too
        words = BRACE.sub(r"\\{", words)
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
    if words.startswith(("[x](", "[X](")):  # the box of a task, in one reader
        return f"[&#{ord(words[1])};{words[2:]}"
    match = LINE.match(words) if words[0] in LINE_BEGINS else None
    if match is None:
        return words
    offset = 0 if match["before"] else match.end()
    return f"{words[:offset]}\\{words[offset:]}"


def note(words: str) -> str:
    r"""Return the escaped text of a footnote so that it is no address of a link to a reader that knows no footnotes.

    >>> note("https://example.org/"), note("javascript:x y"), note("A note")
    ('https://example.org/ &#32;', 'javascript\\:x y', 'A note')
    """
    return SCRIPT.sub(r"\g<0>\\", LONE_WORD.sub(r"\g<0> &#32;", words))


def before_code(words: str) -> str:
    r"""Return escaped text so that a backtick after it begins code, in readers too that know few escapes.

    >>> before_code("a\\\\"), before_code("\\`"), before_code("a")
    ('a&#92;', '&#96;', 'a')
    """
    return f"{words[:-2]}&#{ord(words[-1])};" if words.endswith(("\\\\", "\\`")) else words


def attribute(words: str) -> str:
    r"""Return escaped text for readers that put it into an attribute as it is, and a link into that.

    >>> attribute("a > www.example.org \\[c\\](d)")
    'a &gt; www&#46;example.org \\[c&#93;(d)'
    """
    words = MAIL.sub("&#64;", words) if "@" in words else words
    if may_have_address(words):
        words = ADDRESS_START.sub(lambda match: f"&#{ord(match[0])};", words)
    # In the text of a link one reader takes the backslash before a bracket for none.
    return words.replace("\\](", "&#93;(").replace(">", "&gt;")


def may_have_address(words: str) -> bool:
    """Return whether words have what some readers make a link: a quick check that few pass."""
    return "://" in words or "www." in words.lower()


def has_address(words: str) -> bool:
    """Return whether words end in what some readers make a link, up to the next white space."""
    return may_have_address(words) and bool(ADDRESS_START.search(words[_last_word(words) :]))


def without_address(words: str) -> str:
    """Return escaped words that end in an address so that no reader makes it a link.

    >>> without_address("See https://example.org/a"), without_address("www.example.org")
    ('See https&#58;//example.org/a', 'www&#46;example.org')
    """
    start = _last_word(words)
    return words[:start] + ADDRESS_START.sub(lambda match: f"&#{ord(match[0])};", words[start:])


def _last_word(words: str) -> int:
    return len(words) - len(words.rsplit(None, 1)[-1]) if words and not words[-1].isspace() else len(words)


def before_bracket(words: str) -> str:
    """Return escaped text so that a bracket after it begins no image, and no footnote inside of the text.

    >>> before_bracket("Look!"), before_bracket("2^"), before_bracket("Look")
    ('Look\\\\!', '2&#94;', 'Look')
    """
    if words.endswith("!"):
        return f"{words[:-1]}\\!"
    return f"{words[:-1]}&#94;" if words.endswith("^") else words


def formula(tex: str, *, in_link: bool = False) -> str:
    r"""Return LaTeX that means the same, and is no markup to a reader that knows no formulas.

    Spaces and braces around a character make no difference to LaTeX, and a backtick is shown as the quotation mark.

    >>> formula("a<b"), formula("x < 3"), formula("`"), formula("[a](b)")
    ('a< b', 'x < 3', '‘', '[a] {(}b)')
    """
    tex = IN_FORMULA.sub(r"\g<0> ", without_controls(tex, " ")).replace("`", "‘")
    if in_link or tex.count("[") != tex.count("]"):
        tex = tex.replace("[", r"\lbrack ").replace("]", r"\rbrack ")
    elif "]" in tex:
        tex = BRACKETS_IN_FORMULA.sub(lambda match: f" {{{match[1] or match[2] or ''}}}", BOX_IN_FORMULA.sub("", tex))
    return HANDLER_IN_FORMULA.sub(" {", ATTRIBUTES_IN_FORMULA.sub("{", tex)) if "{" in tex else tex


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
