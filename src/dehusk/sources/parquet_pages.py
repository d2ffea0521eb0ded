"""Pages of Parquet columns: how large they are once decompressed, which must be known before one is.

The directory of a file states sizes, too, but nothing compares them with those of the pages. A page has a header in
Thrift's compact protocol, whose first fields are its kind and its two sizes.
"""

import io
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

DICTIONARY: Final = 2  # the kind of a page with the values that others refer to
LONGEST_HEADER: Final = 2**24  # bytes; it may hold the smallest and the largest value
DEEPEST: Final = 4  # structures in each other


class PageSize(NamedTuple):
    """How large a page is."""

    is_dictionary: bool
    unpacked: int  # bytes, as its header states them: what is allocated for it


def page_sizes(file: IO[bytes], column: Any) -> Iterator[PageSize]:
    """Yield the sizes of the pages of a column in a row group, as pyarrow describes it; raise OSError for damage."""
    position = column_start(column)
    end = min(position + column.total_compressed_size, file.seek(0, io.SEEK_END))
    while position < end:
        fields, length = _header(file, position)
        kind, unpacked, packed = (fields.get(number, -1) for number in (1, 2, 3))
        if unpacked < 0 or packed < 0:
            raise OSError("a page of a column states no size")
        yield PageSize(kind == DICTIONARY, unpacked)
        position += length + packed


def column_start(column: Any) -> int:
    """Return where a column of a row group begins."""
    dictionary = column.dictionary_page_offset or 0
    return min(dictionary, column.data_page_offset) if dictionary > 0 else int(column.data_page_offset)


def _header(file: IO[bytes], position: int) -> tuple[dict[int, int], int]:
    """Return the numbers in the header of a page, and its length."""
    size = 2**10
    while size <= LONGEST_HEADER:
        file.seek(position)
        reader = _CompactReader(file.read(size))
        try:
            return reader.struct(), reader.position
        except IndexError:  # it may be longer
            size *= 2**7
    raise OSError("a page of a column has no header")


class _CompactReader:
    """Reads as much of Thrift's compact protocol as the header of a page has."""

    def __init__(self, data: bytes) -> None:
        self._data, self.position = data, 0

    def struct(self, depth: int = 0) -> dict[int, int]:
        """Return the whole numbers among the fields, by their numbers; all else is skipped."""
        fields, number = dict[int, int](), 0
        if depth > DEEPEST:
            raise OSError("a page of a column has no header")
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            if kind in (4, 5, 6):
                fields[number] = self._integer()
            elif kind == 12:
                self.struct(depth + 1)
            elif kind == 8:
                self._skip(self._varint())
            elif kind not in (1, 2):  # true and false, which are all in the kind
                raise OSError("a page of a column has no header")
        return fields

    def _byte(self) -> int:
        self.position += 1
        return self._data[self.position - 1]

    def _skip(self, count: int) -> None:
        self.position += count
        if self.position > len(self._data):
            raise IndexError("the header is longer")

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
        return value

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
