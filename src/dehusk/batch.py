"""Batches: pages from anywhere, one outcome per page, in order, and one output file per page if requested."""

import errno
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dehusk import sources
from dehusk.characters import word_totals
from dehusk.config import Limits
from dehusk.errors import InputError
from dehusk.page import Source
from dehusk.sources import RawPage
from dehusk.sources.json_lines import parsed
from dehusk.worker import answer

if TYPE_CHECKING:
    from dehusk.document import Document
    from dehusk.pool import Setup

LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
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
            hint = " (only a single page can be written to a file)" * (path.is_file() and type(self) is OutputFolder)
            raise InputError(f"{path}: {error.strerror}; expected a folder to create or write to{hint}") from error

    def claim(self, name: str) -> bool:
        """Reserve a file for a page, numbered if another page has the name; return whether it is to be written."""
        file = self._files[name] = self._free_file(name)
        done = self.resume and file.exists()
        self.skipped += done
        return not done

    def _free_file(self, name: str) -> Path:
        stem = sources.output_name(name)
        numbered = (self.path / f"{stem}{f'-{number}' * (number > 1)}{self.suffix}" for number in count(1))
        file = next(file for file in numbered if _key(file) not in self._taken)
        self._taken.add(_key(file))
        return file

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


class OutputFile(OutputFolder):
    """A file for the output of the one page there is."""

    def __init__(self, path: Path, pages: Sequence[str] = (), *, resume: bool = False) -> None:
        """Create the folder of the file; raise InputError if the file is the page itself."""
        super().__init__(path.parent, path.suffix, pages, resume=resume)
        self._file = path
        if _key(path) in self._taken:
            raise InputError(f"{path} is the page itself, which the output would overwrite; name another file")

    def _free_file(self, name: str) -> Path:
        return self._file


class Outcome(NamedTuple):
    """What became of a page, as it comes back from its worker."""

    output: str  # of a page from JSON lines that is not written to a file: its line, complete
    reason: str  # why the output is empty or incomplete; "" when all went well
    failed: bool
    note: str = ""  # for people who watch: kind of page, words kept, time


@dataclass(frozen=True, slots=True)
class Manner:
    """How the workers return their outputs."""

    plain: bool = False  # the pages are plain text, not HTML
    line_format: str | None = None  # name of the format in JSON lines; None if outputs go to files
    notes: bool = False


@dataclass(frozen=True)
class Job:
    """What to do with each page: a function, such as `extractor.rendering` returns, and how to run it."""

    setup: "Setup"
    jobs: int | None = None  # worker processes; by default one per core
    manner: Manner = Manner()
    limits: Limits = field(default_factory=Limits)
    url: str | None = None  # of the one page there is, if its source does not tell

    def run(self, locations: Sequence[str], folder: OutputFolder | None = None) -> Iterator[tuple[RawPage, Outcome]]:
        """Yield each page with its outcome, in order, after the output has been written if there is a folder."""
        wanted = folder.claim if folder else lambda name: True
        pages = sources.read(locations, self.limits, wanted, "text" if self.manner.plain else "html")
        if self.url:
            pages = (replace(page, url=self.url) for page in pages)
        for page, outcome in self._many(pages) if is_many(locations) else self._one_by_one(pages):
            problem = folder.write(page.name, outcome.output) if folder and not outcome.failed else ""
            yield page, outcome._replace(reason=problem, failed=True) if problem else outcome

    def _one_by_one(self, pages: Iterator[RawPage]) -> Iterator[tuple[RawPage, Outcome]]:
        """Run small pages in this process: starting another takes longer than a page."""
        for page in pages:
            if len(page.data) > SMALL:
                yield from self._many(iter([page]))
            else:
                yield page, process((self.setup, self.manner), page)

    def _many(self, pages: Iterator[RawPage]) -> Iterator[tuple[RawPage, Outcome]]:
        from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and not always needed)

        setup = process.__module__, process.__name__, (self.setup, self.manner)
        with Pool(setup, self.jobs, self.limits) as pool:
            for page, found in pool.map(pages):
                # A string says why the worker died; what else the line holds must not be lost with it.
                yield page, _outcome(parsed(page), found, self.manner) if isinstance(found, str) else found


def process(state: tuple["Setup", Manner], page: RawPage) -> Outcome:
    """Run in a worker: parse the page if it is a JSON line, do what the setup says, and return the outcome."""
    (module, name, inner), manner = state
    function, began = getattr(import_module(module), name), time.perf_counter()
    page = parsed(page)
    found = page.problem or answer(function, inner, Source(page.data, page.url, page.charset, manner.plain))
    outcome = _outcome(page, found, manner)
    if not manner.notes or outcome.failed:
        return outcome
    facts = _facts(found[3]) if len(found) > 3 and not isinstance(found, str) else []
    return outcome._replace(note=", ".join([*facts, f"{1000 * (time.perf_counter() - began):,.0f} ms"]))


def _outcome(page: RawPage, found: tuple[Any, ...] | str, manner: Manner) -> Outcome:
    """Return what a function found, or the reason in its place, as the outcome of a page."""
    output, reason, failed, *document = ("", found, True) if isinstance(found, str) else found
    if page.fields is not None and manner.line_format:
        output = _json_line(page, Outcome(output, reason, failed), manner.line_format, document)
    return Outcome(output, reason, failed)


def _json_line(page: RawPage, outcome: Outcome, format: str, document: Sequence["Document"]) -> str:
    """Return the JSON line that was read, with the output in place of the page, and the metadata."""
    fields: dict[str, Any] = page.fields or {}
    if format == "json":
        output = {"text": "", "reason": outcome.reason} if outcome.failed else json.loads(outcome.output)
    else:
        output = {format: outcome.output, "reason": outcome.reason}
        if document and not outcome.failed and "metadata" not in fields:  # the record's own is not overwritten
            output["metadata"] = asdict(document[0].metadata)
    line = json.dumps({**fields, **output}, ensure_ascii=False, allow_nan=False)
    # A lone surrogate, which a line may have as an escape, cannot be encoded: it stays an escape.
    return LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _facts(document: "Document") -> list[str]:
    totals = word_totals(document.page.text)
    kept = sum(int(totals[end] - totals[start]) for start, end in document.spans)
    words = f"{kept:,} of {int(totals[-1]):,} words"
    if document.kind is None or document.confidence is None:
        return [words]
    return [document.kind, f"confidence {document.confidence:.2f}", words]


def is_many(locations: Sequence[str]) -> bool:
    """Return whether there may be more than one page at the locations."""
    return len(locations) > 1 or any(map(sources.holds_lines, locations))


def _key(path: str | Path) -> str:
    """Return the same string for all paths that mean one file, also where capitals make no difference."""
    return str(Path(path).resolve()).casefold()
