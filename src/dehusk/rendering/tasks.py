"""What the rendering process is asked for, and what it answers: plain values, which cross its pipes as pickles."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dehusk.reasons import Reason

# From an address to the type and the bytes of an answer, or why there is none; it can be pickled.
Answers = Callable[[str], tuple[str, bytes] | Reason]
NO_ADDRESS: Final = "http://page.invalid/"  # of a page that has none; by its standard no such host exists


@dataclass(frozen=True, slots=True)
class Photograph:
    """Lay a page out without its scripts. The answer is a `Layout`.

    Style sheets and pictures come from `folder` alone, in which the page itself is at `path`; without one, there are
    none.
    """

    html: str
    folder: str | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Live:
    """Let a page's scripts run, for so many seconds and requests. The answer is a `LivePage`."""

    html: str
    url: str = NO_ADDRESS
    answers: Answers | None = None  # None: every request is refused
    seconds: float = 10.0
    requests: int = 100


@dataclass(frozen=True, slots=True)
class LivePage:
    """The markup of a page after its scripts have run, and what it did not get."""

    html: str
    stopped: bool = False  # its scripts did not end, and were stopped
    refused: tuple[tuple[str, Reason], ...] = ()  # scripts and data
