"""Batches: pages from anywhere, one outcome per page, in order, and one output file per page if requested."""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dehusk import forked, sources
from dehusk.characters import word_totals
from dehusk.config import Limits
from dehusk.formats import by_name
from dehusk.page import Source
from dehusk.reasons import Reason, joined, reason_fields
from dehusk.sources import Input, RawPage
from dehusk.sources.json_lines import parsed
from dehusk.worker import answer

if TYPE_CHECKING:
    from dehusk.document import Document
    from dehusk.output_files import OutputFolder

# From a page to its output, its reason, whether it failed, and, where there is one, the document.
PageFunction = Callable[[Source], tuple[Any, ...]]
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Outcome(NamedTuple):
    """What became of a page, as it comes back from its worker."""

    output: str  # of a page from JSON lines that is not written to a file: its line, complete
    reason: Reason | None  # why the output is empty or incomplete; None when all went well
    failed: bool
    note: str = ""  # for people who watch: kind of page, words kept, time


@dataclass(frozen=True, slots=True)
class OutcomeOptions:
    """How the workers return their outcomes."""

    plain: bool = False  # the pages are plain text, not HTML
    line_format: str | None = None  # name of the format in JSON lines; None if outputs go to files
    notes: bool = False


@dataclass(frozen=True)
class Job:
    """What to do with each page: a function, such as a partial `extractor.render_page`, and how to run it."""

    function: PageFunction
    jobs: int | None = None  # worker processes; by default one per core
    options: OutcomeOptions = OutcomeOptions()
    limits: Limits = field(default_factory=Limits)
    url: str | None = None  # of the one page there is, if its source does not tell
    private: bool = False  # whether pages may be fetched from private networks
    render: bool = False  # whether a page's own scripts run first, in a browser
    layouts: bool = False  # whether the method looks at pages as a browser lays them out
    archives: tuple[str, ...] = ()  # folders and addresses of which an index may name archives, besides its own

    def run(
        self, locations: Sequence[str | Input], folder: "OutputFolder | None" = None
    ) -> Iterator[tuple[RawPage, Outcome]]:
        """Yield each page with its outcome, in order, after the output has been written if there is a folder.

        The first page for which no space is left is the last one: `folder.full` then.
        """
        inputs, select = sources.inputs(locations), folder.claim if folder else lambda name, content: True
        field = "text" if self.options.plain else "html"
        pages = sources.read(inputs, self.limits, select, field, private=self.private, archives=self.archives)
        if self.url:
            pages = (replace(page, url=self.url) for page in pages)
        with ExitStack() as browsers:
            pages = self._through_browsers(pages, browsers)
            for page, answer in self._answers(pages, many=is_many(inputs)):
                outcome = failed_outcome(page, answer, self.options) if isinstance(answer, Reason) else answer
                problem = folder.write(page.name, outcome.output) if folder and not outcome.failed else None
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

    def _answers(self, pages: Iterator[RawPage], *, many: bool) -> Iterator[tuple[RawPage, Outcome | Reason]]:
        """Yield each page with the answer of a worker process: from a pool, or from a copy of this one."""
        function = partial(process_page, self.function, self.options)
        if not many:
            for page in pages:
                yield page, page.problem if page.problem else forked.run(function, page, self.limits)
            return
        from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and not always needed)

        with Pool(function, self.jobs, self.limits) as pool:
            yield from pool.map(pages)


def failed_outcome(page: RawPage, reason: Reason, options: OutcomeOptions) -> Outcome:
    """Return the outcome of a page whose worker died; what else its line holds must not be lost with it."""
    return _outcome(parsed(page), reason, options)


def process_page(function: PageFunction, options: OutcomeOptions, page: RawPage) -> Outcome:
    """Run in a worker: parse the page if it is a JSON line, run the function on it, and return the outcome."""
    began = time.perf_counter()
    page = parsed(page)
    source = Source(page.data, page.url, page.charset, options.plain or page.is_plain)
    result = answer(function, source) if page.problem is None else page.problem
    outcome = _outcome(page, result, options)
    if not options.notes or outcome.failed:
        return outcome
    facts = _facts(result[3]) if not isinstance(result, Reason) and len(result) > 3 else []
    return outcome._replace(note=", ".join([*facts, f"{1000 * (time.perf_counter() - began):,.0f} ms"]))


def _outcome(page: RawPage, result: tuple[Any, ...] | Reason, options: OutcomeOptions) -> Outcome:
    """Return the result of a function, or the reason in its place, as the outcome of a page."""
    output, reason, failed, *document = ("", result, True) if isinstance(result, Reason) else result
    reason = joined(reason, page.notice)
    if page.fields is not None and options.line_format:
        output = _json_line(page, Outcome(output, reason, failed), options.line_format, document)
    return Outcome(output, reason, failed)


def _json_line(page: RawPage, outcome: Outcome, format: str, document: Sequence["Document"]) -> str:
    """Return the JSON line that was read, with the output in place of the page, and the metadata."""
    fields: dict[str, Any] = page.fields or {}
    if by_name(format).is_object:
        output = {"text": ""} if outcome.failed else json.loads(outcome.output)
        output |= reason_fields(outcome.reason)  # which objects of plug-ins lack, and what reading the page added to it
    else:
        output = {format: outcome.output, **reason_fields(outcome.reason)}
        if document and not outcome.failed and "metadata" not in fields:  # the record's own is not overwritten
            output["metadata"] = asdict(document[0].metadata)
    if "url" in fields:  # nor is its address, even one that cannot be written as it is
        output.pop("url", None)
    line = json.dumps({**fields, **output}, ensure_ascii=False, allow_nan=False)
    # A lone surrogate, which a line may have as an escape, cannot be encoded: it stays an escape.
    return LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def _facts(document: "Document") -> list[str]:
    totals = word_totals(document.page.text)
    kept = sum(int(totals[end] - totals[start]) for start, end in document.spans)
    words = f"{kept:,} of {int(totals[-1]):,} words"
    if document.kind is None or document.confidence is None:
        return [words]
    return [document.kind, f"confidence {document.confidence:.2f}", words]


def is_many(inputs: Sequence[Input]) -> bool:
    """Return whether there may be more than one page in the inputs."""
    return len(inputs) > 1 or any(each.kind.many for each in inputs)
