"""Archives of crawls: how one recognises them. Their reader is imported with the first one."""

import re
from collections.abc import Iterator
from typing import IO, Final

from dehusk.sources.account import Account
from dehusk.sources.raw_page import RawPage

SUFFIXES: Final = frozenset({".arc", ".warc", ".wat", ".wet"})
# A version and a header, or the line of the first record, as far as there is some: a text may begin with such a word.
# Or LZ4, or a dictionary of zstd: nothing else is compressed by these.
SIGNATURE: Final = re.compile(
    rb"[\r\n]{0,8}(?:WARC/\d{1,2}\.\d{1,3}[ \t]*(?:\r?\n[!-9;-~]*(?::|$)|$)|filedesc://\S*(?: [\d.]*(?: |$)|$))"
    rb"|\x04\x22\x4d\x18|\x5d\x2a\x4d\x18"
)


def read(
    file: IO[bytes],
    name: str,
    limit: int,
    start: int = 0,
    end: int | None = None,
    *,
    exact: bool = False,
    account: Account | None = None,
) -> Iterator[RawPage]:
    """Yield the records of an archive that begin at or after `start` and before `end`: see `archive_reader.read`."""
    from dehusk.sources import archive_reader  # noqa: PLC0415  (every command would wait for it)

    return archive_reader.read(file, name, limit, start, end, exact=exact, account=account)


def is_divisible(file: IO[bytes], name: str) -> bool:
    """Return whether reading can begin in the middle of an archive: see `archive_reader.is_divisible`."""
    from dehusk.sources import archive_reader  # noqa: PLC0415  (as above)

    return archive_reader.is_divisible(file, name)
