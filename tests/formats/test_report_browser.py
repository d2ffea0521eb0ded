"""The report in Chromium: the threshold, the keyboard, two methods, phones, paper."""

from collections.abc import Iterator
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from dehusk import Extractor, Scores
from dehusk.assemble import assemble
from dehusk.block_locations import BlockLocations
from dehusk.formats.report import render
from dehusk.reasons import Code, Reason
from dehusk.selection import HeadlineChoice, decided_by_rule
from testing.chromium import chromium
from tests.formats.report_pages import HOSTILE, hostile, scored
from tests.golden import PAGES, document
from tests.helpers.cuts import by_leaf
from tests.helpers.methods import Talkative

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

GOLDEN = ("news-article", "forum-thread", "product-page", "docs-code-tables", "arabic-rtl")


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as running:
        yield running


def opened(browser: "Browser", folder: Path, html: str, **options: Any) -> "Tab":
    """Open a report, which must not log anything, request anything or fail."""
    tab, trouble = watched(browser, folder, html, **options)
    assert trouble == []
    return tab


def watched(browser: "Browser", folder: Path, html: str, **options: Any) -> tuple["Tab", list[str]]:
    """Open a report; return also a list of whatever it logs, requests or fails at, now or later."""
    path = folder / "report.html"
    path.write_text(html, encoding="utf-8")
    tab = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options}).new_page()
    trouble: list[str] = []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.on("dialog", lambda dialog: trouble.append(dialog.message))
    tab.on("request", lambda request: trouble.append(request.url) if request.url != path.as_uri() else None)
    tab.goto(path.as_uri())
    return tab, trouble


def slide(tab: "Tab", threshold: float, number: int = 0) -> None:
    slider = tab.locator("input[type=range]").nth(number)
    slider.evaluate(
        "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')) }", f"{threshold:.2f}"
    )


def marked(tab: "Tab", method: str) -> list[str]:
    """Return what one method alone keeps, of the clean text."""
    return [text.strip() for text in tab.locator(f"#clean .{method}:not([hidden])").all_text_contents()]


def clean_text(tab: "Tab") -> str:
    # Not innerText, here and above: a browser may not have worked it out for lines that are out of sight.
    found: str = tab.evaluate(
        "[...document.querySelectorAll('#clean p:not([hidden])')].map(line => [...line.children]"
        ".filter(piece => !piece.hidden).map(piece => piece.textContent).join('').trim()).join('\\n')"
    )
    return found


def counts(tab: "Tab", number: int = 0) -> list[int]:
    return [int(text.replace(",", "")) for text in tab.locator(f"#count{number} b").all_inner_texts()]


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_the_slider_keeps_what_the_threshold_keeps(browser: "Browser", tmp_path: Path, name: str) -> None:
    page = document(PAGES / name, "kernel")
    rules = decided_by_rule(page.blocks, page.scores, page.threshold, page.selection)
    fixed = {number: nan if page.kept[number] else 1.0 for number in rules}  # no threshold moves these
    values = np.array([fixed.get(number, value) for number, value in enumerate(page.scores.values.tolist())])
    tab = opened(browser, tmp_path, render(page))
    seen = set()
    for threshold in (0.5, 0.2, 0.93, 0.0, 1.0, 0.5):
        slide(tab, threshold)
        wanted = assemble(page.page, page.blocks, replace(page.scores, values=values), threshold)
        assert words(clean_text(tab)) == words(replace(wanted, selection=page.selection).text)
        assert counts(tab)[1] == wanted.kept.sum() == tab.locator(".block:not(.dropped)").count()
        seen.add(counts(tab)[0])
    assert len(seen) >= 3


