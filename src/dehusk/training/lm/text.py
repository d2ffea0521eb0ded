"""Text: files of running text, plain or packed, as sentences; a file is read as it is asked for, never as a whole."""

import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from dehusk.errors import InputError
from dehusk.lm.sentences import split

SUFFIXES: Final = (".txt", ".txt.gz", ".txt.xz", ".txt.zst")
LONGEST: Final = 100_000  # characters that are taken for a line: a file without line ends must not fill the memory
WRONG: Final = 0.001  # of its characters may be none, beyond which a file is binary or in another encoding
STEP: Final = 1 << 18  # bytes after which a step of progress is told


def find(places: Iterable[Path]) -> list[Path]:
    """Return the files at some places, each once: a folder stands for the text files in it."""
    found: dict[Path, None] = {}
    for place in places:
        if place.is_dir():
            files = sorted(path for path in place.rglob("*") if path.name.endswith(SUFFIXES) and path.is_file())
            if not files:
                raise InputError(f"no text in folder {place}; expected files that end in {', '.join(SUFFIXES)}")
            found |= dict.fromkeys(files)
        elif place.exists():  # not `is_file`: a shell's <(…) is a pipe
            found[place] = None
        else:
            raise InputError(f"no such file or folder: {place}; expected text, plain or as .gz, .xz or .zst")
    return list(found)


def steps(files: Iterable[Path]) -> int:
    """Return how often `sentences` will tell of progress, all in all."""
    return sum(path.stat().st_size // STEP for path in files)


def sentences(path: Path, tick: Callable[[], None] = lambda: None) -> Iterator[str]:
    """Yield the sentences of a file; a line may hold several, none goes over its end."""
    told = read = wrong = 0
    try:
        with path.open("rb") as raw:
            stream = io.TextIOWrapper(_unpacked(raw, path), encoding="utf-8", errors="replace")
            while line := stream.readline(LONGEST):
                read, wrong = read + len(line), wrong + line.count("\ufffd") + line.count("\0")
                if wrong > WRONG * max(read, LONGEST):
                    raise InputError(f"{path} is not text in UTF-8; leave it out, or convert it (iconv -t UTF-8)")
                yield from split(line)
                while raw.seekable() and told < raw.tell() // STEP:
                    told += 1
                    tick()
    except _damaged() as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read: {problem}; expected text, plain or as .gz, .xz or .zst") from error


def _unpacked(raw: IO[bytes], path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if path.suffix == ".xz":
        return lzma.LZMAFile(raw)
    if path.suffix == ".zst":
        try:
            import zstandard  # noqa: PLC0415  (an extra)
        except ImportError as error:
            raise InputError(f"{path} needs one more package ({error}); pip install 'dehusk[eval]'") from error
        return zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    return raw


def _damaged() -> tuple[type[Exception], ...]:
    """Return what is raised over files that are damaged, or packed in another way than their names say."""
    try:
        from zstandard import ZstdError  # noqa: PLC0415
    except ImportError:
        return OSError, EOFError, lzma.LZMAError, zlib.error
    return OSError, EOFError, lzma.LZMAError, zlib.error, ZstdError
