"""Columns: the schema of a corpus, and rows as Arrow tables. Nothing else of ours imports pyarrow, but the source."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import ipc, parquet

from dehusk.blocks import Kind

# No array is made when this is imported: pyarrow would import pandas, where there is one, which takes a second.
LABEL: Final = pa.dictionary(pa.int8(), pa.string())  # few values, many rows
BLOCK: Final = pa.struct(
    [
        ("start", pa.int32()),  # in page_text, in characters
        ("length", pa.int32()),
        ("kind", LABEL),
        ("level", pa.uint8()),  # of a heading 1 to 6, of a list item its depth
        ("score", pa.float32()),  # 1 = boilerplate
        ("kept", pa.bool_()),
        ("hidden", pa.bool_()),
        ("repeat_of", pa.int32()),  # number of the first block with the same text
        ("source_start", pa.int32()),  # in the decoded page; with --trace
        ("source_end", pa.int32()),
        ("language", pa.string()),  # with [language] blocks = true
        ("language_confidence", pa.float32()),
    ]
)
STRINGS: Final = pa.list_(pa.string())
SCHEMA: Final = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("host", pa.string()),
        ("date", pa.string()),  # of the crawl
        ("ip", pa.string()),
        ("country", pa.string()),  # of the server, with [location] database
        ("region", pa.string()),
        ("city", pa.string()),
        ("status", pa.int16()),
        ("type", pa.string()),
        ("headers", pa.map_(pa.string(), pa.string())),
        ("robots", pa.string()),
        ("tdm", pa.string()),
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("record_id", pa.string()),
        ("digest", pa.string()),
        ("bytes", pa.int64()),
        ("truncated", pa.string()),  # why the crawler did not store all of it: length, time, disconnect…
        ("reason_code", pa.string()),  # null: kept
        ("reason", pa.string()),
        ("title", pa.string()),
        ("authors", STRINGS),
        ("published", pa.string()),
        ("modified", pa.string()),
        ("site", pa.string()),
        ("description", pa.string()),
        ("canonical", pa.string()),
        ("licence", pa.string()),
        ("tags", STRINGS),
        ("language", pa.string()),
        ("language_confidence", pa.float32()),
        ("charset", pa.string()),
        ("doctype", pa.string()),
        ("method", pa.string()),
        ("kind", pa.string()),
        ("confidence", pa.float32()),
        ("note_code", pa.string()),
        ("note", pa.string()),  # what is missing of the page, though it may be kept
        ("characters", pa.int32()),
        ("words", pa.int32()),
        ("mean_word", pa.float32()),
        ("letters", pa.float32()),
        ("repeated_lines", pa.float32()),
        ("ended_lines", pa.float32()),
        ("badness", pa.float32()),
        ("perplexity", pa.float32()),
        ("cluster", pa.string()),  # id of the first document of a group of duplicates
        ("duplicate_of", pa.string()),  # id of the one that is kept
        ("similarity", pa.float32()),  # to that one: estimated Jaccard
        ("text", pa.string()),
        ("page_text", pa.string()),
        ("blocks", pa.list_(BLOCK)),
    ]
)
# Spans grow within a page; other columns have few values.
DELTA: Final = {"blocks.list.element.start": "DELTA_BINARY_PACKED", "blocks.list.element.length": "DELTA_BINARY_PACKED"}
WITHOUT_DICTIONARY: Final = {"text", "page_text", "blocks", "headers", "authors", "tags", *DELTA}
ROW_GROUP: Final = 1000
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class BlockColumns:
    """The blocks of a page, as arrays."""

    start: NDArray[np.int32]
    length: NDArray[np.int32]
    kind: NDArray[np.uint8]
    level: NDArray[np.uint8]
    score: NDArray[np.float32]
    kept: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    repeat_of: NDArray[np.int32]  # -1: none
    sources: list[tuple[int, int] | None] | None = None
    languages: list[tuple[str, float] | None] | None = None


def do_without_pandas() -> None:
    """Keep pyarrow from importing pandas, which takes a second, in a process that has no use for it.

    pyarrow tries once, with the first array that is made.
    """
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _NoPandas)
        try:
            pa.array([0])
        finally:
            sys.meta_path.remove(_NoPandas)


class _NoPandas(MetaPathFinder):
    """Finds no pandas."""

    @staticmethod
    def find_spec(name: str, path: object, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)


def as_batch(rows: Sequence[dict[str, Any]]) -> pa.RecordBatch:
    """Return rows, in which columns may be missing, as a batch of the schema."""
    columns = [
        _blocks([row.get("blocks") for row in rows]) if name == "blocks" else _column(name, rows)
        for name in SCHEMA.names
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _column(name: str, rows: Sequence[dict[str, Any]]) -> pa.Array:
    kind, values = SCHEMA.field(name).type, [row.get(name) for row in rows]
    if name == "headers":
        values = [list(value.items()) if value else [] for value in values]
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # a lone surrogate
        return pa.array([_encodable(value) for value in values], kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"column {name}: expected {kind}: {error}") from error


def _encodable(value: Any) -> Any:
    """Return a value with U+FFFD for each lone surrogate, which UTF-8 does not have."""
    if isinstance(value, str):
        return LONE_SURROGATE.sub("\ufffd", value)
    return [_encodable(each) for each in value] if isinstance(value, list | tuple) else value


def _blocks(pages: list[BlockColumns | None]) -> pa.Array:
    """Return the blocks of pages as one nested column; null for a page that was not parsed."""
    counts = [0 if page is None else len(page.start) for page in pages]
    offsets = pa.array(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
    present = [page for page in pages if page is not None]

    def joined(name: str, kind: Any) -> NDArray[Any]:
        return np.concatenate([np.zeros(0, kind), *(getattr(page, name) for page in present)]).astype(kind, copy=False)

    repeats = joined("repeat_of", np.int32)
    scores = joined("score", np.float32)
    columns = [
        pa.array(joined("start", np.int32)),
        pa.array(joined("length", np.int32)),
        pa.DictionaryArray.from_arrays(pa.array(joined("kind", np.int8)), pa.array([kind.label for kind in Kind])),
        pa.array(joined("level", np.uint8)),
        pa.array(scores, mask=np.isnan(scores)),
        pa.array(joined("kept", np.bool_)),
        pa.array(joined("hidden", np.bool_)),
        pa.array(repeats, mask=repeats < 0),
        *_pairs(present, "sources", pa.int32(), pa.int32()),
        *_pairs(present, "languages", pa.string(), pa.float32()),
    ]
    values = pa.StructArray.from_arrays(columns, fields=list(BLOCK))
    lists = pa.ListArray.from_arrays(offsets, values)
    missing = np.array([page is None for page in pages], np.bool_)
    if not missing.any():
        return lists
    return pa.ListArray.from_arrays(offsets, values, mask=pa.array(missing))


def _pairs(pages: list[BlockColumns], name: str, *kinds: pa.DataType) -> list[pa.Array]:
    """Return the two columns that pairs make up, or none of which there are."""
    if not any(getattr(page, name) for page in pages):
        return [pa.nulls(sum(len(page.start) for page in pages), kind) for kind in kinds]
    pairs = [pair for page in pages for pair in getattr(page, name) or [None] * len(page.start)]
    return [pa.array([pair and pair[index] for pair in pairs], kind) for index, kind in enumerate(kinds)]


class StageWriter:
    """Writes batches to a file that a later step maps into memory."""

    def __init__(self, path: Path) -> None:
        self._writer = ipc.new_file(str(path), SCHEMA, options=ipc.IpcWriteOptions(compression="lz4"))

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows."""
        self._writer.write_batch(as_batch(rows))

    def close(self) -> None:
        """End the file."""
        self._writer.close()


