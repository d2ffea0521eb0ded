"""A page as it comes from its source."""

from dataclasses import dataclass
from typing import Any

from dehusk.reasons import Reason
from dehusk.sources.record import Record


@dataclass(frozen=True, slots=True)
class RawPage:
    """A page that was read, or why it could not be."""

    name: str  # where it was read from, and what its output file is named after
    data: bytes | str = b""
    url: str | None = None
    charset: str | None = None
    problem: Reason | None = None  # why there is no page
    line_field: str | None = None  # if the data is still a JSON line: the field that holds the page
    fields: dict[str, Any] | None = None  # of a JSON line, all but the page itself
    record: Record | None = None  # of a page from an archive
    content_type: str = ""  # as its server sent it
    private: bool = False  # it was fetched from a private network, as was allowed
    notice: Reason | None = None  # what went wrong on the way, although there is a page

    @property
    def is_plain(self) -> bool:
        """Whether its archive says that it is plain text, without markup."""
        return self.record is not None and self.record.type == "text/plain"

    @property
    def is_line(self) -> bool:
        """Whether the page comes from JSON lines."""
        return self.line_field is not None or self.fields is not None
