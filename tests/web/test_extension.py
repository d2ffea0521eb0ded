"""The extension, as a user meets it: loaded unpacked in Debian's Chromium, its button clicked."""

import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pytest

import dehusk
from tests.helpers.hostile_pages import LOGGED, PAYLOADS
from tests.web.extension import FOLDER, SITE, Extension, extension, highlighted, wait_until
from tests.web.pages import LONG, OTHER

pytestmark = pytest.mark.slow

MENU = "<nav><ul><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>Contact us</a></ul></nav>"
THIRD = "In the end the hay was cut by hand, on the first dry day of July, and dried on racks as it was long ago."
ITEMS = ("Hay was cut in July, by hand.", "Oats were sown in April, as always.")
LIST = "".join(f"<li>{item}" for item in ITEMS)
TEXTS = f"<p id=one>{LONG}</p><p id=two>{OTHER}</p><p>{THIRD}</p><ul>{LIST}</ul>"
BODY = f"<main><article><h1>Late hay</h1>{TEXTS}</article></main>"
FOOTER = "<footer id=foot>© 2026 The Meadow. <a href=/t>Terms</a> <a href=/p>Privacy</a></footer>"
PAGE = f"<!DOCTYPE html><html lang=en><title>Late hay - The Meadow</title><body>{MENU}{BODY}{FOOTER}"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TRUSTED = "require-trusted-types-for 'script'; trusted-types 'none'"
STRICT = f"default-src 'none'; {TRUSTED}; sandbox allow-scripts allow-same-origin"


@cache
def kept_lines() -> list[str]:
    return dehusk.extract(PAGE).text.splitlines()


@pytest.fixture(scope="module")
def browser() -> Iterator[Extension]:
    with extension(viewport={"width": 1000, "height": 800}) as running:
        yield running


@pytest.fixture(autouse=True)
def _tabs(browser: Extension) -> Iterator[None]:
    yield
    for page in browser.context.pages[1:]:
        page.close()


