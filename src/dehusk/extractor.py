"""Extractor: connects the stages, for one page in this process or for many pages in worker processes."""

import os
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict, Unpack

from dehusk import formats
from dehusk.assemble import assemble, check_threshold, explained
from dehusk.compressed import decompressed, decompression_errors
from dehusk.config import Limits
from dehusk.document import Document
from dehusk.errors import InputError, UsageError
from dehusk.formats import PLAIN, Look
from dehusk.methods.base import Explains, Illustrates, Method, capabilities, check_object
from dehusk.models.registry import DEFAULT, method
from dehusk.page import Page, Source, as_page
from dehusk.reasons import Reason
from dehusk.scores import Scores
from dehusk.selection import HeadlineChoice, Selection

if TYPE_CHECKING:
    from dehusk.pool import Pool

Favour = Literal["precision", "recall"]
# How far `favour` moves the threshold from 0.5. For methods that score only 0 or 1 it makes no difference.
FAVOUR: Final[dict[str, float]] = {"precision": 0.25, "recall": 0.75}
LONGEST_PATH: Final = 4096  # characters


class Options(TypedDict, total=False):
    """What `extract`, `extract_file` and `Extractor` take alike."""

    threshold: float | None
    favour: Favour | None
    comments: bool
    tables: bool
    min_length: int
    headline: HeadlineChoice
    explain: bool


class Result(NamedTuple):
    """What `extract_many` returns for a page: strings, since trees cannot leave their process.

    >>> Result("https://example.org/", "Some text.", reason=None, failed=False).output
    'Some text.'
    """

    url: str | None
    output: str
    reason: Reason | None  # why the output is empty or incomplete; None when all went well
    failed: bool  # True when the page was not scored: refused, too slow, in a language without a model…


