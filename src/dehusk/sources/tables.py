"""Pages from Parquet files: one row per page, with the page in one column and its URL in another."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from dehusk.extras import require
from dehusk.sources.files import PARQUET
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

BATCH: Final = 64  # rows that are in memory together
KEPT_TYPES: Final = (str, int, float, bool, type(None))


def holds_rows(location: str) -> bool:
    """Return whether a location is a Parquet file, by its name."""
    return Path(location).suffix.lower() == PARQUET


def row_groups(file: IO[bytes]) -> int:
    """Return into how many parts a file is divided that can be read separately."""
    return int(_open(file).num_row_groups)


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows to read: row groups from `first` up to `last`, which is not included; None means all."""

    first: int = 0
    last: int | None = None


def read(file: IO[bytes], name: str, field: str, rows: Rows = Rows()) -> Iterator[RawPage]:
    """Yield the rows of a Parquet file; the name of each has its number."""
    table = _open(file)
    names = table.schema_arrow.names
    if field not in names:
        shown = ", ".join(names[:20])
        yield RawPage(name, problem=f"no column {field!r}; expected one that holds the page, found {shown}")
        return
    last = table.num_row_groups if rows.last is None else min(rows.last, table.num_row_groups)
    number = sum(table.metadata.row_group(group).num_rows for group in range(rows.first))
    for group in range(rows.first, last):
        yield from _group(table, group, name, number, field)
        number += table.metadata.row_group(group).num_rows


def _group(table: Any, group: int, name: str, number: int, field: str) -> Iterator[RawPage]:
    """Yield the rows of a group, of which the first has this number; damage costs the rest of the group."""
    from pyarrow import ArrowException  # noqa: PLC0415  (large, and few need it)

    try:
        for batch in table.iter_batches(BATCH, row_groups=[group]):
            for row in batch.to_pylist():
                yield _page(row, name, number, field)
                number += 1
    except (ArrowException, OSError) as error:
        problem = f"damaged: no row of its group can be read from here on: {error}"
        yield RawPage(f"{name}:{number}", problem=problem, record=Record(name, number, "unknown"))


def _page(row: dict[str, Any], name: str, number: int, field: str) -> RawPage:
    html, url = row.pop(field), row.get("url")
    place = f"{name}:{number}"
    facts = Record(name, number, "resource")
    if not isinstance(html, str | bytes):
        return RawPage(place, problem=f"{field!r} is {type(html).__name__}; expected a string or bytes", record=facts)
    # What JSON can hold of the other columns; it is not the place to copy embeddings.
    others = {key: value for key, value in row.items() if isinstance(value, KEPT_TYPES)}
    return RawPage(place, html, url if isinstance(url, str) else None, fields=others, record=facts)


def _open(file: IO[bytes]) -> Any:
    require("reading Parquet files", "pyarrow")
    from pyarrow import ArrowException  # noqa: PLC0415
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415

    try:
        return ParquetFile(file)
    except ArrowException as error:
        raise OSError(f"not a Parquet file: {error}") from error
