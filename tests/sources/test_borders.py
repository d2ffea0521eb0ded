"""Records that do not end with their frame: wherever one is cut in two, all records of the archive come out."""

import gzip
import io

import pytest

from dehusk.sources import archives
from dehusk.sources.account import Account
from tests.helpers.archives import ARC_HEAD, arc_record, http, warc_record

WARC = [
    warc_record(0, b"software: test\r\nformat: WARC\r\n", kind="warcinfo"),
    warc_record(1, b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", kind="request"),
    warc_record(2, http(b"<p>Two\r\n")),
    warc_record(3),
]
ARC = [ARC_HEAD, *map(arc_record, range(3))]


@pytest.mark.parametrize("records", [WARC, ARC], ids=["warc", "arc"])
def test_a_border_between_two_frames_may_be_anywhere(records: list[bytes]) -> None:
    content = b"".join(records)
    for cut in range(1, len(content)):
        data = gzip.compress(content[:cut], 1) + gzip.compress(content[cut:], 1)
        account = Account()
        pages = list(archives.read(io.BytesIO(data), "a", 10_000, account=account))
        assert [page.problem for page in pages] == [None] * len(records), cut
        assert (account.is_balanced, account.gaps, account.end) == (True, [], len(data)), cut
