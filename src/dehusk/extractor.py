"""Extractor: connects the stages, for one page in this process or for many pages in worker processes."""

import os
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from dehusk import formats
from dehusk.config import Limits
from dehusk.document import Document, Selection, assemble, check_threshold
from dehusk.errors import UsageError
from dehusk.formats import PLAIN, Look
from dehusk.methods.base import Explains, Method
from dehusk.models.registry import DEFAULT, method
from dehusk.page import Page, Source, as_page

if TYPE_CHECKING:
    from dehusk.pool import Pool, Setup

# How far `--favour` moves the threshold from 0.5. For methods that score only 0 or 1 it makes no difference.
FAVOUR: Final = {"precision": 0.25, "recall": 0.75}


class Result(NamedTuple):
    """What `extract_many` returns for a page: strings, since trees cannot leave their process."""

    url: str | None
    output: str
    reason: str  # why the output is empty or incomplete; "" when all went well
    failed: bool  # True when the page was not scored: refused, too slow, in a language without a model…


@dataclass(frozen=True, slots=True)
class Extractor:
    """Turns pages into documents by one method and one threshold.

    `comments` also keeps readers' comments under articles, `tables=False` leaves out the text in tables of data, and
    pages with fewer than `min_length` characters of main text are treated as empty. `explain` fills `Document.because`.
    Not every method recognises comments or explains its scores.

    >>> Extractor("alltext").extract("<p>Hello <b>world</b>").text
    'Hello world'
    """

    method: str | Method = DEFAULT
    threshold: float = 0.5
    limits: Limits = field(default_factory=Limits)
    comments: bool = field(default=False, kw_only=True)
    tables: bool = field(default=True, kw_only=True)
    min_length: int = field(default=0, kw_only=True)
    explain: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        self._selection()
        chosen = method(self.method) if isinstance(self.method, str) else self.method
        object.__setattr__(self, "method", chosen)
        # An error, since a method that does not recognise comments would seem to have found none.
        if self.comments and not getattr(chosen, "tells_comments", False):
            raise _unable(chosen, "tell readers' comments apart")
        if self.explain and not isinstance(chosen, Explains):
            raise _unable(chosen, "explain its scores")

    def extract(
        self, source: bytes | str | Source | Page, *, url: str | None = None, charset: str | None = None
    ) -> Document:
        """Return the page as a document; `charset` comes from the transport, if it gave one."""
        chosen = self.method
        assert not isinstance(chosen, str)
        page = as_page(source, url=url, charset=charset, limits=self.limits)
        blocks = chosen.segment(page)
        document = assemble(page, blocks, chosen.score(page, blocks), self.threshold, self._selection())
        if self.explain:
            assert isinstance(chosen, Explains)
            document = replace(document, because=chosen.explain(page, blocks))
        return document

    def _selection(self) -> Selection:
        return Selection(self.comments, self.tables, self.min_length)

    def by(self, method: str | Method) -> "Extractor":
        """Return an extractor by another method, with those options of this one that the method supports."""
        alone = replace(self, method=method, comments=False, explain=False)
        comments = self.comments and getattr(alone.method, "tells_comments", False)
        return replace(alone, comments=comments, explain=self.explain and isinstance(alone.method, Explains))

    def extract_many(
        self,
        sources: Iterable[bytes | str | Source],
        *,
        format: str = "text",
        every: bool = False,
        look: Look = PLAIN,
        beside: str | Method | None = None,
        jobs: int | None = None,
    ) -> Generator[Result, None, None]:
        """Yield one result per page, in order, reading `sources` no faster than the results are consumed.

        Each page runs in one of `jobs` worker processes under the limits on time and memory; a worker that dies is
        replaced, and its page is reported as failed. `beside` names a second method, for the format that shows two.

        >>> [result.output for result in Extractor("alltext").extract_many(["<p>One", "<p>Two"], jobs=1)]
        ['One', 'Two']
        """
        output = Output(format, every, look, None if beside is None else self.by(beside))
        return in_workers((__name__, rendered.__name__, (self, output)), sources, jobs, self.limits)


@dataclass(frozen=True, slots=True)
class Output:
    """How a page is written."""

    format: str = "text"
    every: bool = False  # every block, not only what is kept
    look: Look = PLAIN
    beside: Extractor | None = None  # by another method, where two are shown

    def __post_init__(self) -> None:
        formats.by_name(self.format)  # a wrong name is an error here, not in every worker
        if self.beside is not None:
            formats.check_beside(self.format)


def _unable(method: Method, what: str) -> UsageError:
    return UsageError(
        f"method {method.name!r} cannot {what}; choose one that can, such as kernel, or leave the option out"
    )


def rendering(extractor: Extractor, output: Output) -> "Setup":
    """Return what tells a `batch.Job` to write pages."""
    return written.__module__, written.__name__, (extractor, output)


def in_workers(
    setup: "Setup", sources: Iterable[bytes | str | Source], jobs: int | None, limits: Limits
) -> Generator[Result, None, None]:
    """Yield one result per page, in order, from `jobs` worker processes; by default one per core."""
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be at least 1, got {jobs}")
    from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and not always needed)

    return _results(Pool(setup, jobs or os.cpu_count() or 1, limits), sources)


def _results(pool: "Pool", sources: Iterable[bytes | str | Source]) -> Generator[Result, None, None]:
    with pool:
        for source, answer in pool.map(each if isinstance(each, Source) else Source(each) for each in sources):
            yield as_result(source.url, answer)


def as_result(url: str | None, answer: tuple[str, str, bool] | str) -> Result:
    """Return the answer of a function such as `rendered`, or the reason in its place, as a result."""
    return Result(url, "", answer, failed=True) if isinstance(answer, str) else Result(url, *answer)


def rendered(setup: tuple[Extractor, Output], source: Source) -> tuple[str, str, bool]:
    """Run in a worker: return the output of one page, its reason, and whether it failed."""
    return written(setup, source)[:3]


def written(setup: tuple[Extractor, Output], source: Source) -> tuple[str, str, bool, Document]:
    """Return the output of one page, its reason, whether it failed, and the document, which stays in its process."""
    extractor, output = setup
    document = extractor.extract(source)
    beside = output.beside.extract(document.page) if output.beside else None
    text = formats.render(document, output.format, every=output.every, look=output.look, beside=beside)
    values = document.scores.values
    return text, document.reason, document.page.refused or bool(len(values) and np.isnan(values).all()), document


def extract(
    source: bytes | str | Source | Page,
    *,
    url: str | None = None,
    charset: str | None = None,
    method: str | Method = DEFAULT,
    threshold: float = 0.5,
    comments: bool = False,
) -> Document:
    """Return a page with its main text, and with everything else scored and available.

    `comments` also keeps readers' comments under an article, with a method that recognises them.

    >>> extract("<nav><a href=/>Home</a></nav><p>The text that people came for.", method="bte").text
    'The text that people came for.'
    """
    return Extractor(method, threshold, comments=comments).extract(source, url=url, charset=charset)
