"""Front matter: the metadata of a page as YAML between two lines of dashes, as static site generators read it."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from dehusk.document import Document

NAMES: Final = (
    "title", "authors", "published", "modified", "site", "description", "url", "image", "language", "kind", "licence",
    "tags",
)  # fmt: skip
DATES: Final = ("published", "modified")
# Dates that every YAML parser reads as dates; others are quoted.
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)
# What JSON allows in a string but YAML forbids or reads as a line end; and what would be a tag, a link or attributes to
# a Markdown reader that knows no front matter. A lone surrogate is no character at all.
UNFIT: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff<]|\\](?=\\s*[(\\[:])|(?<=[*_`)\\]]){|{(?=[^{}=]*=)")
SURROGATE: Final = re.compile("[\ud800-\udfff]")


def front_matter(document: Document) -> str:
    """Return the metadata that the page states, one field per line; what is unknown is left out.

    >>> from dehusk import extract
    >>> print(front_matter(extract("<title>Rain: a guide</title><h1>Rain: a guide</h1><p>It rains.", method="alltext")))
    ---
    title: "Rain: a guide"
    ---
    <BLANKLINE>
    """
    return "".join(["---\n", *(f"{name}: {value}\n" for name, value in _fields(document)), "---\n"])


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    metadata = document.metadata
    for name in NAMES:
        value = getattr(metadata, name)
        if name == "url":
            value = value or document.page.url
        if value and isinstance(value, tuple):
            yield name, f"[{', '.join(map(_quoted, value))}]"
        elif value:
            yield name, value if name in DATES and _is_date(value) else _quoted(value)


def _quoted(text: str) -> str:
    """Return a string in quotation marks: a string of JSON is one of YAML, too, apart from a few characters."""
    quoted = json.dumps(SURROGATE.sub("\ufffd", text), ensure_ascii=False)
    return UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _is_date(text: str) -> bool:
    try:
        return bool(DATE.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:  # such as the 30th of February
        return False
