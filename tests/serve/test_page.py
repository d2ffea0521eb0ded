"""The page at / in Chromium: paste, drop, slide, compare, download; hostile pages, errors, keys, phones, axe."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dehusk import Extractor, extract, formats
from testing.chromium import chromium
from testing.needed import skip_unless
from testing.server import ROOT, Server, server
from tests.formats.report_pages import HOSTILE
from tests.golden import PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame
    from playwright.sync_api import Page as Tab

pytestmark = pytest.mark.slow
NEWS = (PAGES / "news-article" / "source.html").read_text(encoding="utf-8")
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with server("--jobs", "1", "--max-bytes", "1000000") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as found:
        yield found


def opened(browser: "Browser", running: Server, trouble: list[str], **options: Any) -> "Tab":
    """Open the page; whatever it logs, fails at, or requests from elsewhere is trouble."""
    tab = browser.new_context(**{**DESKTOP, **options}).new_page()
    tab.set_default_timeout(20_000)
    ours = (running.address, "blob:")
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.on("dialog", lambda dialog: trouble.append(dialog.message))
    tab.on("request", lambda found: None if found.url.startswith(ours) else trouble.append(found.url))
    tab.goto(f"{running.address}/")
    tab.wait_for_selector("#method option:checked", state="attached")
    return tab


@pytest.fixture
def tab(browser: "Browser", running: Server) -> Iterator["Tab"]:
    trouble: list[str] = []
    found = opened(browser, running, trouble)
    yield found
    found.context.close()
    assert trouble == []


def report(tab: "Tab") -> "Frame":
    """Return the frame of the report, once it is there."""
    frame = tab.locator("#report").element_handle().content_frame()
    assert frame
    frame.wait_for_selector(".choice", state="attached")
    return frame


def pasted(tab: "Tab", html: str) -> "Frame":
    tab.locator("#html").fill(html)
    tab.get_by_role("button", name="Extract").click()
    return report(tab)


def clean_text(frame: "Frame") -> str:
    found: str = frame.evaluate(
        "[...document.querySelectorAll('#clean p:not([hidden])')].map(line => line.textContent && [...line.childNodes]"
        ".filter(piece => !piece.hidden).map(piece => piece.textContent).join('').trim()).join('\\n')"
    )
    return found


def slide(frame: "Frame", threshold: float) -> None:
    frame.locator("input[type=range]").first.evaluate(
        "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')) }", f"{threshold:.2f}"
    )


def test_a_pasted_page_is_shown_block_by_block_beside_its_text(tab: "Tab") -> None:
    frame = pasted(tab, NEWS)
    document = extract(NEWS)
    assert frame.locator(".block").count() == len(document.blocks)
    assert frame.locator(".block:not(.dropped)").count() == document.kept.sum()
    assert clean_text(frame).split() == f"{document.headline.text if document.headline else ''} {document.text}".split()


def test_the_keyboard_alone_is_enough(tab: "Tab") -> None:
    tab.locator("#html").focus()
    tab.keyboard.insert_text(NEWS)
    tab.keyboard.press("Control+Enter")
    frame = report(tab)
    tab.locator("#again").focus()
    places = []
    for _ in range(4):
        tab.keyboard.press("Tab")
        places.append(frame.evaluate("document.activeElement.type || document.activeElement.className"))
    assert places[0] == "range"
    assert "block" in places[2] or "block" in places[3]
    tab.keyboard.press("End")
    assert frame.locator("#detail .path").inner_text().startswith("/html/body")
    tab.locator("#again").focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "html"


def test_the_slider_acts_at_once_and_markdown_follows(tab: "Tab") -> None:
    frame = pasted(tab, NEWS)
    before = frame.locator(".block:not(.dropped)").count()
    slide(frame, 0.97)
    assert frame.locator(".block:not(.dropped)").count() > before
    frame.locator(".choice input[value=other]").check(force=True)
    wanted = Extractor(threshold=0.97).extract(NEWS).markdown()
    frame.wait_for_function("text => document.getElementById('other').textContent === text", arg=wanted)
    slide(frame, 0.2)
    wanted = Extractor(threshold=0.2).extract(NEWS).markdown()
    frame.wait_for_function("text => document.getElementById('other').textContent === text", arg=wanted)
    assert not frame.locator("#clean").is_visible()
    frame.locator(".choice input[value=clean]").check(force=True)
    assert frame.locator("#clean").is_visible()


def test_two_methods_are_compared_with_their_differences_marked(tab: "Tab") -> None:
    frame = pasted(tab, NEWS)
    tab.locator("#beside").select_option("bte")
    frame.wait_for_selector("main.two", state="attached")
    frame = report(tab)
    assert frame.locator("#clean .only1:not([hidden])").count() > 0
    frame.locator("#differing").check()
    assert 0 < frame.locator(".row:visible").count() < frame.locator(".row").count()


def test_another_method_is_used_at_once(tab: "Tab") -> None:
    frame = pasted(tab, NEWS)
    tab.locator("#method").select_option("alltext")
    frame.wait_for_function("() => document.querySelector('.tool h2')?.textContent.startsWith('alltext')")
    frame.wait_for_selector(".choice", state="attached")
    assert frame.locator(".block.dropped").count() == 0


def test_a_block_shows_its_score_path_and_reasons(tab: "Tab") -> None:
    frame = pasted(tab, NEWS)
    frame.locator(".block").nth(6).focus()
    wanted = Extractor(explain=True).extract(NEWS)
    assert wanted.because
    assert frame.locator("#detail .chip").inner_text().startswith(f"{wanted.scores.values[6]:.4f}")
    assert "/html/body" in frame.locator("#detail .path").inner_text()
    assert frame.locator("#detail .because li").count() == len(wanted.because[6]) > 0


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r"])
def test_a_dropped_file_keeps_its_bytes(tab: "Tab", charset: str) -> None:
    page = f"<meta charset={charset}><title>Т</title><p>Привет, мир: сегодня весь день шёл дождь."
    tab.evaluate(
        """bytes => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(bytes)], "rain.html", { type: "text/html" }));
          const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", options));
        }""",
        list(page.encode(charset)),
    )
    assert "весь день шёл дождь" in clean_text(report(tab))


def test_a_file_is_opened(tab: "Tab", tmp_path: Path) -> None:
    (tmp_path / "rain.html").write_text("<p>It rained all day, and nobody in the village went out.")
    tab.locator("#file").set_input_files(tmp_path / "rain.html")
    assert clean_text(report(tab)) == "It rained all day, and nobody in the village went out."


def test_every_example_is_shown(tab: "Tab") -> None:
    for name in ("News", "Forum", "Product", "Manual"):
        tab.get_by_role("button", name=name, exact=True).click()
        assert report(tab).locator(".block:not(.dropped)").count() > 3
        tab.get_by_role("button", name="Another page").click()


@pytest.mark.parametrize("name", formats.names())
def test_every_format_is_downloaded_at_the_threshold_of_the_slider(tab: "Tab", name: str) -> None:
    frame = pasted(tab, NEWS)
    slide(frame, 0.97)
    tab.locator("#format").select_option(name)
    with tab.expect_download() as found:
        tab.get_by_role("button", name="Download").click()
    wanted = Extractor(threshold=0.97).extract(NEWS.encode(), charset="utf-8").render(name)
    assert Path(found.value.path()).read_text(encoding="utf-8") == wanted
    assert found.value.suggested_filename.startswith("page.")


def test_what_is_kept_is_copied(browser: "Browser", running: Server) -> None:
    trouble: list[str] = []
    tab = opened(browser, running, trouble, permissions=["clipboard-read", "clipboard-write"])
    pasted(tab, NEWS)
    tab.locator("#format").select_option("text")
    tab.get_by_role("button", name="Copy").click()
    tab.get_by_role("button", name="Copied").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()") == extract(NEWS).text
    assert trouble == []


def test_problems_are_shown_and_go_away(browser: "Browser", running: Server) -> None:
    tab = opened(browser, running, [])
    tab.get_by_role("button", name="Extract").click()
    assert "Paste the HTML" in tab.get_by_role("alert").inner_text()
    tab.locator("#html").fill("x" * 1_100_000)
    tab.get_by_role("button", name="Extract").click()
    tab.get_by_text("expected at most 1,000,000 bytes").wait_for()
    assert tab.locator("#input").is_visible()
    pasted(tab, NEWS)
    assert not tab.get_by_role("alert").is_visible()


def test_a_server_that_has_gone_away_is_named(browser: "Browser") -> None:
    with server("--jobs", "1") as short:
        tab = opened(browser, short, [])
    tab.locator("#html").fill(NEWS)
    tab.get_by_role("button", name="Extract").click()
    tab.get_by_text("The server cannot be reached.").wait_for()


def test_a_key_is_asked_for_where_there_is_one(browser: "Browser") -> None:
    with server("--jobs", "1", DEHUSK_API_KEY="sesame") as locked:
        tab = browser.new_context(**DESKTOP).new_page()  # type: ignore[arg-type]
        tab.goto(f"{locked.address}/")
        tab.locator("#key").fill("sesame")
        tab.locator("#key").blur()
        tab.wait_for_selector("#method option:checked", state="attached")
        assert "rained" in clean_text(pasted(tab, "<p>It rained all day, and nobody in the village went out."))


def test_an_address_can_be_given_where_fetching_is_on(browser: "Browser", tab: "Tab") -> None:
    assert tab.locator("#url").count() == 0
    with server("--jobs", "1", "--fetch") as fetching:
        tab = opened(browser, fetching, [])
        tab.locator("#url").fill(f"{fetching.address}/")
        tab.get_by_role("button", name="Extract").click()
        tab.get_by_text("which is not public").wait_for()


SCRIPTS = (
    "<script>alert(1); document.title = 'owned'; fetch('/metrics')</script>",
    "<img src=x onerror=alert(2)><svg onload=alert(3)><body onload=alert(4)>",
    "<iframe srcdoc='<script>parent.alert(5)</script>'></iframe><object data=javascript:alert(6)></object>",
    "<link rel=stylesheet href=http://evil.example/a.css><img src=http://evil.example/b.png>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'><base href=http://evil.example/>",
    "<a href=javascript:alert(7)>click</a><form action=http://evil.example/><button>go</button></form>",
)


@pytest.mark.parametrize("method", ["alltext", "kernel"])
def test_a_hostile_page_runs_nothing_and_reaches_nothing(browser: "Browser", running: Server, method: str) -> None:
    trouble: list[str] = []
    tab = opened(browser, running, trouble)
    shown = "".join(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>{text}" for text in (*HOSTILE, *SCRIPTS))
    tab.locator("#method").select_option(method)
    frame = pasted(tab, f"<title>{HOSTILE[0]}</title>{shown}")
    frame.locator(".choice input[value=other]").check(force=True)
    frame.wait_for_function("() => document.getElementById('other').textContent !== ''")
    for number in range(0, frame.locator(".block").count(), 2):
        frame.locator(".block").nth(number).focus()
    tab.wait_for_timeout(300)
    assert trouble == []
    assert tab.title().startswith("dehusk")
    assert frame.locator("img, iframe, object, form, a, script:not([type])").count() == 0
    assert frame.evaluate("window.origin") == "null"
    assert len(tab.frames) == 2


def test_a_script_in_the_frame_could_not_reach_the_page(browser: "Browser", running: Server) -> None:
    tab = opened(browser, running, [])
    frame = pasted(tab, NEWS)
    reached = frame.evaluate("() => { try { return parent.document.title } catch (error) { return error.name } }")
    assert reached == "SecurityError"
    assert frame.evaluate("fetch('/metrics').then(() => 'reached', error => error.name)") == "TypeError"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(browser: "Browser", running: Server, size: dict[str, Any], scheme: str) -> None:
    skip_unless(AXE.exists(), "axe-core")
    tab = opened(browser, running, [], **{**size, "color_scheme": scheme})
    assert violations(tab.main_frame) == []
    tab.get_by_role("button", name="Extract").click()
    assert violations(tab.main_frame) == []
    frame = pasted(tab, NEWS)
    assert violations(tab.main_frame) == []
    assert violations(frame) == []
    frame.locator(".block").nth(3).focus()
    if size is PHONE:
        frame.get_by_role("button", name="Close").tap()
        frame.locator("[name=view][value=text]").check(force=True)
    frame.locator(".choice input[value=other]").check(force=True)
    frame.wait_for_function("() => document.getElementById('other').textContent !== ''")
    assert violations(frame) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")


def violations(frame: "Frame") -> list[str]:
    """Return what axe complains about."""
    frame.evaluate(AXE.read_text(encoding="utf-8"))
    found = frame.evaluate("axe.run(document, { iframes: false }).then(({ violations }) => violations)")
    return [f"{each['id']}: {json.dumps([node['html'][:200] for node in each['nodes']][:3])}" for each in found]
