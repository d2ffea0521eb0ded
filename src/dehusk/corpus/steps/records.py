"""Records: which of them are pages, and what their headers say."""

from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

from dehusk.corpus.case import Case
from dehusk.corpus.settings import Records, Settings
from dehusk.sources.record import Record

RESPONSES: Final = ("response", "resource")
# How problems of reading begin → the reason they are counted under.
PROBLEMS: Final = {
    "damaged": "damaged",
    "cut off": "cut off",
    "wrong length": "wrong length",
    "too large": "size",
}


def check_record(case: Case, settings: Settings) -> Case:
    """Reject what is no page: other kinds of record, errors of the server, other types, wrong sizes, damage."""
    wanted, record = settings.records, case.page.record
    assert record
    case = case.having(**_place(case, record, wanted))
    if case.page.problem:
        beginning = case.page.problem.partition(":")[0]
        return case.reject(PROBLEMS.get(beginning, "unreadable"), case.page.problem)
    if record.kind not in RESPONSES:
        return case.reject("kind", record.kind)
    if record.status is not None and record.status not in wanted.statuses:
        return case.reject("status", str(record.status))
    if record.type is not None and record.type not in wanted.types:
        return case.reject("type", record.type)
    size = len(case.page.data)
    if not wanted.min_bytes <= size <= wanted.max_bytes:
        bound = f"fewer than {wanted.min_bytes:,}" if size < wanted.min_bytes else f"more than {wanted.max_bytes:,}"
        return case.reject("size", f"{bound} bytes")
    return case


def _place(case: Case, record: Record, wanted: Records) -> dict[str, object]:
    """Return where a record is from."""
    url = case.page.url or record.headers.get("location") or ""
    key = f"{record.id or f'{record.file}:{record.offset}'} {url}"
    headers = {name: record.headers[name] for name in wanted.headers if name in record.headers}
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
