"""Records: which of them are pages, and what their headers say."""

from hashlib import blake2b
from http.client import responses
from typing import Final
from urllib.parse import urlsplit

from dehusk.corpus.case import Case
from dehusk.corpus.settings import RecordSettings, Settings
from dehusk.reasons import Code, Reason
from dehusk.sources.record import Record

RESPONSES: Final = ("response", "resource")


def check_record(case: Case, settings: Settings) -> Case:
    """Reject what is not a page: other kinds of record, errors of the server, other types, wrong sizes, damage."""
    accepted, record = settings.records, case.page.record
    assert record
    case = case.with_columns(**_origin(case, record, accepted))
    if case.page.problem:
        case = case.reject(case.page.problem)
    if record.kind not in RESPONSES and not record.is_converted:
        case = case.reject(Reason(Code.OTHER_KIND, record.kind))
    if record.status is not None and record.status not in accepted.statuses:
        case = case.reject(Reason(Code.HTTP_STATUS, responses.get(record.status, "(unknown)"), seen=record.status))
    if record.type is not None and record.type not in accepted.types and not record.is_converted:
        case = case.reject(Reason(Code.OTHER_TYPE, record.type))
    size = len(case.page.data)
    if size < accepted.min_bytes:
        case = case.reject(Reason(Code.TOO_SMALL, limit=accepted.min_bytes, seen=size))
    if size > accepted.max_bytes:
        case = case.reject(Reason(Code.TOO_LARGE, "bytes", limit=accepted.max_bytes, seen=size))
    return case


def _origin(case: Case, record: Record, accepted: RecordSettings) -> dict[str, object]:
    """Return where a record is from."""
    url = case.page.url or record.headers.get("location") or ""
    key = f"{record.id or f'{record.file}:{record.offset}'} {url}"
    headers = {name: record.headers[name] for name in accepted.headers if name in record.headers}
    return {
        "id": blake2b(key.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest(),
        "url": case.page.url,
        "host": host_of(url),
        "date": record.date,
        "ip": record.ip,
        "status": record.status,
        "type": record.type,
        "headers": headers,
        "robots": record.headers.get("x-robots-tag"),
        "tdm": record.headers.get("tdm-reservation"),
        "file": record.file,
        "offset": record.offset,
        "record_id": record.id,
        "digest": record.digest,
        "bytes": len(case.page.data),
        "truncated": record.truncated,
    }


def host_of(url: str) -> str | None:
    """Return the host of an address; None if it has none.

    >>> host_of("https://Example.org:80/a"), host_of("http://[broken")
    ('example.org', None)
    """
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
