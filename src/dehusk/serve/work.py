"""What the processes of the pool do for the service: one page by one choice of options."""

from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from dehusk.batch import Outcome, OutcomeOptions, process_page
from dehusk.config import Limits
from dehusk.errors import ModelError, UsageError
from dehusk.extractor import Extractor, RenderOptions, render_page, render_result
from dehusk.models import registry
from dehusk.page import Source
from dehusk.reasons import Code, Reason
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


class PageTask(NamedTuple):
    """A page, and what to do with it."""

    choice: Choice
    page: RawPage
    plain: bool = False


def answer(limits: Limits, task: PageTask) -> Outcome | Reason:
    """Run in a worker: return what became of a page, or why the choice cannot be had."""
    try:
        extractor, output = _prepared(task.choice, limits)
    except ModelError as error:
        return Reason(Code.METHOD_UNAVAILABLE, str(error))
    except UsageError as error:
        return Reason(Code.INVALID_OPTIONS, str(error))
    page = task.page
    if page.line_field is not None:
        function = partial(render_page, extractor, output)
        return process_page(function, OutcomeOptions(line_format=output.format), page)
    return Outcome(*render_result(extractor, output, Source(page.data, page.url, page.charset, task.plain)))


@lru_cache(100)
def _prepared(choice: Choice, limits: Limits) -> tuple[Extractor, RenderOptions]:
    extractor = Extractor(_method(choice.method), limits=limits, **dict(choice.options))
    beside = None if choice.beside is None else extractor.by(_method(choice.beside))
    return extractor, RenderOptions(choice.format, choice.every, choice.look, beside)


@cache
def _method(name: str) -> "Method":
    return registry.method(name)
