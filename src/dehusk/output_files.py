"""Output files: one per page, written as a whole or not at all, and never over a page."""

import errno
import os
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from itertools import count
from pathlib import Path

from dehusk.errors import InputError
from dehusk.reasons import Code, Reason
from dehusk.sources.output_names import marked, output_name
from dehusk.whole_files import remove_unfinished, unfinished_file, write_atomically
from dehusk.worker import FULL


class OutputFolder:
    """A folder of outputs: one file per page, never one for two pages, never over one of the pages themselves."""

    def __init__(
        self, path: Path, suffix: str, pages: Sequence[str] = (), *, resume: bool = False, plain: bool = False
    ) -> None:
        """Create the folder; `pages` are the files not to overwrite, `resume` skips pages whose file exists.

        The ending that is left out of the names is .html or, if the pages are `plain` text, .txt.
        """
        self.path, self.suffix, self.resume = path, suffix, resume
        self.skipped = 0
        self.full = False  # whether there was no space left for a file
        self._left_out = ".txt" if plain else ".html"
        self._pages, self._taken = set(map(_key, pages)), set[str]()
        self._ready = set[Path]()  # folders that exist, without leftovers
        self._files: dict[str, Path] = {}  # those to be written, by the name of the page
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            hint = " (only a single page can be written to a file)" * (path.is_file() and type(self) is OutputFolder)
            raise InputError(f"{path}: {error.strerror}; expected a folder to create or write to{hint}") from error

    def claim(self, name: str, content: bytes | None = None) -> bool:
        """Reserve the file of a page; return whether it is to be written. `content` is that of `sources.read`."""
        file = self._file_of(name, content)
        done = self.resume and file.is_file()
        self.skipped += done
        if not done:
            self._files[name] = file
        return not done

    def _file_of(self, name: str, content: bytes | None) -> Path:
        stem = output_name(name, content, self._left_out)
        if self._may_differ_by_case(name, stem):
            stem = marked(stem, name)
        while _key(self._at(stem)) in self._pages:
            stem = marked(stem, name)
        # Only lines with the same content have the same name; which of them has which number makes no difference.
        numbered = (f"{stem}{f'-{number}' * (number > 1)}" for number in count(1))
        stem = next(stem for stem in numbered if stem not in self._taken)
        self._taken.add(stem)
        return self._at(stem)

    def _at(self, stem: str) -> Path:
        return self.path / f"{stem}{self.suffix}"

    def _may_differ_by_case(self, name: str, stem: str) -> bool:
        """Return whether another page may have the same name here, where capitals make no difference."""
        if unicodedata.normalize("NFC", stem).casefold() == stem or not self._ignores_case:
            return False
        try:
            return not Path(name).samefile(name.swapcase())  # where they make none for the pages either, there is none
        except (OSError, ValueError):
            return True

    @cached_property
    def _ignores_case(self) -> bool:
        try:
            with unfinished_file(self.path) as probe:
                return probe.with_name(probe.name.upper()).exists()
        except OSError:  # a full disk, which the first page that is written will report
            return False

    def write(self, name: str, text: str) -> Reason | None:
        """Write the output of a page and return what went wrong, if anything did."""
        file = self._files.pop(name)
        try:
            if file.parent not in self._ready:
                file.parent.mkdir(parents=True, exist_ok=True)
                remove_unfinished(file.parent)
                self._ready.add(file.parent)
            # All or nothing: `resume` takes a file that exists for a page that is done.
            with write_atomically(file) as part:
                part.write_text(text + "\n", encoding="utf-8", errors="replace")
        except OSError as error:
            self.full = error.errno in FULL
            return (
                Reason(Code.NO_SPACE, str(file)) if self.full else Reason(Code.NOT_WRITTEN, f"{error.strerror}: {file}")
            )
        return None


class OutputFile(OutputFolder):
    """A file for the output of the one page there is."""

    def __init__(self, path: Path, pages: Sequence[str] = (), *, resume: bool = False) -> None:
        """Create the folder of the file; raise InputError if the file is the page itself."""
        super().__init__(path.parent, path.suffix, pages, resume=resume)
        self._file = path
        if _key(path) in self._pages:
            raise InputError(f"{path} is the page itself, which the output would overwrite; name another file")

    def _file_of(self, name: str, content: bytes | None) -> Path:
        return self._file


def _key(path: str | Path) -> str:
    """Return the same string for all paths that mean one file, also where capitals make no difference."""
    return str(Path(path).resolve()).casefold()
