"""The figures of docs/extension.md.

python -m tests.web.measure speed         how long a page of 1,000 leaves takes
python -m tests.web.measure live          how much a page's own scripts change what is extracted
python -m tests.web.measure readability   golden pages beside Readability.js
"""

import json
import os
import re
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Indel

from dehusk import Extractor, Page
from dehusk.evaluation.peers import PEERS
from testing.chromium import chromium
from tests.golden import PAGES
from tests.web.parity import real_pages
from tests.web.traces import BUNDLE, HOST, reader

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as BrowserPage

LEAVES = 1000
COLD_RUNS, WARM_RUNS = 5, 20
GOLDEN = (
    "blog-post-with-comments", "docs-code-tables", "forum-thread", "german-blog", "layout-tables", "listing",
    "news-article", "product-page", "recipe", "wiki-article",
)  # fmt: skip


def speed() -> None:
    """Print how long a page of 1,000 leaves takes, at the first time in a browser and later."""
    text = "<p class=text>The <b>first</b> hay was late this year, since June was wet, and the river was high.</p>"
    menu = "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(100))
    html = f"<title>Late hay</title><nav><ul>{menu}</ul></nav><main><h1>Late hay</h1>{text * 300}</main>"
    assert abs(len(Page.from_html(html).leaves) - LEAVES) < 10
    code = json.dumps(BUNDLE.read_text(encoding="utf-8"))
    once = """(document) => {
        const begin = performance.now();
        %s dehusk.annotate(document);
        return performance.now() - begin;
    }"""
    cold, warm = [], []
    for _ in range(COLD_RUNS):
        with reader() as fresh:
            # Evaluated again, so that it is compiled, and the weights decoded, within the time that is taken.
            cold.append(fresh.evaluate(html, once % f"(0, eval)({code});"))
            times = [fresh.evaluate(html, once % "") for _ in range(WARM_RUNS)]
            warm.append(statistics.median(times[WARM_RUNS // 2 :]))
    print(f"cold {min(cold):.0f} ms at best, {statistics.median(cold):.0f} in the middle of {COLD_RUNS}")
    print(f"warm {min(warm):.0f} ms at best, {statistics.median(warm):.0f} in the middle of {COLD_RUNS}")


# Inline scripts that write to the page.
WRITES = re.compile(
    r"<script(?![^>]*\bsrc=)[^>]*>(?:(?!</script).)*?(?:document\.write|innerHTML|appendChild|insertBefore)", re.S
)


def live(count: int = 60) -> None:
    """Print which share of the extracted characters differs between a page's source and the page after its scripts."""
    folder = Path(os.environ["DEHUSK_DATA"]) / "data" / "pages"
    pages = [(name, html) for name, html in real_pages(folder, 800) if WRITES.search(html)]
    found: list[Change] = []
    whole = left_out = 0
    with chromium() as browser:
        for name, html in pages:
            after = _after_scripts(browser, html)
            if after is None:
                left_out += 1
                continue
            document = Extractor().extract(html)
            whole += document.page.text != after[0]
            found.append(_change(document.text, after[1]))
            if found[-1].share > 0.1:
                print(f"{name}: {found[-1].share:.0%}", flush=True)
            if len(found) == count:
                break
    total = sum(each.different for each in found) / sum(each.all for each in found)
    changed = sum(each.different > 0 for each in found)
    print(f"{len(found)} pages: scripts changed the text of {whole}, and what is extracted of {changed};")
    print(f"{total:.2%} of all extracted characters; {left_out} left out, since scripts led elsewhere or did not end")


class Change(NamedTuple):
    """How many characters of two texts, added up, are in words that only one of them has."""

    different: int
    all: int

    @property
    def share(self) -> float:
        """The part that differs."""
        return self.different / self.all if self.all else 0.0


def _change(before: str, after: str) -> Change:
    left, right = before.split(), after.split()
    removed = [left[edit.src_pos] for edit in Indel.editops(left, right) if edit.tag == "delete"]
    added = [right[edit.dest_pos] for edit in Indel.editops(left, right) if edit.tag == "insert"]
    return Change(len("".join(removed + added)), len("".join(left + right)))


CODE = (
    BUNDLE.read_text(encoding="utf-8") + "; [dehusk.annotate(document).page.text.string, dehusk.extract(document)]"
    if BUNDLE.exists()
    else ""
)


def _after_scripts(browser: "Browser", html: str) -> tuple[str, str] | None:
    """Return a page's text and what is extracted of it a second after it was read; what it asks for is refused."""
    from playwright.sync_api import Error  # noqa: PLC0415  (large)

    page = browser.new_page()
    try:
        return _extracted(page, html)
    except (Error, KeyError):
        return None
    finally:
        page.close()


def _extracted(page: "BrowserPage", html: str) -> tuple[str, str]:
    page.route("**/*", lambda route: route.abort())
    page.route(HOST, lambda route: route.fulfill(body=html, headers={"content-type": "text/html; charset=utf-8"}))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.goto(HOST, wait_until="domcontentloaded")
    page.wait_for_timeout(1000)
    if page.url != HOST:
        raise KeyError(page.url)
    # In a world of its own, as an extension's script: pages change what is global.
    world = page.context.new_cdp_session(page)
    frame = world.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    context = world.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]
    result = world.send("Runtime.evaluate", {"expression": CODE, "contextId": context, "returnByValue": True})
    text, extracted = result["result"]["value"]
    return text, extracted


def readability() -> None:
    """Print for ten golden pages how many of the snippets that must come out do, and of those that must not."""
    print("| page | wanted: dehusk | Readability.js | unwanted: dehusk | Readability.js |\n|---|---|---|---|---|")
    peer = PEERS["readability-js"]
    for name in GOLDEN:
        folder = PAGES / name
        page = Page.from_bytes((folder / "source.html").read_bytes())
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        texts = Extractor().extract(page).text, peer.run(page.html, url="https://example.org/page")
        rows = [[_found(expected[key], text) for text in texts] for key in ("with", "without")]
        print(f"| {name} | {' | '.join(cell for row in rows for cell in row)} |")


def _found(snippets: list[str], text: str) -> str:
    flat = " ".join(text.split())
    return f"{sum(' '.join(snippet.split()) in flat for snippet in snippets)} of {len(snippets)}"


if __name__ == "__main__":
    {"speed": speed, "live": live, "readability": readability}[sys.argv[1]]()
