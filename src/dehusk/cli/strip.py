"""dehusk strip: pages without their tags."""

from functools import partial

from dehusk.cli.options import AllowPrivate, Archives, BatchRequest, Pages, Render, RunOptions


def strip(
    pages: Pages = None,
    allow_private: AllowPrivate = False,
    archives: Archives = None,
    render: Render = False,
    *,
    run: RunOptions,
) -> None:
    """Print all text of HTML pages, one line per block; only tags, scripts and styles are removed.

    PAGE is a file, a folder, a pattern or a URL; none means standard input.

    \b
      dehusk strip page.html
      dehusk strip --output texts pages/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    from dehusk.cli.batch import PageBatch
    from dehusk.extractor import Extractor, RenderOptions, render_page

    batch = PageBatch.of(BatchRequest(pages, run, private=allow_private, render=render, archives=archives))
    batch.process_pages(partial(render_page, Extractor("alltext"), RenderOptions("text")), "text", ".txt")
