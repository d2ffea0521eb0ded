"""Pages from Parquet files: one row per page, with the page in one column and its URL in another."""

import re
from collections.abc import Iterator
from typing import IO, Any, Final

from dehusk.extras import require
from dehusk.reasons import Code, Reason
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".parquet"})
SIGNATURE: Final = re.compile(rb"PAR1(?:\x15|$)")  # and the first field of what follows, since a text may begin so
BATCH: Final = 64  # rows that are in memory together
KEPT_TYPES: Final = (str, int, float, bool, type(None))


def row_groups(file: IO[bytes]) -> int:
    """Return into how many parts a file is divided that can be read separately."""
    return int(_open(file).num_row_groups)


def read(file: IO[bytes], name: str, field: str, start: int = 0, end: int | None = None) -> Iterator[RawPage]:
    """Yield the rows of a Parquet file, of its row groups from `start` up to `end`; the name of each has its number."""
    table = _open(file)
    names = table.schema_arrow.names
    if field not in names:
        shown = ", ".join(names[:20])
        problem = f"no column {field!r}; expected one that holds the page, found {shown}"
        yield RawPage(name, problem=Reason(Code.INVALID_RECORD, problem))
        return
    end = table.num_row_groups if end is None else min(end, table.num_row_groups)
    row_number = sum(table.metadata.row_group(group).num_rows for group in range(start))
    for group in range(start, end):
        yield from _group(table, group, name, row_number, field)
        row_number += table.metadata.row_group(group).num_rows


def _group(table: Any, group: int, name: str, row_number: int, field: str) -> Iterator[RawPage]:
    """Yield the rows of a group, of which the first has this number; damage costs the rest of the group."""
    from pyarrow import ArrowException  # noqa: PLC0415  (large, and few need it)

    try:
        for batch in table.iter_batches(BATCH, row_groups=[group]):
            for row in batch.to_pylist():
                yield _page(row, name, row_number, field)
                row_number += 1
    except (ArrowException, OSError) as error:
        problem = Reason(Code.DAMAGED, f"no row of its group can be read from here on: {error}")
        yield RawPage(f"{name}:{row_number}", problem=problem, record=Record(name, row_number, "unknown"))


def _page(row: dict[str, Any], name: str, row_number: int, field: str) -> RawPage:
    html, url = row.pop(field), row.get("url")
    page_name = f"{name}:{row_number}"
    facts = Record(name, row_number, "resource")
    if not isinstance(html, str | bytes):
        problem = f"{field!r} is {type(html).__name__}; expected a string or bytes"
        return RawPage(page_name, problem=Reason(Code.INVALID_RECORD, problem), record=facts)
    # What JSON can hold of the other columns; embeddings are not copied.
    others = {key: value for key, value in row.items() if isinstance(value, KEPT_TYPES)}
    return RawPage(page_name, html, url if isinstance(url, str) else None, fields=others, record=facts)


def _open(file: IO[bytes]) -> Any:
    require("reading Parquet files", "pyarrow")
    from pyarrow import ArrowException  # noqa: PLC0415
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415

    try:
        return ParquetFile(file)
    except ArrowException as error:
        raise OSError(f"not a Parquet file: {error}") from error
