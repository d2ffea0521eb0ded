"""A crawl to measure costs on: one WARC file of real pages, without damage.

    python -m benchmarks.cost_crawl FILE --pages mixed        from the pages in DEHUSK_DATA

`mixed` has as many pages of each set, `small` pages of fewer than 10,000 characters, `large` ones of 100,000 and more.
"""

import json
import os
import random
from pathlib import Path
from typing import Annotated, Final

import zstandard

from benchmarks.planted_crawl import packed, response
from dehusk.cli.commands import Argument, Option, run

SMALL, LARGE = 10_000, 100_000  # characters
OF_EACH: Final = 180
MOST: Final = 2_000


def chosen_pages(kind: str) -> list[str]:
    """Return pages of a kind, the same ones in the same order each time."""
    pages: list[str] = []
    for path in sorted(Path(os.environ["DEHUSK_DATA"], "data", "pages").glob("*.jsonl.zst")):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            lines = stream.read().decode("utf-8").split("\n")
        found = [json.loads(line)["html"] for line in lines if line]
        if kind == "mixed":
            found = random.Random(27).sample(found, min(OF_EACH, len(found)))
        else:
            found = [html for html in found if (len(html) < SMALL if kind == "small" else len(html) >= LARGE)]
        pages += found
    random.Random(27).shuffle(pages)
    return pages if kind == "mixed" else pages[:MOST]


def main(
    file: Annotated[Path, Argument("FILE")],
    pages: Annotated[str, Option(help="mixed, small or large")] = "mixed",
) -> None:
    """Write the file."""
    found = chosen_pages(pages)
    with file.open("wb") as output:
        for number, html in enumerate(found):
            body = html.encode("utf-8", "replace")
            output.write(packed(response(f"https://site-{number % 997}.example/{number}", body, "text/html"))[0])
    print(f"{len(found):,} pages of {sum(map(len, found)) // len(found):,} characters on average in {file}")


if __name__ == "__main__":
    run(main)