def read_stage(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the batches of such a file."""
    with ipc.open_file(str(path)) as file:
        for index in range(file.num_record_batches):
            yield file.get_batch(index)


def stage_texts(path: Path, rows: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the main text of some rows, which are sorted, of such a file, and read nothing else of it.

    All batches of a file but the last have the same number of rows.
    """
    options = ipc.IpcReadOptions(included_fields=[SCHEMA.get_field_index("text")])
    with ipc.open_file(str(path), options=options) as file:
        size = file.get_batch(0).num_rows if rows else 1
        for index, group in groupby(rows, lambda row: row // size):
            texts = file.get_batch(index).column(0)
            for row in group:
                yield row, texts[row % size].as_py() or ""


def with_columns(batch: pa.RecordBatch, columns: dict[str, list[Any]]) -> pa.RecordBatch:
    """Return a batch with other values in some columns."""
    arrays = [
        pa.array(columns[name], SCHEMA.field(name).type) if name in columns else batch.column(name)
        for name in SCHEMA.names
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


class ParquetShard:
    """Writes batches to a Parquet file, in row groups that are always the same."""

    suffix = ".parquet"

    def __init__(self, path: Path) -> None:
        nested = (f"blocks.list.element.{field.name}" for field in BLOCK)  # as Parquet calls them
        self._writer = parquet.ParquetWriter(
            str(path),
            SCHEMA,
            compression="zstd",
            use_dictionary=[name for name in (*SCHEMA.names, *nested) if name not in WITHOUT_DICTIONARY],
            column_encoding=DELTA,
            store_schema=True,
        )
        self._waiting: list[pa.RecordBatch] = []

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch."""
        self._waiting.append(batch)
        if sum(each.num_rows for each in self._waiting) >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """End the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting, SCHEMA)
            self._writer.write_table(table, row_group_size=max(table.num_rows, 1))
            self._waiting.clear()


def read_rows(path: Path, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield some columns of the rows of a Parquet file."""
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROW_GROUP, columns=list(names)):
            yield from batch.to_pylist()
