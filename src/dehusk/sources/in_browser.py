"""Pages that go through a browser before they are read: to run their own scripts, or to be laid out for a method.

For a page that was fetched, the fetcher fetches what its scripts ask for, under the same rules; for others, nothing.
"""

from collections.abc import Generator, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from dehusk.config import Limits
from dehusk.page import Page, Source, as_page
from dehusk.reasons import Code, Reason, joined
from dehusk.sources.files import URL
from dehusk.sources.json_lines import parsed
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.rendering import LivePage

# Of what a script asks for: large programs have a few megabytes.
PART_LIMITS: Final = Limits(bytes=10_000_000)
PART_SECONDS: Final = 10.0
SCRIPT_SECONDS: Final = 10.0
MOST_SHOWN: Final = 200  # characters of an address


def after_scripts(pages: Iterable[RawPage], limits: Limits) -> Generator[RawPage, None, None]:
    """Yield pages as their scripts leave them; a page whose scripts fail, as it was sent, with a notice."""
    from dehusk.rendering import Live, Renderer  # noqa: PLC0415  (few need it)

    with Renderer() as renderer:
        for unparsed in pages:
            page = parsed(unparsed)
            markup = _markup(page, limits)
            if markup is None:  # whoever reads it says why
                yield page
                continue
            task = Live(markup.html, seconds=SCRIPT_SECONDS)
            if URL.match(page.name):
                task = replace(task, answers=partial(fetch_part, page.private))
            if page.url and URL.match(page.url):
                task = replace(task, url=page.url)
            yield _with_result(page, renderer.run_scripts(task))


def laid_out(pages: Iterable[RawPage], limits: Limits) -> Generator[RawPage, None, None]:
    """Yield pages after their layout has been put into the cache, where a method finds it."""
    from dehusk.rendering import Photograph, Renderer  # noqa: PLC0415  (few need it)
    from dehusk.rendering.cache import Cache, photograph_all  # noqa: PLC0415

    with Renderer() as renderer:
        cache = Cache.usual()
        for unparsed in pages:
            page = parsed(unparsed)
            markup = _markup(page, limits)
            problem = None if markup is None else next(photograph_all([Photograph(markup.html)], renderer, cache))
            notice = Reason(Code.NOT_RENDERED, f"not rendered ({problem}), so scored without visual features")
            yield _with_notice(page, notice) if problem else page


def _markup(page: RawPage, limits: Limits) -> Page | None:
    """Return a page with its markup decoded; None if there is none."""
    if page.problem:
        return None
    read = as_page(Source(page.data, page.url, page.charset), limits=limits)
    return None if read.refused else read


def fetch_part(private: bool, url: str) -> tuple[str, bytes] | Reason:
    """Run in the rendering process: return the type and the bytes of what a page asks for, or why it has none."""
    from dehusk.sources.fetcher import Policy, fetch  # noqa: PLC0415  (a tenth of the time to start)

    part = fetch(url, PART_LIMITS, Policy(PART_SECONDS, private))
    if part.problem:
        return part.problem
    assert isinstance(part.data, bytes)
    if len(part.data) > PART_LIMITS.bytes:
        return Reason(Code.TOO_LARGE, "bytes", limit=PART_LIMITS.bytes, seen=len(part.data))
    return part.content_type, part.data


def _with_result(page: RawPage, result: "LivePage | Reason") -> RawPage:
    if isinstance(result, Reason):
        notice = Reason(Code.NOT_RENDERED, f"its scripts did not run ({result}), so this is the page as it was sent")
        return _with_notice(page, notice)
    page = replace(page, data=result.html, charset=None)
    if result.stopped:
        page = _with_notice(page, Reason(Code.SCRIPTS_STOPPED, limit=SCRIPT_SECONDS))
    if result.refused:
        from dehusk.rendering.tasks import NO_ADDRESS  # noqa: PLC0415  (as above)

        count, (url, reason) = len(result.refused), result.refused[0]
        refused = f"{count} requests refused, the first to" if count > 1 else "1 request refused to"
        shown = url.removeprefix(NO_ADDRESS)[:MOST_SHOWN]
        page = _with_notice(page, Reason(Code.REQUESTS_REFUSED, f"{refused} {shown} ({reason})", seen=count))
    return page


def _with_notice(page: RawPage, notice: Reason) -> RawPage:
    return replace(page, notice=joined(page.notice, notice))
