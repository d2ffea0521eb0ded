"""A page as it comes from its source."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page that was read, or why it could not be."""

    name: str  # where it was read from, and what its output file is named after
    data: bytes | str = b""
    url: str | None = None
    charset: str | None = None
    problem: str = ""
    fields: dict[str, Any] | None = None  # of a JSON line, all but the page itself