def problems(page: Any, root: str) -> list[str]:
    """Return what axe finds wrong below an element."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("(root) => axe.run(root ? [root.split(' ')] : document)", root)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


def test_one_click_highlights_the_main_text_and_leaves_the_dom_alone(browser: Extension) -> None:
    page = browser.open(PAGE)
    before = page.evaluate("document.body.outerHTML")
    browser.highlight(page)
    assert highlighted(page) == "|".join(kept_lines())
    assert "Contact us" in highlighted(page, "dehusk-dropped")
    assert page.evaluate("document.body.outerHTML") == before
    assert page.evaluate("document.documentElement.children.length") == 3  # head, body, and the panel


def test_the_badge_has_the_share_of_boilerplate(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.highlight(page)
    wait_until(lambda: browser.badge() != "")
    share = browser.badge()
    assert re.fullmatch(r"\d+%", share)
    assert page.locator("dehusk-panel .share").inner_text() == f"{share} boilerplate"


def test_a_second_click_opens_the_reader_view_and_a_third_ends_it(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.read(page)
    article = page.locator("dehusk-panel article")
    assert article.locator("h1").inner_text() == "Late hay"
    assert article.locator("p:not(.source)").all_inner_texts() == [LONG, OTHER, THIRD]
    assert article.locator("li").all_inner_texts() == list(ITEMS)
    browser.click(page)
    page.wait_for_selector("dehusk-panel", state="detached")
    assert page.evaluate("CSS.highlights.size") == 0
    wait_until(lambda: browser.badge() == "")


def test_the_slider_acts_at_once(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.highlight(page)
    slider = page.locator("dehusk-panel .toolbar input[type=range]")
    slider.focus()
    page.keyboard.press("End")
    assert "Terms" in highlighted(page)
    page.keyboard.press("Home")
    assert "Terms" not in highlighted(page)
    assert len(highlighted(page)) < len("|".join(kept_lines()))


def test_a_click_takes_a_block_out_and_puts_another_back(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.highlight(page)
    page.locator("#two").click(position={"x": 40, "y": 8})
    assert OTHER not in highlighted(page)
    page.locator("#foot").click(position={"x": 40, "y": 8})
    assert "© 2026" in highlighted(page)
    browser.click(page)  # the reader view shows the same
    assert page.locator("dehusk-panel article p:not(.source)").first.inner_text() == LONG
    assert "© 2026" in page.locator("dehusk-panel article").inner_text()


def test_in_the_reader_view_blocks_are_put_back_and_taken_out(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.read(page)
    page.keyboard.press("e")
    page.locator("dehusk-panel article .left-out", has_text="©").click(position={"x": 10, "y": 8})
    page.locator("dehusk-panel article p", has_text=LONG).press("Enter")
    page.keyboard.press("e")
    text = page.locator("dehusk-panel article").inner_text()
    assert "© 2026" in text
    assert LONG not in text


def test_reasons_are_shown_on_hover(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.highlight(page)
    page.locator("#one").hover(position={"x": 40, "y": 8})
    tooltip = page.locator("dehusk-panel .tooltip")
    assert tooltip.inner_text().startswith("Main text")
    assert tooltip.locator("li").count() >= 1


def test_markdown_is_copied(browser: Extension) -> None:
    browser.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = browser.open(PAGE)
    browser.highlight(page)
    page.get_by_role("button", name="Copy").first.click()
    page.keyboard.press("Escape")
    page.evaluate("document.body.innerHTML = '<textarea autofocus></textarea>'")
    page.locator("textarea").focus()

    def pasted() -> bool:
        page.keyboard.press("Control+V")
        return page.locator("textarea").input_value() != ""

    wait_until(pasted)
    items = "\n".join(f"- {item}" for item in ITEMS)
    title = ["# Late hay"] if "Late hay" in kept_lines() else []
    assert page.locator("textarea").input_value() == "\n\n".join([*title, LONG, OTHER, THIRD, items])


@pytest.mark.parametrize("format", ["Markdown", "HTML"])
def test_the_text_is_saved(browser: Extension, format: str) -> None:
    page = browser.open(PAGE)
    browser.highlight(page)
    page.locator("dehusk-panel .toolbar summary").click()
    with page.expect_download() as download:
        page.locator("dehusk-panel .toolbar .menu button", has_text=format).click()
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert LONG in saved
    assert "Terms" not in saved
    assert download.value.suggested_filename == f"Late-hay-The-Meadow.{'md' if format == 'Markdown' else 'html'}"


def test_type_width_and_theme_change_and_are_remembered(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.read(page)
    dialog = page.locator("dehusk-panel dialog")
    page.get_by_role("button", name="Larger type").click()
    page.get_by_role("button", name="Narrower lines").click()
    page.get_by_role("button", name="Theme").click()
    assert dialog.get_attribute("data-theme") == "light"
    assert "--size: 20px; --width: 65ch" in str(dialog.get_attribute("style"))
    stored = "chrome.storage.local.get('settings').then(({ settings }) => settings?.theme ?? '')"
    wait_until(lambda: browser.worker.evaluate(stored) == "light")
    other = browser.open(PAGE)
    browser.read(other)
    assert other.locator("dehusk-panel dialog").get_attribute("data-theme") == "light"
    browser.worker.evaluate("chrome.storage.local.clear()")


def test_a_strict_policy_of_the_page_is_no_obstacle(browser: Extension) -> None:
    noscript = f"<noscript><p>{LONG} Again.</noscript>"
    page = browser.open(PAGE.replace("<main>", f"<main>{noscript}"), content_security_policy=STRICT)
    browser.read(page)
    assert page.locator("dehusk-panel article p", has_text=OTHER).count() == 1
    colour = page.locator("dehusk-panel dialog").evaluate("(dialog) => getComputedStyle(dialog).backgroundColor")
    assert colour == "rgb(255, 253, 247)"  # the style sheet is there


def test_text_in_shadow_roots_is_found_and_highlighted(browser: Extension) -> None:
    script = """<script>for (const mode of ["open", "closed"]) {
        const root = document.getElementById(mode).attachShadow({ mode });
        root.innerHTML = `<p>In the ${mode} root: %s</p>`;
    }</script>"""
    body = f"<main><h1>Late hay</h1><x-a id=open></x-a><x-a id=closed></x-a><p>{OTHER}</main>"
    page = browser.open(f"<title>Late hay</title>{MENU}{body}{script.replace('%s', LONG)}{FOOTER}")
    browser.highlight(page)
    assert f"In the open root: {LONG}" in highlighted(page)
    assert f"In the closed root: {LONG}" in highlighted(page)


def test_text_in_frames_of_the_same_site_is_found(browser: Extension) -> None:
    frame = f'<iframe srcdoc="<p>In the frame: {LONG}"></iframe>'
    page = browser.open(PAGE.replace("<h1>", f"{frame}<h1>"))
    browser.read(page)
    assert f"In the frame: {LONG}" in page.locator("dehusk-panel article").inner_text()


def test_a_page_of_twenty_thousand_text_nodes(browser: Extension) -> None:
    rows = "".join(f"<p>Line {number}: {LONG[:30]} <b>{number}</b>" for number in range(10_000))
    page = browser.open(f"<title>Long</title>{MENU}<main><h1>Long</h1>{rows}</main>{FOOTER}")
    browser.highlight(page)
    assert page.evaluate("CSS.highlights.get('dehusk-kept').size") > 19_000
    page.locator("p").nth(3).hover(position={"x": 20, "y": 8})
    browser.click(page)
    page.wait_for_selector("dehusk-panel article p:nth-of-type(10000)", state="attached")


def test_a_hostile_page_runs_nothing_in_the_reader_view(browser: Extension) -> None:
    texts = "".join(
        f"<p>{LONG} {escape(payload)}<p title='{escape(payload)}'>{payload} {OTHER}" for payload in PAYLOADS
    )
    bomb = "<noscript>" + "".join(f"<b id={n}><p>" for n in range(5_000)) + "</noscript>"
    tamper = """<script>
        Array.prototype.map = Node.prototype.appendChild = document.createElement = () => { throw Error("tampered"); };
        String.prototype.split = CSS.highlights.set = chrome = null;
        customElements.define("dehusk-panel", class extends HTMLElement { constructor() { super(); this.remove(); } });
    </script>"""
    deep = "<div>" * 3_000 + LONG
    page = browser.open(f"<title>Hostile</title>{MENU}<main><h1>Hostile</h1>{texts}</main>{bomb}{tamper}{deep}")
    page.wait_for_timeout(500)  # what the page runs by itself
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    browser.read(page)
    page.wait_for_timeout(500)
    assert LOGGED not in "".join(logged)
    article = page.locator("dehusk-panel article")
    alive = "script, iframe, svg, style, [onerror], [onload]"
    assert article.locator(alive).count() == 0
    links = article.evaluate("(article) => [...article.querySelectorAll('a')].map((link) => link.protocol)")
    assert set(links) <= {"http:", "https:", "mailto:", ":"}


def test_a_page_without_main_text_says_so(browser: Extension) -> None:
    page = browser.open("<title>Nothing</title><p> </p>")
    browser.highlight(page)
    assert "no text" in page.locator("dehusk-panel .toolbar").inner_text()
    browser.click(page)
    assert "no text" in page.locator("dehusk-panel article").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark", "sepia"])
def test_axe_finds_nothing_in_the_reader_view(browser: Extension, theme: str) -> None:
    browser.worker.evaluate(f"chrome.storage.local.set({{ settings: {{ theme: {json.dumps(theme)} }} }})")
    page = browser.open(PAGE.replace("</main>", "<table><tr><th>a<th>b<tr><td>1<td>2</table><pre>x</pre></main>"))
    browser.read(page)
    assert problems(page, "dehusk-panel dialog") == []
    page.keyboard.press("e")
    assert problems(page, "dehusk-panel dialog") == []
    page.keyboard.press("Escape")
    assert problems(page, "dehusk-panel .toolbar") == []
    browser.worker.evaluate("chrome.storage.local.clear()")


def test_options_are_accessible_stored_and_applied(browser: Extension) -> None:
    page = browser.open(PAGE)
    browser.highlight(page)
    options = browser.open_options()
    assert problems(options, "") == []
    options.get_by_label("Reader view", exact=True).fill("v")
    options.get_by_label("Colours").select_option("sepia")
    options.wait_for_selector("#state:text-is('Saved.')")
    page.bring_to_front()
    page.wait_for_selector("dehusk-panel dialog[data-theme=sepia]", state="attached")  # other pages are told later
    page.keyboard.press("v")
    page.wait_for_selector("dehusk-panel dialog[open]")
    options.get_by_label("Copy as Markdown").fill("v")
    options.get_by_label("Copy as Markdown").blur()
    options.wait_for_selector("#state:text-is('Two actions have the same key.')")
    options.get_by_role("button", name="Restore").click()
    assert options.get_by_label("Reader view", exact=True).input_value() == "r"
    browser.worker.evaluate("chrome.storage.local.clear()")


def test_no_request_leaves_the_browser(browser: Extension) -> None:
    """All traffic goes through a proxy of ours. What the page itself asks for comes before the first click."""
    drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'><rect width='300' height='200'/></svg>"
    browser.web.pages[f"{SITE}/hay.svg"] = (drawing, {"Content-Type": "image/svg+xml"})
    page = browser.open(PAGE.replace(f"<p>{THIRD}", f"<img src=/hay.svg alt='A meadow'><p>{THIRD}"))
    page.wait_for_load_state("networkidle")
    before = list(browser.web.requests)
    assert page.url in before
    browser.read(page)
    image = page.locator("dehusk-panel article img")
    assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 300
    page.keyboard.press("e")
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    page.locator("#one").hover(position={"x": 40, "y": 8})
    options = browser.open_options()
    options.get_by_label("Colours").select_option("dark")
    page.wait_for_timeout(1000)
    assert browser.web.requests[len(before) :] == []
    browser.worker.evaluate("chrome.storage.local.clear()")


@pytest.mark.parametrize("name", ["background.js", "content.js", "options.js"])
def test_the_extension_has_no_way_to_send_anything(name: str) -> None:
    code = (FOLDER / name).read_text(encoding="utf-8")
    ways = r"\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource|\bimport\(|\beval\(|new Function"
    assert re.findall(ways, code) == []


def test_the_manifest_asks_for_three_permissions_and_no_site() -> None:
    for browser in ("chromium", "firefox"):
        manifest = json.loads((FOLDER.parent / browser / "manifest.json").read_text(encoding="utf-8"))
        assert manifest["permissions"] == ["activeTab", "scripting", "storage"]
        assert not {"host_permissions", "content_scripts", "web_accessible_resources"} & set(manifest)
