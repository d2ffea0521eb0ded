"""Record: what an archive of a crawl says about one of its records, so that a page can be traced to its bytes."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Record:
    """Facts about a record of a WARC or ARC file, or about any other page whose offset in a file is known."""

    file: str
    offset: int  # of its first byte in the file; in content compressed with others, and in a table, its number
    kind: str = "response"  # as WARC calls it: response, request, resource, warcinfo, metadata…
    id: str | None = None
    date: str | None = None  # ISO 8601
    ip: str | None = None
    status: int | None = None  # of HTTP
    type: str | None = None  # media type that the server stated, without parameters
    headers: dict[str, str] = field(default_factory=dict)  # of HTTP, names in lower case
    digest: str | None = None  # of the payload, as the archive states it
    truncated: str | None = None  # why the crawler did not store all of it, as WARC-Truncated says

    @property
    def is_page(self) -> bool:
        """Whether it holds an HTML page that a server returned.

        >>> Record("a.warc", 0, status=200, type="text/html").is_page, Record("a.warc", 0, "request").is_page
        (True, False)
        """
        return self._is_success and self.kind in ("response", "resource") and self.type in (None, *HTML_TYPES)

    @property
    def is_text(self) -> bool:
        """Whether it holds plain text, as a server returned it or converted from a page.

        >>> Record("a.warc", 0, type="text/plain").is_text
        True
        """
        return self._is_success and self.kind in ("response", "resource", "conversion") and self.type == "text/plain"

    @property
    def is_converted(self) -> bool:
        """Whether it holds the text of a page, without its markup, as the records of a WET file do.

        >>> Record("a.wet", 0, "conversion", type="text/plain").is_converted, Record("a.warc", 0).is_converted
        (True, False)
        """
        return self.kind == "conversion" and self.type == "text/plain"

    @property
    def _is_success(self) -> bool:
        return self.status is None or 200 <= self.status < 300


HTML_TYPES = ("text/html", "application/xhtml+xml")
