"""Batches: pages from anywhere, one result per page, in order, and one output file per page if a folder is given."""

import errno
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dehusk import sources
from dehusk.config import Limits
from dehusk.errors import InputError
from dehusk.extractor import Result, as_result, in_workers
from dehusk.page import Source
from dehusk.sources import RawPage
from dehusk.worker import answer

if TYPE_CHECKING:
    from dehusk.pool import Setup

SMALL: Final = 1_000_000  # bytes up to which a page cannot take long enough to need a worker with a time limit


class OutputFolder:
    """A folder of outputs: one file per page, never one for two pages, never over one of the pages themselves."""

    def __init__(self, path: Path, suffix: str, pages: Sequence[str] = (), *, resume: bool = False) -> None:
        """Create the folder; `pages` are the files not to overwrite, `resume` skips pages whose file exists."""
        self.path, self.suffix, self.resume = path, suffix, resume
        self.skipped = 0
        self._taken = set(map(_key, pages))
        self._files: dict[str, Path] = {}  # by the name of the page
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}; expected a folder to create or write to") from error

    def claim(self, name: str) -> bool:
        """Reserve a file for a page, numbered if another page has the name; return whether it is to be written."""
        stem = sources.output_name(name)
        numbered = (self.path / f"{stem}{f'-{number}' * (number > 1)}{self.suffix}" for number in count(1))
        file = next(file for file in numbered if _key(file) not in self._taken)
        self._taken.add(_key(file))
        self._files[name] = file
        done = self.resume and file.exists()
        self.skipped += done
        return not done

    def write(self, name: str, text: str) -> str:
        """Write the output of a page and return what went wrong, or ''."""
        file = self._files[name]
        part = file.with_name(file.name + ".part")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text + "\n", encoding="utf-8", errors="replace")
            part.replace(file)  # all or nothing: `resume` takes a file that exists for a page that is done
        except OSError as error:
            return f"cannot be written: {error.strerror}: {file}"
        return ""


@dataclass(frozen=True)
class Job:
    """What to do with each page: a function, such as `extractor.rendering` returns, and how to run it."""

    setup: "Setup"
    jobs: int | None = None  # worker processes
    plain: bool = False  # the pages are plain text, not HTML
    limits: Limits = field(default_factory=Limits)

    def run(self, locations: Sequence[str], folder: OutputFolder | None = None) -> Iterator[tuple[RawPage, Result]]:
        """Yield each page with its result, in order, after the output has been written if there is a folder."""
        wanted = folder.claim if folder else lambda name: True
        pages = sources.read(locations, self.limits, wanted, "text" if self.plain else "html")
        for page, result in self._many(pages) if is_many(locations) else self._one_by_one(pages):
            problem = folder.write(page.name, result.output) if folder and not result.failed else ""
            yield page, result._replace(reason=problem, failed=True) if problem else result

    def _one_by_one(self, pages: Iterator[RawPage]) -> Iterator[tuple[RawPage, Result]]:
        """Run small pages in this process: starting another takes longer than a page."""
        module, name, state = self.setup
        for page in pages:
            if len(page.data) > SMALL:
                yield from self._many(iter([page]))
            else:
                function = getattr(import_module(module), name)
                yield page, as_result(page.url, page.problem or answer(function, state, self._source(page)))

    def _many(self, pages: Iterator[RawPage]) -> Iterator[tuple[RawPage, Result]]:
        # A page that could not be read goes through as an empty one, so that the order holds without a second queue.
        waiting: deque[RawPage] = deque()

        def remembered() -> Iterator[Source]:
            for page in pages:
                waiting.append(page)
                yield self._source(page)

        for result in in_workers(self.setup, remembered(), self.jobs, self.limits):
            page = waiting.popleft()
            yield page, as_result(page.url, page.problem) if page.problem else result

    def _source(self, page: RawPage) -> Source:
        return Source(page.data, page.url, page.charset, self.plain)


def is_many(locations: Sequence[str]) -> bool:
    """Return whether there may be more than one page at the locations."""
    return len(locations) > 1 or any(map(sources.holds_lines, locations))


def _key(path: str | Path) -> str:
    """Return the same string for all paths that mean one file, also where capitals make no difference."""
    return str(Path(path).resolve()).casefold()
