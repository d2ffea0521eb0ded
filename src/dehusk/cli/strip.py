"""dehusk strip: pages without their tags."""

from dehusk.batch import Job
from dehusk.cli.batch import Delivery, Folder, Jobs, Pages, Resume, run
from dehusk.extractor import Extractor, Output, rendering


def strip(pages: Pages = None, output: Folder = None, resume: Resume = False, jobs: Jobs = None) -> None:
    """Print all text of HTML pages, one line per block; only tags, scripts and styles are removed.

    PAGE is a file, a folder, a pattern or a URL; none means standard input.

    \b
      dehusk strip page.html
      dehusk strip --output texts pages/
    """
    run(pages, Job(rendering(Extractor("alltext"), Output("text")), jobs), Delivery("text", ".txt", output, resume))
