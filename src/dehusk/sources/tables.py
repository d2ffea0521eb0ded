"""Pages from Parquet files: one row per page, with the page in one column and its URL in another.

Only columns that are needed are read. A value that many rows share is in memory once, and rows are taken in batches of
so many bytes: a file of a few kilobytes may stand for any number of them.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from dehusk.extras import require
from dehusk.reasons import Code, Reason
from dehusk.sources.account import Account, Gap
from dehusk.sources.parquet_pages import column_start, page_sizes
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record

SUFFIXES: Final = frozenset({".parquet"})
SIGNATURE: Final = re.compile(rb"PAR1(?:\x15|$)")  # and the first field of what follows, since a text may begin so
BATCH: Final = 64  # rows that are in memory together, if there are many bytes
MANY: Final = 2**16  # the same, if there are few
BUFFER: Final = 2**20  # bytes of a column that are read at once
BATCH_BYTES: Final = 2**26  # of pages of a column that they may be spread over
# Bytes of a page of a column, which is decompressed as a whole. Writers look at its size every 1,000 rows or so.
LARGEST_PAGE: Final = 2**29
LARGEST_DICTIONARY: Final = 2**28  # which is in memory three times
BYTES_PER_CHARACTER: Final = 4  # in UTF-8
KEPT_TYPES: Final = (str, int, float, bool, type(None))


def row_groups(file: IO[bytes]) -> int:
    """Return into how many parts a file is divided that can be read separately."""
    return int(_Table.of(file).metadata.num_row_groups)


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads pages from a Parquet file; the name of each has the number of its row."""

    name: str
    field: str  # the column that holds the page
    limit: int  # bytes of a page
    with_others: bool = False  # whether other columns are kept as fields, as far as JSON can hold them

    def read(
        self, file: IO[bytes], start: int = 0, end: int | None = None, account: Account | None = None
    ) -> Iterator[RawPage]:
        """Yield the rows of the row groups from `start` up to `end`; damage costs the rest of its group."""
        table, account = _Table.of(file), account or Account()
        count, borders = table.metadata.num_row_groups, table.borders()
        start, end = min(start, count), count if end is None else min(end, count)
        account.start = account.end = borders[start]
        names = table.flat_columns(with_others=self.with_others, needed=(self.field, "url"))
        if self.field not in names:
            shown = ", ".join(table.parquet.schema_arrow.names[:20])
            problem = f"no column {self.field!r} of strings or bytes; expected one that holds the page, found {shown}"
            account.end = borders[max(start, end)]
            account.records, account.record_bytes = 1, account.end - account.start
            yield RawPage(self.name, problem=Reason(Code.INVALID_RECORD, problem))
            return
        row_number = sum(table.metadata.row_group(group).num_rows for group in range(start))
        for group in range(start, end):
            yield from self._group(table, group, names, row_number, account)
            account.padding += borders[group + 1] - account.end
            account.end = borders[group + 1]
            row_number += table.metadata.row_group(group).num_rows
        if end == count:
            account.padding += table.size - account.end
            account.end = table.size

    def _group(
        self, table: "_Table", group: int, names: list[str], row_number: int, account: Account
    ) -> Iterator[RawPage]:
        """Yield the rows of a group, of which the first has this number."""
        from pyarrow import ArrowException  # noqa: PLC0415  (large, and few need it)

        rows, problem = 0, None
        try:
            for batch in table.batches(group, names):
                columns = {name: _Column(batch.column(name)) for name in names}
                for index in range(batch.num_rows):
                    yield self._page(columns, index, row_number + rows)
                    rows += 1
        except (ArrowException, OSError, ValueError, LookupError) as error:
            if getattr(error, "errno", None) is not None:  # of the disk, or of a store
                raise
            problem = Reason(Code.DAMAGED, f"no row of its group can be read from here on: {error}")
        promised = table.metadata.row_group(group).num_rows
        if not problem and rows < promised:
            problem = Reason(Code.DAMAGED, f"its group has {rows:,} rows; its directory says {promised:,}")
        if problem:
            row = row_number + rows
            yield RawPage(f"{self.name}:{row}", problem=problem, record=Record(self.name, row, "unknown"))
        table.account_for(group, rows, problem, account)

    def _page(self, columns: dict[str, "_Column"], index: int, row_number: int) -> RawPage:
        name, facts = f"{self.name}:{row_number}", Record(self.name, row_number, "resource")
        limit = self.limit * BYTES_PER_CHARACTER
        if columns[self.field].size(index) > limit:
            too_large = Reason(Code.TOO_LARGE, f"bytes in {self.field!r}", limit=limit)
            return RawPage(name, problem=too_large, fields={}, record=facts)
        others: dict[str, Any] = {}
        for key, column in columns.items():
            limit -= column.size(index)
            # What JSON can hold of the other columns, and no more of them than there may be of the page.
            if key != self.field and limit >= 0 and isinstance(value := column.value(index), KEPT_TYPES):
                others[key] = value
        html, url = columns[self.field].value(index), others.get("url")
        if not isinstance(html, str | bytes):
            problem = f"{self.field!r} is {type(html).__name__}; expected a string or bytes"
            return RawPage(name, problem=Reason(Code.INVALID_RECORD, problem), fields=others, record=facts)
        return RawPage(name, html, url if isinstance(url, str) else None, fields=others, record=facts)


