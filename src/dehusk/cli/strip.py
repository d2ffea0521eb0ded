"""dehusk strip: pages without their tags."""

from dehusk.cli.batch import Folders, Job, Jobs, Pages, Resume, run


def strip(pages: Pages = None, output: Folders = None, resume: Resume = False, jobs: Jobs = None) -> None:
    """Print all text of HTML pages, a line a block; tags, scripts and styles are removed, nothing else.

    PAGE is a file, a folder, a pattern or an http address; none means standard input.

    \b
      dehusk strip page.html
      dehusk strip --output texts pages/
    """
    from dehusk.extractor import Extractor, Output

    setup = ("dehusk.extractor", "rendered", (Extractor("alltext"), Output("text")))
    run(pages, Job(setup, "text", ".txt", output, resume, jobs))
