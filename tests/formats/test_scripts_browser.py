"""Hostile pages in every format that a browser shows, opened in Chromium: no script runs, and none could."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import markdown
import mistune
import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from dehusk import Extractor
from dehusk.formats import Look, by_name
from testing.chromium import chromium
from tests.helpers.hostile_pages import LOGGED, PAYLOADS, RUN, hostile_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

ROUNDS = 4
FRAMES = 40  # on one page of the browser
COMMONMARK = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
COMMONMARK.use(footnote_plugin).use(deflist_plugin)
MISTUNE = mistune.create_markdown(
    escape=False, plugins=["strikethrough", "footnotes", "table", "def_list", "math", "task_lists"]
)
# All of them with HTML on.
READERS: dict[str, Callable[[str], Any]] = {
    "markdown-it": COMMONMARK.render,
    "mistune": MISTUNE,
    "Python-Markdown": lambda text: markdown.markdown(text, extensions=["extra", "sane_lists"]),
}
# Python-Markdown knows no fence in a list, quote, definition or footnote, which docs/formats.md mentions.
NESTED_FENCE = re.compile(r"^(?:[ >]|[-*:] |\d+[.)] |\[\^).*```", re.MULTILINE)
LOOK = Look(links=True, images=True, metadata=True)
# Whatever could run once someone clicks on it or points at it. The report's own script is a module.
ARMED = """() => document.querySelectorAll('.block').forEach(block => block.focus())
  || [...document.querySelectorAll('*')].flatMap(node => [
  ...[...node.attributes].filter(({name, value}) => /^on/i.test(name)
      || (/^(href|src|action|formaction|data|srcdoc)$/i.test(name) && /^(javascript|data|vbscript):/i.test(node[name])))
    .map(({name, value}) => `${node.tagName} ${name}=${value}`),
  ...(/^(script|iframe|object|embed|base)$/i.test(node.tagName) && !node.matches('#data, [type=module]')
    ? [node.outerHTML] : []),
])"""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as running:
        yield running


def opened(browser: "Browser", folder: Path, outputs: dict[str, str]) -> list[str]:
    """Open documents in frames; return what any of them ran, or could run if someone touched it."""
    paths = {(folder / f"{number}.html").as_uri(): name for number, name in enumerate(outputs)}
    for number, html in enumerate(outputs.values()):
        (folder / f"{number}.html").write_text(html, encoding="utf-8")
    found: list[str] = []
    tab = browser.new_context(offline=True).new_page()
    tab.on("dialog", lambda dialog: found.append("a dialog"))
    tab.on(
        "console",
        lambda message: found.append(f"{paths.get(message.location['url'])} ran") if message.text == LOGGED else None,
    )
    for start in range(0, len(outputs), FRAMES):
        found += armed(tab, folder, list(paths.items())[start : start + FRAMES])
    tab.wait_for_timeout(300)
    tab.close()
    return found


def armed(tab: "Tab", folder: Path, documents: list[tuple[str, str]]) -> list[str]:
    """Open documents in frames of one page; return what in them could run, and which of them went elsewhere."""
    index = folder / "index.html"
    index.write_text("".join(f'<iframe src="{path}"></iframe>' for path, _ in documents), encoding="utf-8")
    tab.goto(index.as_uri())
    frames = {frame.url: frame for frame in tab.main_frame.child_frames}
    found = [f"{name} left its place" for path, name in documents if path not in frames]
    for path, name in documents:
        if path in frames:
            found += [f"{name}: {danger}" for danger in frames[path].evaluate(ARMED)]
    return found


def shown(html: str) -> str:
    return f'<!DOCTYPE html><meta charset="utf-8"><body>{html}'


@pytest.mark.slow
def test_the_browser_finds_scripts_that_run(browser: "Browser", tmp_path: Path) -> None:
    held = opened(browser, tmp_path, {"page": shown("<p>x"), "text": shown("&lt;script>")})
    assert held == []
    for payload in PAYLOADS[:4]:
        assert "page ran" in opened(browser, tmp_path, {"held": shown("<p>x"), "page": shown(f"<p>{payload}")})
    for html in (f"<p onclick={RUN}>x", f"<a href=' java\nscript:{RUN}'>x</a>", "<iframe src='about:blank'></iframe>"):
        assert len(opened(browser, tmp_path, {"page": shown(html)})) == 1


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_the_readers_pass_html_through(browser: "Browser", tmp_path: Path, reader: str) -> None:
    outputs = {"tag": f"a {PAYLOADS[0]}", "code": f"`x\r\r{PAYLOADS[0]}`"}
    read = {name: shown(READERS[reader](text)) for name, text in outputs.items()}
    assert {"tag ran", "code ran"} <= set(opened(browser, tmp_path, read))


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_no_hostile_page_runs_a_script_as_markdown(browser: "Browser", tmp_path: Path, reader: str) -> None:
    extractor, outputs = Extractor("alltext"), {}
    for number, page in enumerate(hostile_pages(ROUNDS)):
        document = extractor.extract(page.html, url=page.url)
        text = by_name("markdown").render(document, every=bool(number % 2), look=LOOK)
        if reader != "Python-Markdown" or not NESTED_FENCE.search(text):
            outputs[f"page {number} {page.html}"] = shown(READERS[reader](text))
    assert len(outputs) > 200
    assert opened(browser, tmp_path, outputs) == []


@pytest.mark.slow
@pytest.mark.parametrize("format", ["html", "report"])
def test_no_hostile_page_runs_a_script_in_a_browser(browser: "Browser", tmp_path: Path, format: str) -> None:
    extractor, outputs = Extractor("alltext"), {}
    for number, page in enumerate(hostile_pages(ROUNDS)):
        document = extractor.extract(page.html, url=page.url)
        output = by_name(format).render(document, every=bool(number % 2), look=LOOK)
        outputs[f"page {number} {page.html}"] = output
    assert len(outputs) > 200
    assert opened(browser, tmp_path, outputs) == []