@pytest.mark.slow
def test_the_slider_moves_by_keyboard_and_the_kept_words_change(browser: "Browser", tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, render(scored("<p>one<p>two three<p>four", 0.2, 0.505, 0.8)))
    assert counts(tab) == [1, 1]
    slider = tab.locator("input[type=range]")
    slider.focus()
    tab.keyboard.press("ArrowRight")
    assert counts(tab) == [3, 2]
    assert clean_text(tab) == "one\ntwo three"
    assert slider.get_attribute("aria-valuetext") == "0.51: 3 of 4 words kept"
    tab.keyboard.press("End")
    assert counts(tab) == [4, 3]
    tab.keyboard.press("Home")
    assert counts(tab) == [0, 0]
    assert "Nothing is kept" in tab.locator("#clean").evaluate("node => getComputedStyle(node, '::before').content")


@pytest.mark.slow
def test_unscored_blocks_and_requested_comments_stay(browser: "Browser", tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, render(scored("<p>one<p>two", nan, 0.3)))
    slide(tab, 0.0)
    assert clean_text(tab) == "one"
    talk = Extractor(Talkative(), comments=True).extract("<p>Menu<p>Text<p>Reader, I left")
    tab = opened(browser, tmp_path, render(talk))
    assert clean_text(tab) == talk.text == "Text\nReader, I left"
    slide(tab, 0.0)
    assert clean_text(tab) == "Reader, I left"


@pytest.mark.slow
def test_the_clean_text_begins_with_the_title(browser: "Browser", tmp_path: Path) -> None:
    page = document(PAGES / "news-article", "kernel")
    assert page.headline
    tab = opened(browser, tmp_path, render(page))
    first = tab.locator("#clean p:not([hidden])").first
    assert first.text_content() == page.headline.text
    slide(tab, 1.0)  # now the block is kept, in its place
    assert tab.locator("#clean p:not([hidden])", has_text=page.headline.text).count() == 1
    slide(tab, 0.0)
    assert tab.locator("#clean p:not([hidden])").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("choice", "fate"), [("keep", "kept"), ("drop", "dropped")])
def test_a_headline_that_was_asked_for_or_not_stays_so(
    browser: "Browser", tmp_path: Path, choice: HeadlineChoice, fate: str
) -> None:
    page = Extractor(headline=choice).extract((PAGES / "news-article" / "source.html").read_bytes())
    assert page.headline
    tab = opened(browser, tmp_path, render(page))
    for threshold in (0.3, 1.0, 0.5):
        slide(tab, threshold)
        assert (page.headline.text in clean_text(tab)) == (choice == "keep")
    tab.locator(".block.heading.level1", has_text=page.headline.text).hover()
    verdict = tab.locator("#detail .verdict").inner_text()
    assert verdict.endswith(f"{fate} at 0.50, since it is the headline (--headline {choice})")


@pytest.mark.slow
def test_words_that_a_cut_runs_through_stay_whole(browser: "Browser", tmp_path: Path) -> None:
    html = "<p>A w<b>or</b>d, <i>and</i> <b>mo😀re</b>!<p>Un<b>do</b>ne"
    scores = [0.1, 0.6, 0.3, 0.9, 0.2, 0.7, 0.9, 0.4, 0.8]
    tab = opened(browser, tmp_path, render(by_leaf(html, scores)))
    for threshold in (0.5, 0.05, 0.25, 0.65, 0.85, 1.0):
        slide(tab, threshold)
        assert words(clean_text(tab)) == words(by_leaf(html, scores, threshold).text)


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_a_focused_block_shows_its_xpath(browser: "Browser", tmp_path: Path, name: str) -> None:
    page = document(PAGES / name, "alltext")
    tab = opened(browser, tmp_path, render(page))
    paths = tab.evaluate(
        "[...document.querySelectorAll('.block')]"
        ".map(block => { block.focus(); return document.querySelector('#detail .path').textContent })"
    )
    locations = BlockLocations(page.page, page.blocks)
    assert paths == [locations.xpath(number) for number in range(len(page.blocks))]


