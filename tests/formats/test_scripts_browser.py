"""Hostile pages in every format that a browser shows, opened in Chromium: no script runs, and none could."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dehusk import Extractor
from dehusk.formats import Look, by_name
from fuzz.output_invariants import SAFE_ATTRIBUTES, SAFE_TAGS
from testing.chromium import chromium
from testing.markdown_readers import PYTHON_READERS
from tests.helpers.hostile_pages import LOGGED, PAYLOADS, RUN, hostile_pages
from tests.helpers.markdown_payloads import payloads

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

ROUNDS = 4
FRAMES = 40  # on one page of the browser
READERS = {name: PYTHON_READERS[name] for name in ("markdown-it-py", "mistune", "Python-Markdown")}
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

# Documents as a browser reads them, writes them and reads them again: what sanitizers have been tricked by.
READ_AGAIN = """([documents, tags, attributes]) => documents.flatMap(html => {
  const body = text => new DOMParser().parseFromString(text, 'text/html').body
  const once = body(html), twice = body(`<!DOCTYPE html><body>${once.innerHTML}`), node = document.createElement('div')
  node.innerHTML = twice.innerHTML
  const found = [once, twice, node].flatMap(root => [...root.querySelectorAll('*')]).flatMap(each => [
    ...(tags.includes(each.localName) ? [] : [each.localName]),
    ...[...each.attributes].map(({name}) => name).filter(name => !attributes.includes(name))])
  return once.innerHTML === node.innerHTML && !found.length ? [] : [[html, ...found]]
})"""


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


@pytest.mark.slow
def test_html_is_the_same_after_it_was_read_and_written_again(browser: "Browser") -> None:
    extractor, tab = Extractor("alltext"), browser.new_context(offline=True).new_page()
    pages = [payload.html for payload in payloads()] + [page.html for page in hostile_pages(ROUNDS)]
    assert len(pages) > 10_000
    for start in range(0, len(pages), 1000):
        documents = [extractor.extract(page, url="https://example.org/") for page in pages[start : start + 1000]]
        outputs = [by_name("html").render(document, look=LOOK) for document in documents]
        assert tab.evaluate(READ_AGAIN, [outputs, sorted(SAFE_TAGS), sorted(SAFE_ATTRIBUTES)]) == []


@pytest.mark.slow
def test_html_that_changes_when_it_is_read_again_is_found(browser: "Browser") -> None:
    tab = browser.new_context(offline=True).new_page()
    changing = "<svg></p><style><a title='</style><img src=x onerror=alert(1)>'>"
    found = tab.evaluate(READ_AGAIN, [["<p>x</p>", changing], sorted(SAFE_TAGS), sorted(SAFE_ATTRIBUTES)])
    assert [each[0] for each in found] == [changing]