@dataclass(frozen=True, slots=True)
class Extractor:
    """Turns pages into documents by one method and one threshold.

    - `method`: its name, the folder of a model of your own, or any object with the three members of `Method`.
    - `threshold`: blocks that score below it are kept; 0.5 unless given.
    - `favour`, in place of a threshold: `"precision"` keeps less boilerplate, `"recall"` loses less text.
    - `comments` also keeps readers' comments under articles.
    - `tables=False` leaves out the text in tables of data.
    - `min_length`: pages with fewer characters of main text are treated as empty.
    - `headline`: by default Markdown, HTML and TEI begin with the title, and the other formats have it if it scores
      below the threshold; `"keep"` keeps it in all formats, `"drop"` leaves it out of all.
    - `explain` fills `Document.because`.
    - `limits`: how much one page may cost.

    Not every method recognises comments or explains its scores.

    >>> Extractor("alltext").extract("<p>Hello <b>world</b>").text
    'Hello world'
    >>> Extractor(favour="recall").threshold
    0.75
    """

    method: str | os.PathLike[str] | Method = DEFAULT
    threshold: float | None = None
    limits: Limits = field(default_factory=Limits)
    favour: Favour | None = field(default=None, kw_only=True)
    comments: bool = field(default=False, kw_only=True)
    tables: bool = field(default=True, kw_only=True)
    min_length: int = field(default=0, kw_only=True)
    headline: HeadlineChoice = field(default="auto", kw_only=True)
    explain: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", chosen_threshold(self.threshold, self.favour))
        given = self.method
        chosen = method(given) if isinstance(given, str | os.PathLike) else check_object(given, UsageError)
        object.__setattr__(self, "method", chosen)
        self.selection  # noqa: B018  (wrong options are an error here, not on every page)
        # An error, since a method that does not recognise comments would seem to have found none.
        if self.comments and not capabilities(chosen).comments:
            raise _unable(chosen, "tell readers' comments apart", "comments")
        if self.explain and not capabilities(chosen).explains:
            raise _unable(chosen, "explain its scores", "explain")

    def extract(
        self, source: bytes | str | Source | Page, *, url: str | None = None, charset: str | None = None
    ) -> Document:
        """Return the page as a document; `charset` comes from the transport, if it gave one.

        >>> Extractor("alltext").extract(b"<p>Gr\\xfc\\xdfe", charset="latin-1").text
        'Grüße'
        """
        chosen, threshold = self.method, self.threshold
        assert not isinstance(chosen, str | os.PathLike)
        assert threshold is not None
        _check_source(source)
        page = as_page(source, url=url, charset=charset, limits=self.limits)
        blocks = chosen.segment(page)
        scores = chosen.score(page, blocks)
        if not isinstance(scores, Scores):
            raise UsageError(f"method {chosen.name!r} gave {type(scores).__name__}, expected Scores")
        document = assemble(page, blocks, scores, threshold, self.selection)
        if self.explain:
            assert isinstance(chosen, Explains)
            document = explained(document, chosen.explain(page, blocks))
        return document

    @property
    def selection(self) -> Selection:
        """What is kept or dropped apart from the scores: the options, and the rules that the method wants."""
        refines = capabilities(self.method).refines
        return Selection(self.comments, self.tables, self.min_length, refines, self.headline)

    def extract_file(
        self, path: str | os.PathLike[str], *, url: str | None = None, charset: str | None = None
    ) -> Document:
        """Return the page in a file as a document; `.gz`, `.bz2`, `.xz` and `.zst` files are decompressed.

        Raises InputError for a file that cannot be read.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "page.html")
        ...     _ = path.write_text("<p>Hello <b>world</b>")
        ...     Extractor("alltext").extract_file(path).text
        'Hello world'
        """
        # One byte over the limit is enough to have a page refused.
        data = _read(path, self.limits.bytes + 1)
        return self.extract(data, url=url, charset=charset)

    def by(self, method: str | os.PathLike[str] | Method) -> "Extractor":
        """Return an extractor by another method, with those options of this one that the method supports.

        >>> Extractor(comments=True).by("bte").comments
        False
        """
        alone = replace(self, method=method, comments=False, explain=False)
        able = capabilities(alone.method)
        return replace(alone, comments=self.comments and able.comments, explain=self.explain and able.explains)

    def extract_many(
        self,
        sources: Iterable[bytes | str | Source],
        *,
        format: str = "text",
        every: bool = False,
        look: Look = PLAIN,
        beside: str | os.PathLike[str] | Method | None = None,
        jobs: int | None = None,
    ) -> Generator[Result, None, None]:
        """Yield one result per page, in order, reading `sources` no faster than the results are consumed.

        Each page runs in one of `jobs` worker processes under the limits on time and memory; a worker that dies is
        replaced, and its page is reported as failed. `beside` names a second method, for the format that shows two.

        >>> [result.output for result in Extractor("alltext").extract_many(["<p>One", "<p>Two"], jobs=1)]
        ['One', 'Two']
        """
        from dehusk.pool import Pool  # noqa: PLC0415  (a tenth of the import time, and not always needed)

        output = RenderOptions(format, every, look, None if beside is None else self.by(beside))
        return _results(Pool(partial(render_result, self, output), jobs, self.limits), sources)


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a page is written."""

    format: str = "text"
    every: bool = False  # every block, not only what is kept
    look: Look = PLAIN
    beside: Extractor | None = None  # by another method, where two are shown

    def __post_init__(self) -> None:
        chosen = formats.by_name(self.format)  # a wrong name is an error here, not in every worker
        if self.beside is not None:
            chosen.check_beside()


def _unable(method: Method, what: str, setting: str) -> UsageError:
    advice = "choose one that can, such as kernel, or leave the option out"
    return UsageError(f"method {method.name!r} cannot {what}; {advice}", setting=setting)


def _results(
    pool: "Pool[Source, tuple[str, Reason | None, bool]]", sources: Iterable[bytes | str | Source]
) -> Generator[Result, None, None]:
    with pool:
        for source, answer in pool.map(each if isinstance(each, Source) else Source(each) for each in sources):
            yield Result(source.url, *(("", answer, True) if isinstance(answer, Reason) else answer))


def render_result(extractor: Extractor, output: RenderOptions, source: Source) -> tuple[str, Reason | None, bool]:
    """Run in a worker: return the output of one page, its reason, and whether it failed."""
    return render_page(extractor, output, source)[:3]


def render_page(
    extractor: Extractor, output: RenderOptions, source: Source
) -> tuple[str, Reason | None, bool, Document]:
    """Return the output of one page, its reason, whether it failed, and the document, which stays in its process."""
    document = extractor.extract(source)
    beside = output.beside.extract(document.page) if output.beside else None
    shows = "picture" in formats.by_name(output.format).options and isinstance(extractor.method, Illustrates)
    picture = extractor.method.picture(document.page) if shows else None  # type: ignore[union-attr]
    text = formats.render(document, output.format, every=output.every, look=output.look, beside=beside, picture=picture)
    return text, document.reason, document.failed, document


def chosen_threshold(threshold: float | None, favour: str | None) -> float:
    """Return the threshold that was given, or that of `favour`, or 0.5.

    >>> chosen_threshold(None, "precision"), chosen_threshold(None, None), chosen_threshold(0.3, None)
    (0.25, 0.5, 0.3)
    """
    if favour is not None and favour not in FAVOUR:
        raise UsageError(f"favour must be {' or '.join(map(repr, FAVOUR))}, got {favour!r}", setting="favour")
    favoured = FAVOUR[favour] if favour is not None else None
    if threshold is None:
        return 0.5 if favoured is None else favoured
    if favoured is not None and threshold != favoured:  # a copy of an extractor has both
        raise UsageError("threshold and favour both set the threshold; give one of them", setting="favour")
    check_threshold(threshold)
    return threshold


def _check_source(source: object) -> None:
    """Raise UsageError for a path, which would be taken for a page of one line."""
    is_path = isinstance(source, os.PathLike)
    if isinstance(source, str) and 0 < len(source) <= LONGEST_PATH and not ("<" in source or "\n" in source):
        is_path = os.path.isfile(source)  # noqa: PTH113  (unlike Path.is_file it raises nothing for odd names)
    if is_path:
        name = os.fspath(source)  # type: ignore[call-overload]
        raise UsageError(
            f"{name!r} is the name of a file, expected a page; use extract_file, or Page.from_html if it is the page"
        )


def _read(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return up to `limit` bytes of a file, decompressed."""
    try:
        with Path(path).open("rb") as file:
            return decompressed(file, Path(path)).read(limit)
    except FileNotFoundError as error:
        raise InputError(f"no such file: {os.fspath(path)[:100]!r}; expected the path of a page") from error
    except Exception as error:
        # A NUL in the path is a ValueError. The others are looked up here, since that imports their libraries.
        if not isinstance(error, (ValueError, *decompression_errors())):
            raise
        problem = getattr(error, "strerror", None) or error
        name = os.fspath(path)[:100]
        raise InputError(f"cannot read {name!r}: {problem}; expected a page, plain or compressed") from error


