"""Pages that go through a browser before they are read: to run their own scripts, or to be laid out for a method.

For a page that was fetched, the fetcher fetches what its scripts ask for, under the same rules; for others, nothing.
"""

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dehusk.config import Limits
from dehusk.page import Page, Source, as_page
from dehusk.sources.files import URL
from dehusk.sources.json_lines import parsed
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.rendering import Live, LivePage

# Of what a script asks for: large programs have a few megabytes.
PART_LIMITS: Final = Limits(bytes=10_000_000)
PART_SECONDS: Final = 10.0
SCRIPT_SECONDS: Final = 10.0
MOST_SHOWN: Final = 200  # characters of an address


def after_scripts(pages: Iterable[RawPage], limits: Limits) -> Generator[RawPage, None, None]:
    """Yield pages as their scripts leave them; a page whose scripts fail, as it was sent, with a notice."""
    from dehusk.rendering import Renderer  # noqa: PLC0415  (few need it)

    with Renderer() as renderer:
        for unparsed in pages:
            page = parsed(unparsed)
            markup = _markup(page, limits)
            if markup is None:  # whoever reads it says why
                yield page
                continue
            yield _with_result(page, renderer.run_scripts(_task(page, markup)))


def laid_out(pages: Iterable[RawPage], limits: Limits) -> Generator[RawPage, None, None]:
    """Yield pages after their layout has been put into the cache, where a method finds it."""
    from dehusk.rendering import Photograph, Renderer  # noqa: PLC0415  (few need it)
    from dehusk.rendering.cache import Cache, photograph_all  # noqa: PLC0415

    with Renderer() as renderer:
        cache = Cache.usual()
        for unparsed in pages:
            page = parsed(unparsed)
            markup = _markup(page, limits)
            problem = "" if markup is None else next(photograph_all([Photograph(markup.html)], renderer, cache))
            yield _noticed(page, f"not rendered ({problem}), so scored without visual features") if problem else page


def _markup(page: RawPage, limits: Limits) -> Page | None:
    """Return a page with its markup decoded; None if there is none."""
    if page.problem:
        return None
    read = as_page(Source(page.data, page.url, page.charset), limits=limits)
    return None if read.refused else read


def _task(page: RawPage, markup: Page) -> "Live":
    from dehusk.rendering import Live  # noqa: PLC0415  (as above)

    task = Live(markup.html, seconds=SCRIPT_SECONDS)
    if URL.match(page.name):
        task = replace(task, answers=(__name__, answer.__name__, page.private))
    return replace(task, url=page.url) if page.url and URL.match(page.url) else task


def answer(private: bool, url: str) -> tuple[str, bytes] | str:
    """Run in the rendering process: return the type and the bytes of what a page asks for, or why it has none."""
    from dehusk.sources.fetcher import Policy, fetch  # noqa: PLC0415  (a tenth of the time to start)

    found = fetch(url, PART_LIMITS, Policy(PART_SECONDS, private))
    if found.problem:
        return found.problem
    assert isinstance(found.data, bytes)
    if len(found.data) > PART_LIMITS.bytes:
        return f"too large: more than {PART_LIMITS.bytes:,} bytes"
    return found.content_type, found.data


def _with_result(page: RawPage, found: "LivePage | str") -> RawPage:
    if isinstance(found, str):
        return _noticed(page, f"its scripts did not run ({found}), so this is the page as it was sent")
    page = replace(page, data=found.html, charset=None)
    if found.stopped:
        page = _noticed(page, f"its scripts did not end within {SCRIPT_SECONDS:g} s and were stopped")
    if found.refused:
        from dehusk.rendering.tasks import NO_ADDRESS  # noqa: PLC0415  (as above)

        url, reason = found.refused[0]
        url = url.removeprefix(NO_ADDRESS)
        others = f", the first to {url[:MOST_SHOWN]}" if len(found.refused) > 1 else f" to {url[:MOST_SHOWN]}"
        requests = f"{len(found.refused)} requests" if len(found.refused) > 1 else "1 request"
        page = _noticed(page, f"{requests} refused{others} ({reason})")
    return page


def _noticed(page: RawPage, notice: str) -> RawPage:
    return replace(page, notice="; ".join(filter(None, [page.notice, notice])))
