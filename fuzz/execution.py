"""One input through all methods: what it costs, and which invariants fail."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final, NamedTuple, TypeVar

from dehusk import Document, Extractor, Page, formats
from dehusk.formats import Look
from dehusk.models.registry import REGISTRY
from dehusk.page import Source, as_page
from fuzz import invariants, limits
from fuzz.limits import Meter
from fuzz.mutations import Case
from fuzz.output_invariants import OUTPUT, Written, output_can_be_encoded

METHODS: Final = tuple(entry.name for entry in REGISTRY)
STRUCTURED: Final = ("markdown", "html", "tei")
FLAT: Final = tuple(name for name in formats.names() if name not in STRUCTURED)
LOOKS: Final = tuple(Look(*flags) for flags in product((False, True), repeat=4))
CHUNK_WORDS: Final = (1, 7, 40, 300)
PACKAGE: Final = "dehusk"
T = TypeVar("T")


class Request(NamedTuple):
    """What is done with a page: by which method, and how it is written."""

    method: str
    formats: tuple[str, ...]
    every: bool
    look: Look
    chunk_words: int  # 0: no chunks
    again: bool  # extract it twice, to compare


class Failure(NamedTuple):
    """What went wrong, and where; two of the same key are one fault."""

    invariant: str
    method: str
    format: str
    frame: str  # the innermost function of the package, where an error came out of it
    message: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """All but the message."""
        return self[:4]

    @property
    def fault(self) -> tuple[str, str, str]:
        """What failures of several methods may have in common."""
        return self.invariant, self.format, self.frame


@dataclass(slots=True)
class Outcome:
    """What one execution, an input through one method, cost and found."""

    method: str
    seconds: float = 0.0
    memory: int = 0  # bytes above what the process had before
    written: int = 0  # bytes of the largest output
    failures: list[Failure] = field(default_factory=list)


def requests(seed: int, index: int) -> list[Request]:
    """Return what is done with an input: formats in rotation, everything else drawn.

    >>> [request.formats for request in requests(1, 0)][:3]
    [('markdown', 'cleaneval'), ('html', 'json'), ('tei', 'report')]
    """
    random = Random(f"{seed}:{index}:requests")
    found = []
    for number, method in enumerate(METHODS):
        turn = index + number  # so that each method comes by each format
        wanted = (STRUCTURED[turn % len(STRUCTURED)], FLAT[turn % len(FLAT)])
        chunk_words = random.choice(CHUNK_WORDS) if random.random() < 0.25 else 0
        every, look, again = random.random() < 0.4, random.choice(LOOKS), random.random() < 0.125
        found.append(Request(method, wanted, every, look, chunk_words, again))
    return found


class Runner:
    """Runs inputs in this process; `note` is told before each step, so that a death can be attributed."""

    def __init__(self, note: Callable[[str], None] = lambda stage: None, meter: Meter | None = None) -> None:
        self._note, self._meter = note, meter or Meter()
        self._extractors = {name: Extractor(name) for name in METHODS}

    def warm_up(self, pages: Sequence[bytes]) -> None:
        """Load what is loaded on first use, so that no input has to pay for it."""
        for data in pages:
            for number in range(len(FLAT) * len(STRUCTURED)):
                self.run(Case(data, "https://example.org/"), requests(0, number)[:: len(METHODS) - 1])
        for extractor in self._extractors.values():
            extractor.extract(pages[0]).metadata  # noqa: B018  (loads the detector of languages)

    def run(self, case: Case, wanted: Sequence[Request]) -> list[Outcome]:
        """Return what each request cost and found; reading the page counts for each."""
        reading = Outcome("")
        self._note(f"{wanted[0].method if len(wanted) == 1 else '*'} page")
        page = self._measured(reading, "page", lambda: _page(case))
        if page is None:
            return [replace(reading, method=request.method) for request in wanted]
        for invariant in invariants.PAGE:
            self._held(reading, "page", invariant, page)
        self._judge(reading, "page", case, 0)
        outcomes = []
        for request in wanted:
            outcome = replace(reading, method=request.method, failures=[])
            self._execute(outcome, case, page, request)
            outcomes.append(outcome)
        if outcomes:
            outcomes[0].failures += reading.failures
        return outcomes

    def _execute(self, outcome: Outcome, case: Case, page: Page, request: Request) -> None:
        self._note(f"{request.method} extract")
        extract = self._extractors[request.method].extract
        document = self._measured(outcome, "extract", lambda: extract(page))
        self._judge(outcome, "extract", case, 0)
        if document is None:
            return
        for invariant in invariants.DOCUMENT:
            self._held(outcome, "document", invariant, document)
        if request.chunk_words:
            self._note(f"{request.method} chunks")
            self._held(outcome, "chunks", lambda each: _chunks(each, request.chunk_words), document)
        if request.again:
            again = self._measured(Outcome(request.method), "extract", lambda: extract(_page(case)))
            if again is not None:
                self._held(outcome, "document", lambda each: invariants.same_result(document, each), again)
        for name in request.formats:
            self._write(outcome, case, document, request, name)

    def _write(self, outcome: Outcome, case: Case, document: Document, request: Request, name: str) -> None:
        self._note(f"{request.method} {name}")
        one = Outcome(request.method)
        output = self._measured(
            one, name, lambda: formats.render(document, name, every=request.every, look=request.look)
        )
        if output is not None:
            written = Written(document, name, request.every, request.look, output)
            for invariant in (output_can_be_encoded, *OUTPUT[name]):
                self._held(one, name, invariant, written)
        self._judge(one, name, case, len((output or "").encode("utf-8", "surrogatepass")))
        outcome.seconds += one.seconds
        outcome.memory = max(outcome.memory, one.memory)
        outcome.written = max(outcome.written, one.written)
        outcome.failures += one.failures

    def _measured(self, outcome: Outcome, stage: str, function: Callable[[], T]) -> T | None:
        """Return what a function of the package returns, None if it fails; its cost goes to the outcome."""
        result: T | None = None
        self._meter.start()
        start = process_time()
        try:
            result = function()
        except Exception as error:
            outcome.failures.append(_failure("no_error", outcome.method, stage, error))
        outcome.seconds += process_time() - start
        outcome.memory = max(outcome.memory, self._meter.peak())
        return result

    def _judge(self, outcome: Outcome, stage: str, case: Case, written: int) -> None:
        """Compare what a stage cost with what it may cost for a page of that size."""
        outcome.written = written
        size = len(case.data)
        problems = (
            ("time", outcome.seconds, limits.seconds(size), "s"),
            ("memory", outcome.memory / 1e6, limits.memory(size) / 1e6, "MB"),
            ("output", written / 1e3, limits.output(size) / 1e3, "KB"),
        )
        for name, found, most, unit in problems:
            if found > most:
                message = f"{found:,.2f} {unit} for {size:,} bytes, at most {most:,.2f} {unit} are expected"
                outcome.failures.append(Failure(f"{name}_is_bounded", outcome.method, stage, "", message))

    def _held(self, outcome: Outcome, stage: str, invariant: Callable[[Any], None], value: object) -> None:
        try:
            invariant(value)
        except Exception as error:
            outcome.failures.append(_failure(_name(invariant, error), outcome.method, stage, error))


def _page(case: Case) -> Page:
    return as_page(Source(case.data, case.url, case.charset, case.plain))


def _chunks(document: Document, count: int) -> None:
    invariants.chunks_lose_no_word(document, count)


def _name(invariant: Callable[[Any], None], error: Exception) -> str:
    """Return the name of the invariant that raised an error: the function in which it did, if that is one of ours."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "invariants" in Path(frame.filename).name]
    public = [frame.name for frame in frames if not frame.name.startswith("_") and frame.name != "check"]
    return public[0] if public else invariant.__name__


def _failure(invariant: str, method: str, stage: str, error: Exception) -> Failure:
    """Return an error as a failure: of the invariant, or of the package where the error came out of that."""
    frame = next(_package_frames(error), "")
    if isinstance(error, MemoryError):
        invariant = "memory_is_bounded"
    elif frame:
        invariant = "no_error"
    return Failure(invariant, method, stage, frame, f"{type(error).__name__}: {error}"[:500])


def _package_frames(error: Exception) -> Iterator[str]:
    """Yield the functions of the package that an error came through, the innermost first."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        parts = Path(frame.filename).parts
        if PACKAGE in parts:
            yield f"{'/'.join(parts[len(parts) - parts[::-1].index(PACKAGE) :])}:{frame.name}"