def extract(
    source: bytes | str | Source | Page,
    *,
    url: str | None = None,
    charset: str | None = None,
    method: str | os.PathLike[str] | Method = DEFAULT,
    **options: Unpack[Options],
) -> Document:
    """Return a page with its main text, and with everything else scored and available.

    `source` is the page itself: bytes, a string, a `Source` or a `Page`; `extract_file` takes the name of a file.
    `method` is a name (`dehusk models` lists them), or the folder of a model of your own.
    `url` is its address, by which relative links are resolved, and `charset` comes from the transport, if it gave one.
    Options, all of which `Extractor` explains:

    - `threshold=0.5`: keep blocks that score below it, or
    - `favour="precision"` to keep less boilerplate, `favour="recall"` to lose less text
    - `comments=True`: also keep readers' comments under articles
    - `tables=False`: leave out the text in tables of data
    - `min_length=250`: treat pages with fewer characters of main text as empty
    - `headline="keep"` to have the headline in all formats, `headline="drop"` in none
    - `explain=True`: fill `Document.because`

    For many pages make one `Extractor`, which does the same and runs in worker processes too.

    >>> extract("<nav><a href=/>Home</a></nav><p>The text that people came for.", method="bte").text
    'The text that people came for.'
    """
    return Extractor(method, **options).extract(source, url=url, charset=charset)


def extract_file(
    path: str | os.PathLike[str],
    *,
    url: str | None = None,
    charset: str | None = None,
    method: str | os.PathLike[str] | Method = DEFAULT,
    **options: Unpack[Options],
) -> Document:
    """Return the page in a file, as `extract` does; `.gz`, `.bz2`, `.xz` and `.zst` files are decompressed.

    Raises InputError for a file that cannot be read.

    >>> import gzip, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "page.html.gz")
    ...     _ = path.write_bytes(gzip.compress(b"<h1>Rain</h1><p>It rained all day."))
    ...     print(extract_file(path, method="alltext").markdown())
    # Rain
    <BLANKLINE>
    It rained all day.
    """
    return Extractor(method, **options).extract_file(path, url=url, charset=charset)
