"""Text files: running text, plain or compressed, as sentences; a file is read lazily, never as a whole."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from dehusk.compressed import decompressed, decompression_errors
from dehusk.errors import InputError
from dehusk.lm.sentences import split
from dehusk.training.progress import Tick

SUFFIXES: Final = (".txt", ".txt.gz", ".txt.xz", ".txt.zst")
MAX_LINE: Final = 100_000  # characters read as one line: a file without line ends must not fill the memory
MAX_UNDECODABLE: Final = 0.001  # share of characters; beyond it a file is binary or in another encoding
STEP: Final = 1 << 18  # bytes per step of progress


def find(paths: Iterable[Path]) -> list[Path]:
    """Return all files, each once; a folder stands for the text files in it."""
    everything: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.name.endswith(SUFFIXES) and file.is_file())
            if not files:
                raise InputError(f"no text in folder {path}; expected files that end in {', '.join(SUFFIXES)}")
            everything |= dict.fromkeys(files)
        elif path.exists():  # not `is_file`: a shell's <(…) is a pipe
            everything[path] = None
        else:
            raise InputError(f"no such file or folder: {path}; expected text, plain or as .gz, .xz or .zst")
    return list(everything)


def steps(files: Iterable[Path]) -> int:
    """Return how many steps of progress `sentences` will report in all."""
    return sum(path.stat().st_size // STEP for path in files)


def sentences(path: Path, tick: Tick = lambda: None) -> Iterator[str]:
    """Yield the sentences of a file; a line may have several, and none crosses its end."""
    reported = read = undecodable = 0
    try:
        with path.open("rb") as raw:
            stream = io.TextIOWrapper(decompressed(raw, path), encoding="utf-8", errors="replace")
            while line := stream.readline(MAX_LINE):
                read, undecodable = read + len(line), undecodable + line.count("\ufffd") + line.count("\0")
                if undecodable > MAX_UNDECODABLE * max(read, MAX_LINE):
                    raise InputError(f"{path} is not text in UTF-8; leave it out, or convert it (iconv -t UTF-8)")
                yield from split(line)
                while raw.seekable() and reported < raw.tell() // STEP:
                    reported += 1
                    tick()
    except decompression_errors() as error:
        problem = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read: {problem}; expected text, plain or as .gz, .xz or .zst") from error
