"""Render sets of pages with gold into the cache of layouts.

python -m benchmarks.rendering cleaneval:train canola:train

What is in the cache is not rendered again, so it can be stopped and run again. It prints seconds per page, why pages
could not be rendered, how many Chromium reads as we do, and whether it left a process; that is the figure of
docs/rendering.md (`make render-check`). The cache is the user's, or the folder that --cache names.
"""

import argparse
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dehusk.cli.progress import ProgressDisplay
from dehusk.gold.corpora import open_corpus
from dehusk.page import as_page
from dehusk.processes import descendants
from dehusk.rendering import Photograph, Renderer
from dehusk.rendering.cache import Cache, photograph_all

LINE_AFTER = 20  # pages, where there is no terminal for a bar


def markups(names: list[str]) -> Iterator[str]:
    """Yield the markup of the pages of sets, each named as SET:PART."""
    for name in names:
        corpus, _, part = name.partition(":")
        for page in open_corpus(corpus).pages(part or "train", skipped=Counter()):
            yield as_page(page.html).html


def render(tasks: list[Photograph], cache: Cache) -> Counter[str]:
    """Render pages and return how many came to which end."""
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    with Renderer() as renderer, ProgressDisplay(len(tasks)) as progress:
        for number, problem in enumerate(photograph_all(tasks, renderer, cache), 1):
            counts[str(problem or "rendered")] += 1
            progress.advance()
            if number % LINE_AFTER == 0 and not sys.stderr.isatty():
                print(f"{number} of {len(tasks)}, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return counts


def main() -> int:
    """Render, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpora", nargs="+", metavar="SET:PART")
    parser.add_argument("--pages", type=int, help="only the first so many")
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    tasks = [Photograph(html) for html in itertools.islice(markups(options.corpora), options.pages)]
    cache = Cache(options.cache) if options.cache else Cache.usual()
    new, began = sum(not cache.has(task) for task in tasks), time.perf_counter()
    counts = render(tasks, cache)
    seconds = time.perf_counter() - began
    print(f"{len(tasks)} pages, {new} of them new, in {seconds:.0f} s: {seconds / max(new, 1):.2f} s per new page")
    print("; ".join(f"{count} {what}" for what, count in counts.most_common()))
    agreed = Counter(_agrees(cache, task) for task in tasks)
    print("; ".join(f"{count} {what}" for what, count in agreed.most_common()))
    left = descendants(os.getpid())[1:]
    print(f"{len(left)} processes left")
    return 1 if left else 0


def _agrees(cache: Cache, task: Photograph) -> str:
    layout = cache.load(task.html)
    if layout is None:
        return "without a layout"
    return "read alike" if layout.leaf_boxes(as_page(task.html)) is not None else "read otherwise by Chromium"


if __name__ == "__main__":
    sys.exit(main())
