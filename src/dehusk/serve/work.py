"""What the processes of the pool do for the service: one page by one choice of options."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dehusk.batch import Manner, Outcome, process
from dehusk.config import Limits
from dehusk.errors import ModelError, UsageError
from dehusk.extractor import Extractor, Output, rendered, rendering
from dehusk.models import registry
from dehusk.page import Source
from dehusk.sources import RawPage

if TYPE_CHECKING:
    from dehusk.formats import Look
    from dehusk.methods.base import Method


class Choice(NamedTuple):
    """What a client asked for."""

    method: str
    options: tuple[tuple[str, Any], ...]  # those of `Extractor`
    format: str
    every: bool
    look: "Look"
    beside: str | None = None


class Task(NamedTuple):
    """A page, and what to do with it."""

    choice: Choice
    page: RawPage
    plain: bool = False


class Refusal(NamedTuple):
    """Why a choice cannot be had."""

    code: str
    detail: str


def answer(limits: Limits, task: Task) -> Outcome | Refusal:
    """Run in a worker: return what became of a page."""
    try:
        extractor, output = _prepared(task.choice, limits)
    except ModelError as error:
        return Refusal("method-unavailable", str(error))
    except UsageError as error:
        return Refusal("invalid-options", str(error))
    page = task.page
    if page.line_field is not None:
        return process((rendering(extractor, output), Manner(line_format=output.format)), page)
    return Outcome(*rendered((extractor, output), Source(page.data, page.url, page.charset, task.plain)))


@lru_cache(100)
def _prepared(choice: Choice, limits: Limits) -> tuple[Extractor, Output]:
    extractor = Extractor(_method(choice.method), limits=limits, **dict(choice.options))
    beside = None if choice.beside is None else extractor.by(_method(choice.beside))
    return extractor, Output(choice.format, choice.every, choice.look, beside)


@cache
def _method(name: str) -> "Method":
    return registry.method(name)
