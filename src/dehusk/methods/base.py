"""The protocol of all methods: cut a page into blocks and score each block; and what some methods can do besides."""

from dataclasses import dataclass, replace
from typing import Final, Protocol, Self, cast, runtime_checkable

from dehusk.blocks import Blocks
from dehusk.errors import UsageError
from dehusk.model_files import FromFolder, shipped_folder
from dehusk.page import Page
from dehusk.scores import Scores


@runtime_checkable
class Method(Protocol):
    """A way to tell main text from boilerplate; its best threshold is 0.5.

    `Extractor` takes any object with these three: a method of your own needs no registration.

    >>> import numpy as np
    >>> import dehusk
    >>> from dehusk.blocks import cut
    >>> class NoLinks:
    ...     name = "no-links"
    ...
    ...     def segment(self, page):
    ...         return cut(page)
    ...
    ...     def score(self, page, blocks):
    ...         return Scores(blocks, (blocks.link_chars > 0).astype(np.float64), self.name)
    >>> dehusk.extract("<p><a href=/>Home</a><p>Some text.", method=NoLinks()).text
    'Some text.'
    """

    @property
    def name(self) -> str:
        """Its name in the registry and in `Scores.model`."""

    def segment(self, page: Page) -> Blocks:
        """Cut the page's text into contiguous runs, in document order and without overlap."""

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each of these blocks a number in [0, 1], where 1 is boilerplate."""


class TrainedMethod(FromFolder):
    """A method with trained weights, some of which come with dehusk or with one of its extras."""

    __slots__ = ()

    @classmethod
    def shipped(cls, name: str = "") -> Self:
        """Return the method with the weights of that name, by default those named like its class."""
        return cls.loaded(shipped_folder(name or cls.__name__.lower()))


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a method can do besides: its class declares it as `capabilities`, if it can do any of these."""

    comments: bool = False  # it recognises readers' comments (`Scores.comments`)
    # It wants the rules of `dehusk.selection` besides its scores: tables in whole rows, repeated text once, nothing
    # that is never prose, and the title at the beginning of the formats for readers.
    refines: bool = False
    # It looks at pages as a browser lays them out: the command line puts the layout of each page into the cache of
    # `dehusk.rendering` before the method sees the page.
    renders: bool = False
    explains: bool = False  # it has `explain`, which is all that it takes: see `Explains`


def capabilities(method: object) -> Capabilities:
    """Return what a method, or its class, can do besides.

    >>> from dehusk.methods.kernel import Kernel
    >>> capabilities(Kernel)
    Capabilities(comments=True, refines=True, renders=False, explains=True)
    """
    declared = getattr(method, "capabilities", NOTHING_BESIDES)
    if not isinstance(declared, Capabilities):
        raise UsageError(f"capabilities of a method must be a Capabilities, got {declared!r:.100}")
    return replace(declared, explains=True) if hasattr(method, "explain") else declared


def check_object(candidate: object, error: type[Exception]) -> Method:
    """Return a method of others as it is; raise the error unless it is an object with the three members of `Method`."""
    if isinstance(candidate, type):
        raise error(f"expected a method, got the class {candidate.__qualname__}; make an object of it")
    if not all(hasattr(candidate, member) for member in ("name", "segment", "score")):
        raise error(f"expected a method, an object with name, segment and score, got {candidate!r:.100}")
    return cast(Method, candidate)


NOTHING_BESIDES: Final = Capabilities()


@runtime_checkable
class Explains(Protocol):
    """A method that can explain its scores."""

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each block the few facts that decided, in words, the most important first.

        Facts in favour of main text begin with "+", those for boilerplate with "-": "- all of it is link text".
        """


@dataclass(frozen=True, slots=True)
class PolygonOutline:
    """One region of a picture: its corners in pixels, how its text begins, what was measured, and its mean score."""

    corners: tuple[tuple[int, int], ...]
    text: str
    values: tuple[float, ...]
    score: float  # NaN if nothing in it has one


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a method sees it: a PNG file, and the regions on it with one value per name."""

    png: bytes
    width: int
    height: int
    names: tuple[str, ...]
    outlines: tuple[PolygonOutline, ...]


@runtime_checkable
class Illustrates(Protocol):
    """A method that looks at pages, and can show what it sees."""

    def picture(self, page: Page) -> Picture | None:
        """Return what it sees of a page; None if it sees nothing, since nobody has laid the page out."""
