"""dehusk strip: pages without their tags."""

from dehusk.cli.options import AllowPrivate, Jobs, Output, Pages, Quiet, Render, Request, Resume, Verbose


def strip(
    pages: Pages = None,
    allow_private: AllowPrivate = False,
    render: Render = False,
    output: Output = None,
    resume: Resume = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Print all text of HTML pages, one line per block; only tags, scripts and styles are removed.

    PAGE is a file, a folder, a pattern or a URL; none means standard input.

    \b
      dehusk strip page.html
      dehusk strip --output texts pages/

    Exit status: 0 every page was processed, 1 some could not be (named above), 2 wrong usage.
    """
    from dehusk.cli.batch import Batch
    from dehusk.extractor import Extractor, rendering
    from dehusk.extractor import Output as Written

    batch = Batch.of(Request(pages, output, resume, jobs, quiet, verbose, private=allow_private, render=render))
    batch.process(rendering(Extractor("alltext"), Written("text")), "text", ".txt")