@pytest.mark.slow
def test_a_block_shows_its_score_letter_kind_and_reasons(browser: "Browser", tmp_path: Path) -> None:
    page = "<ul><li hidden>Menu</ul><p>It rains.<p>Reader, I left"
    tab = opened(browser, tmp_path, render(Extractor(Talkative(), explain=True).extract(page)))
    tab.locator(".block").nth(0).hover()
    detail = tab.locator("#detail").inner_text()
    for fact in ("0.9700 j", "dropped at 0.50", "list item, depth 1; hidden on the page", "block 1 of 3, 1 word"):
        assert fact in detail
    assert tab.locator(".because .against").all_inner_texts() == ["1 words", "it is a menu"]
    tab.locator(".block").nth(2).hover()
    assert "a reader's comment" in tab.locator("#detail").inner_text()
    slide(tab, 0.9)
    assert "kept at 0.90" in tab.locator("#detail").inner_text()
    tab = opened(browser, tmp_path, render(Extractor(Talkative()).extract(page)))
    tab.locator(".block").nth(1).focus()
    assert "--explain" in tab.locator("#detail").inner_text()


@pytest.mark.slow
def test_blocks_are_walked_by_keyboard(browser: "Browser", tmp_path: Path) -> None:
    page = scored("<p>one<p>two<p>three", 0.2, 0.4, 0.8)
    beside = assemble(page.page, page.blocks, Scores(page.blocks, np.array([0.2, 0.6, 0.8]), "other"))
    tab = opened(browser, tmp_path, render(page, beside=beside))

    def at() -> str:
        found: str = tab.evaluate("(({cut, block}) => `${cut}:${block}`)(document.activeElement.dataset)")
        return found

    tab.locator("#differing").focus()
    walked = []
    for key in ("Tab", "ArrowDown", "ArrowRight", "End", "ArrowDown", "ArrowUp", "ArrowLeft", "Home"):
        tab.keyboard.press(key)
        walked.append(at())
    assert walked == ["0:0", "0:1", "1:1", "1:2", "1:2", "1:1", "0:1", "0:0"]
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.id") == "clean"
    tab.keyboard.press("Shift+Tab")
    assert at() == "0:0"
    assert tab.locator(".block:focus").get_attribute("aria-describedby") == "detail"


@pytest.mark.slow
def test_two_methods_are_shown_side_by_side(browser: "Browser", tmp_path: Path) -> None:
    html = "<p>It <b>rains</b> again.<p>Menu<p>Imprint"
    page = scored(html, 0.1, 0.9, 0.2)
    beside = by_leaf(html, [0.1, 0.9, 0.2, 0.9, 0.9])
    tab = opened(browser, tmp_path, render(page, beside=beside))
    assert tab.locator(".row").count() == 3
    assert tab.locator(".row").nth(0).locator(".cut1 .block").count() == 3
    assert marked(tab, "only0") == ["rains", "Imprint"]
    assert (counts(tab), counts(tab, 1)) == ([4, 2], [2, 2])
    tab.locator("#differing").check()
    assert tab.locator(".row:visible").count() == 2
    slide(tab, 1.0, 1)
    assert tab.locator(".row:visible").count() == 1
    assert marked(tab, "only1") == ["Menu"]
    tab.locator("#differing").focus()
    tab.keyboard.press("Tab")  # comes to a block that is shown, as the first no longer is
    assert tab.locator(".block:focus").text_content() == "Menu"


@pytest.mark.slow
@pytest.mark.parametrize("two", [False, True])
def test_hostile_pages_run_nothing_and_request_nothing(browser: "Browser", tmp_path: Path, two: bool) -> None:
    page = hostile()
    tab, trouble = watched(browser, tmp_path, render(page, beside=page if two else None))
    slide(tab, 0.3)
    for number in range(0, tab.locator(".block").count(), 3):
        tab.locator(".block").nth(number).focus()
    tab.wait_for_timeout(300)
    assert trouble == []
    assert tab.locator("img, iframe, svg[onload], a, script:not([type])").count() == 0
    assert HOSTILE[0] in (tab.locator(".block").nth(0).text_content() or "")
    assert tab.locator("#detail .because").count() == 1


CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (color, under) => {
    for (const fill of [under, color]) { canvas.fillStyle = fill; canvas.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(
      value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (node, pseudo) => {
    let under = node;
    while (getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)') under = under.parentElement;
    const back = getComputedStyle(under).backgroundColor;
    const [low, high] = [light(getComputedStyle(node, pseudo).color, back), light(back, back)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  const texts = `.block, .count, .count b, .count output, h1, h2, .soft, .letters span, dt, dd, .chip, .only0, .only1,
    .notice, #clean p, .views span`;
  for (const node of document.querySelectorAll(texts)) {
    found.push([node.className || node.tagName, ratio(node)]);
    if (node.matches('.block')) found.push([node.className + ' score', ratio(node, '::after')]);
  }
  return found.filter(([, ratio]) => ratio < 4.5);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_the_contrast_of_aa(browser: "Browser", tmp_path: Path, scheme: str) -> None:
    html = "".join(f"<p>Block {number}" for number in range(21))
    values = [number / 20 for number in range(21)]
    page, other = scored(html, *values), scored(html, *reversed(values), name="other")
    page = replace(page, reason=Reason(Code.NO_TEXT))
    tab = opened(browser, tmp_path, render(page, beside=other), color_scheme=scheme)
    tab.locator(".block").nth(4).focus()
    assert tab.evaluate(CONTRAST) == []
    slide(tab, 1.0)
    assert tab.evaluate(CONTRAST) == []
    slide(tab, 0.0)
    assert tab.evaluate(CONTRAST) == []


@pytest.mark.slow
def test_a_phone_shows_one_thing_at_a_time_and_never_scrolls_sideways(browser: "Browser", tmp_path: Path) -> None:
    page = document(PAGES / "docs-code-tables", "kernel")
    html = render(page, beside=Extractor("bte").extract(page.page))
    tab = opened(browser, tmp_path, html, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    assert not tab.locator("#clean").is_visible()
    assert not tab.locator("#detail").is_visible()
    assert not tab.locator(".block[data-cut='1']").nth(0).is_visible()
    tab.locator(".block[data-cut='0']").nth(2).tap()
    assert tab.locator("#detail .path").is_visible()
    tab.get_by_role("button", name="Close").tap()
    assert not tab.locator("#detail").is_visible()
    for view in ("cut1", "text", "cut0"):
        tab.locator(f"[name=view][value={view}]").check(force=True)
        assert tab.locator("#clean").is_visible() == (view == "text")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_all_blocks_and_all_of_the_text_are_printed(browser: "Browser", tmp_path: Path) -> None:
    page = document(PAGES / "news-article", "kernel")
    tab = opened(browser, tmp_path, render(page))
    tab.emulate_media(media="print")
    assert tab.locator(".block:visible").count() == len(page.blocks)
    assert words(clean_text(tab)) == words(page.text)
    heights = tab.evaluate(
        "['blocks', 'clean'].map(id => document.getElementById(id)).map(n => n.scrollHeight - n.clientHeight)"
    )
    assert heights == [0, 0]


def seconds_per_move(browser: "Browser", folder: Path, blocks: int) -> float:
    """Return the CPU time that the page's thread needs when the threshold moves, on a page of so many blocks."""
    html = "".join(
        f"<p>Block {number} of a long page, with some words in it to be laid out." for number in range(blocks)
    )
    tab = opened(browser, folder, render(scored(html, *np.random.default_rng(0).random(blocks))))
    thresholds = (0.51, 0.52, 0.5, 0.45, 0.4, 0.41, 0.5, 0.6, 0.55)
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])

    start = spent()
    for threshold in thresholds:
        slide(tab, threshold)
        tab.evaluate("document.getElementById('clean').scrollHeight + document.getElementById('blocks').scrollHeight")
    return (spent() - start) / len(thresholds)


@pytest.mark.slow
def test_a_long_page_follows_the_slider(browser: "Browser", tmp_path: Path) -> None:
    # CPU time, with room for a busy machine: measured were 0.015 and 0.056 seconds at a load of six on two cores.
    short, long = (min(seconds_per_move(browser, tmp_path, blocks) for _ in range(3)) for blocks in (300, 3000))
    assert long < 20 * short
    assert long < 0.25
