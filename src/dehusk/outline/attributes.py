"""What an outline reads from the attributes of elements: the numbers of a list, the language of code."""

import re
from typing import Final

from dehusk.page import Elements

LEADING_NUMBER: Final = re.compile(r"\s*\+?(\d{1,9})(?!\d)", re.ASCII)  # Markdown allows no more digits
LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|brush:\s{0,9})([A-Za-z0-9+#.-]{1,30})(?=[\s;]|$)"
)
NO_LANGUAGE: Final = frozenset({"default", "none", "plain", "plaintext", "text", "txt", "nohighlight"})


def attribute(elements: Elements, index: int, name: str) -> str | None:
    """Return an attribute of an element; the root of the tree is no element and has none."""
    read = getattr(elements.node[index], "attr", None)
    return read(name) if read else None


def numbering(elements: Elements, index: int) -> tuple[int, int]:
    """Return the first number of an ordered list, and the step from one number to the next.

    >>> from dehusk import Page
    >>> elements = Page.from_html("<ol reversed><li>a<li>b</ol>").elements
    >>> numbering(elements, elements.tag.index("ol"))
    (2, -1)
    """
    start = leading_number(attribute(elements, index, "start"))
    if attribute(elements, index, "reversed") is None:
        return 1 if start is None else start, 1
    if start is None:
        start = sum(getattr(child, "tag", "") == "li" for child in elements.node[index])
    return start, -1


def leading_number(value: str | None) -> int | None:
    """Return the number that an attribute begins with, None if there is none.

    >>> leading_number(" 7."), leading_number("-3"), leading_number("12345678901")
    (7, None, None)
    """
    match = LEADING_NUMBER.match(value) if value else None
    return int(match[1]) if match else None


def code_language(elements: Elements, index: int) -> str:
    """Return the language of the code in an element, by its class, that of the `code` in it or of what is around it.

    >>> from dehusk import Page
    >>> elements = Page.from_html('<pre><code class="hljs language-Rust">fn').elements
    >>> code_language(elements, elements.tag.index("pre"))
    'rust'
    """
    tags, parents = elements.tag, elements.parent
    inside = [index + 1] if index + 1 < len(tags) and parents[index + 1] == index and tags[index + 1] == "code" else []
    around = [parents[index], parents[parents[index]]] if parents[index] > 0 else []
    for element in (index, *inside, *around):
        match = LANGUAGE.search((attribute(elements, element, "class") or "")[:500])
        match = match or LANGUAGE.match(f"lang-{(attribute(elements, element, 'data-lang') or '')[:500]}")
        if match and match[1].lower() not in NO_LANGUAGE:
            return match[1].lower()
    return ""
