"""Files that are compressed read like plain ones."""

import io
from pathlib import Path

import zstandard

from dehusk.compressed import decompressed


def test_a_file_of_several_frames_is_read_to_its_end() -> None:
    data = zstandard.compress(b"One. ") + zstandard.compress(b"Two.")
    assert decompressed(io.BytesIO(data), Path("a.txt.zst")).read() == b"One. Two."
