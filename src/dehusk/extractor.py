"""Extractor: wires the stages together, for one page here or for many pages in worker processes."""

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
from dehusk.page import Page, as_page

if TYPE_CHECKING:
    from dehusk.pool import Pool

# How far `favour` moves the threshold from 0.5. Methods that only say yes or no do not mind.
FAVOUR: Final = {"precision": 0.25, "recall": 0.75}


class Source(NamedTuple):
    """A page to be read: its bytes or markup, and what is known of where it came from."""

    data: bytes | str
    url: str | None = None
    charset: str | None = None
    plain: bool = False  # plain text, without markup


class Result(NamedTuple):
    """What `extract_many` gives back for a page: strings, since trees cannot leave their process."""

    url: str | None
    output: str
    reason: str  # why the output is empty or incomplete; "" when all went well
    failed: bool  # True when the page was not judged: refused, too slow, in a language without a model…


@dataclass(frozen=True, slots=True)
class Extractor:
    """Takes pages to documents by one method and one threshold.

    `comments` keeps readers' comments under articles too, `tables=False` leaves out the text in tables of data, and a
    page with fewer than `min_length` characters of main text has none. `explain` fills `Document.because`. Not every
    method can tell comments, or explain itself.

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
        # Told here, not by silence: a method that knows no comments would seem to have found none.
        if self.comments and not getattr(chosen, "tells_comments", False):
            raise _unable(chosen, "tell readers' comments apart")
        if self.explain and not isinstance(chosen, Explains):
            raise _unable(chosen, "explain its scores")

    def extract(self, source: bytes | str | Page, *, url: str | None = None, charset: str | None = None) -> Document:
        """Return the page as a document; `charset` is what the transport said, where it said something."""
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
        """Return an extractor by another method, with all that it can do of what this one was asked for."""
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
        """Yield a result a page, in order, reading `sources` no faster than the results are taken.

        Each page runs in one of `jobs` worker processes under the limits on time and memory; a worker that dies is
        replaced, and its page is told as failed. `beside` names a second method, for the format that shows two.

        >>> [result.output for result in Extractor("alltext").extract_many(["<p>One", "<p>Two"], jobs=1)]
        ['One', 'Two']
        """
        if jobs is not None and jobs < 1:
            raise UsageError(f"jobs must be at least 1, got {jobs}")
        output = Output(format, every, look, None if beside is None else self.by(beside))
        from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and few need it)

        setup = ("dehusk.extractor", "rendered", (self, output))
        return results(Pool(setup, jobs or os.cpu_count() or 1, self.limits), sources)


@dataclass(frozen=True, slots=True)
class Output:
    """What a page is to be written as."""

    format: str = "text"
    every: bool = False  # every block, or only what is kept
    look: Look = PLAIN
    beside: Extractor | None = None  # another method's, where two are shown

    def __post_init__(self) -> None:
        formats.by_name(self.format)  # a wrong name is told here and now, not in every worker
        if self.beside is not None:
            formats.check_beside(self.format)


def _unable(method: Method, what: str) -> UsageError:
    return UsageError(
        f"method {method.name!r} cannot {what}; choose one that can, such as kernel, or do not ask for it"
    )


def results(pool: "Pool", sources: Iterable[bytes | str | Source]) -> Generator[Result, None, None]:
    """Yield what a pool that writes pages, as `rendered` does, gives back for each."""
    with pool:
        for task, answer in pool.map(as_source(source) for source in sources):
            if isinstance(answer, str):
                yield Result(task.url, "", answer, failed=True)
            else:
                yield Result(task.url, *answer)


def as_source(source: bytes | str | Source) -> Source:
    """Return `source` with its url and charset, as far as they are known."""
    return source if isinstance(source, Source) else Source(source)


def rendered(setup: tuple[Extractor, Output], source: Source) -> tuple[str, str, bool]:
    """Run in a worker: return output, reason and failure of one page."""
    extractor, output = setup
    page = as_page(source.data, url=source.url, charset=source.charset, limits=extractor.limits, plain=source.plain)
    document = extractor.extract(page)
    beside = output.beside.extract(document.page) if output.beside else None
    text = formats.render(document, output.format, every=output.every, look=output.look, beside=beside)
    values = document.scores.values
    return text, document.reason, page.refused or bool(len(values) and np.isnan(values).all())


def extract(
    source: bytes | str | Page,
    *,
    url: str | None = None,
    charset: str | None = None,
    method: str | Method = DEFAULT,
    threshold: float = 0.5,
    comments: bool = False,
) -> Document:
    """Return the main text of a page, with everything else scored and at hand.

    `comments` keeps readers' comments under an article too, by a method that tells them apart.

    >>> extract("<nav><a href=/>Home</a></nav><p>The text that people came for.", method="bte").text
    'The text that people came for.'
    """
    return Extractor(method, threshold, comments=comments).extract(source, url=url, charset=charset)
