"""Batches: pages from anywhere, one outcome per page, in order, and one output file per page if requested."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dehusk import forked, sources
from dehusk.characters import word_totals
from dehusk.config import Limits
from dehusk.page import Source
from dehusk.sources import RawPage
from dehusk.sources.json_lines import parsed
from dehusk.worker import answer

if TYPE_CHECKING:
    from dehusk.document import Document
    from dehusk.output_files import OutputFolder
    from dehusk.pool import Setup

LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


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
    private: bool = False  # whether pages may be fetched from private networks
    render: bool = False  # whether a page's own scripts run first, in a browser
    layouts: bool = False  # whether the method looks at pages as a browser lays them out

    def run(self, locations: Sequence[str], folder: "OutputFolder | None" = None) -> Iterator[tuple[RawPage, Outcome]]:
        """Yield each page with its outcome, in order, after the output has been written if there is a folder.

        The first page for which no space is left is the last one: `folder.full` then.
        """
        wanted = folder.claim if folder else lambda name, content: True
        field = "text" if self.manner.plain else "html"
        pages = sources.read(locations, self.limits, wanted, field, private=self.private)
        if self.url:
            pages = (replace(page, url=self.url) for page in pages)
        with ExitStack() as browsers:
            pages = self._through_browsers(pages, browsers)
            for page, outcome in self._many(pages) if is_many(locations) else self._one_by_one(pages):
                problem = folder.write(page.name, outcome.output) if folder and not outcome.failed else ""
                yield page, outcome._replace(reason=problem, failed=True) if problem else outcome
                if folder and folder.full:  # of the pages after this one, none could be written either
                    return

    def _through_browsers(self, pages: Iterator[RawPage], browsers: ExitStack) -> Iterator[RawPage]:
        """Return pages as browsers leave them, which end with the stack."""
        if not (self.render or self.layouts):
            return pages
        from dehusk.sources.in_browser import after_scripts, laid_out  # noqa: PLC0415  (few need it)

        if self.render:
            pages = browsers.enter_context(closing(after_scripts(pages, self.limits)))
        return browsers.enter_context(closing(laid_out(pages, self.limits))) if self.layouts else pages

    @property
    def _setup(self) -> "Setup":
        return process.__module__, process.__name__, (self.setup, self.manner)

    def _one_by_one(self, pages: Iterator[RawPage]) -> Iterator[tuple[RawPage, Outcome]]:
        for page in pages:
            yield page, self._outcome(page, page.problem or forked.run(self._setup, page, self.limits))

    def _many(self, pages: Iterator[RawPage]) -> Iterator[tuple[RawPage, Outcome]]:
        from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and not always needed)

        with Pool(self._setup, self.jobs, self.limits) as pool:
            for page, found in pool.map(pages):
                yield page, self._outcome(page, found)

    def _outcome(self, page: RawPage, found: Outcome | str) -> Outcome:
        return failed_outcome(page, found, self.manner) if isinstance(found, str) else found


def failed_outcome(page: RawPage, reason: str, manner: Manner) -> Outcome:
    """Return the outcome of a page whose worker died; what else its line holds must not be lost with it."""
    return _outcome(parsed(page), reason, manner)


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
    reason = "; ".join(filter(None, [reason, page.notice]))
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
    if "url" in fields:  # nor is its address, even one that cannot be written as it is
        output.pop("url", None)
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
    return len(locations) > 1 or any(map(sources.holds_many, locations))