class _Column:
    """A column of a batch; of values that rows share, each is looked at once."""

    def __init__(self, array: Any) -> None:
        from pyarrow import compute, types  # noqa: PLC0415

        shared = types.is_dictionary(array.type)
        self._values = array.dictionary if shared else array
        self._indices = array.indices.to_pylist() if shared else range(len(array))
        known = [index for index in self._indices if index is not None]
        if known and not 0 <= min(known) <= max(known) < len(self._values):  # which pyarrow does not check
            raise OSError("a row has a value that is not there")
        kind = self._values.type
        is_long = any(check(kind) for check in (types.is_string, types.is_binary, types.is_large_string))
        is_long = is_long or types.is_large_binary(kind)
        self._sizes = compute.binary_length(self._values).to_pylist() if is_long else None

    def size(self, row: int) -> int:
        """Return how many bytes a value has, if these may be many."""
        index = self._indices[row]
        return 0 if self._sizes is None or index is None else self._sizes[index] or 0

    def value(self, row: int) -> Any:
        """Return a value as Python has it; text that is not UTF-8, as bytes."""
        if (index := self._indices[row]) is None:
            return None
        scalar = self._values[index]
        try:
            return scalar.as_py()
        except UnicodeDecodeError:
            return scalar.as_buffer().to_pybytes()


@dataclass(frozen=True, slots=True)
class _Table:
    """An open Parquet file."""

    file: IO[bytes]
    parquet: Any

    @classmethod
    def of(cls, file: IO[bytes]) -> "_Table":
        require("reading Parquet files", "pyarrow")
        from pyarrow import ArrowException  # noqa: PLC0415
        from pyarrow.parquet import ParquetFile, read_metadata  # noqa: PLC0415

        try:
            metadata = read_metadata(file)
            columns = (metadata.schema.column(index) for index in range(metadata.num_columns))
            texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
            # A value that rows share stays one, and nothing is read before it is needed.
            return cls(
                file, ParquetFile(file, metadata=metadata, read_dictionary=texts, pre_buffer=False, buffer_size=BUFFER)
            )
        except (ArrowException, ValueError, LookupError) as error:  # names that are not UTF-8, too
            raise OSError(f"not a Parquet file: {error}") from error

    @property
    def size(self) -> int:
        return self.file.seek(0, io.SEEK_END)

    @property
    def metadata(self) -> Any:
        return self.parquet.metadata

    def flat_columns(self, *, with_others: bool, needed: tuple[str, ...]) -> list[str]:
        """Return the columns to be read, of those that are not nested: a nested one has no limit, and is not kept."""
        schema = self.parquet.schema_arrow
        kinds = {field.name: getattr(field.type, "value_type", field.type) for field in schema}
        nested = {field.name for field in schema if field.type.num_fields}
        return [
            name
            for name, kind in kinds.items()
            if name not in nested and (name in needed or (with_others and _is_kept(kind)))
        ]

    def batches(self, group: int, names: list[str]) -> Iterator[Any]:
        """Yield the rows of a group, so many at a time that they take a bounded number of bytes."""
        largest, total = 1, 0
        for column in self._columns(group):
            if column.path_in_schema in names:
                for page in page_sizes(self.file, column):
                    if page.unpacked > (LARGEST_DICTIONARY if page.is_dictionary else LARGEST_PAGE):
                        raise OSError(f"a page of column {column.path_in_schema!r} has {page.unpacked:,} bytes")
                    size = 0 if page.is_dictionary else page.unpacked
                    largest, total = max(largest, size), total + size
        # Rows are in as many pages at most; few bytes may be many rows, whose shared values every batch looks at.
        rows = MANY if total <= BATCH_BYTES else min(BATCH, max(BATCH_BYTES // largest, 1))
        return self.parquet.iter_batches(rows, row_groups=[group], columns=names)  # type: ignore[no-any-return]

    def borders(self) -> list[int]:
        """Return where row groups begin in the file, and its end; the first has what is before it, too."""
        size, borders = self.size, [0]
        for group in range(1, self.metadata.num_row_groups):
            borders.append(min(max(self._start(group), borders[-1]), size))
        return [*borders, size] if self.metadata.num_row_groups else [0]

    def account_for(self, group: int, rows: int, problem: Reason | None, account: Account) -> None:
        """Add the bytes of a group of which so many rows were read."""
        begin, end = self.borders()[group : group + 2]
        start = min(max(self._start(group), begin), end)
        size = min(sum(max(column.total_compressed_size, 0) for column in self._columns(group)), end - start)
        known = size * rows // max(self.metadata.row_group(group).num_rows, rows, 1) if problem else size
        account.records += rows
        account.padding += start - begin
        account.record_bytes += known
        account.end = start + size
        if problem:
            account.gaps.append(Gap(start + known, start + size, problem))

    def _columns(self, group: int) -> list[Any]:
        row_group = self.metadata.row_group(group)
        return [row_group.column(index) for index in range(row_group.num_columns)]

    def _start(self, group: int) -> int:
        return min(map(column_start, self._columns(group)), default=0)


def _is_kept(kind: Any) -> bool:
    """Return whether JSON can hold the values of a column; embeddings are not copied."""
    from pyarrow import types  # noqa: PLC0415

    checks = (types.is_string, types.is_large_string, types.is_integer, types.is_floating, types.is_boolean)
    return any(check(kind) for check in checks)
