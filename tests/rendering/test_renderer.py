"""Layouts in Chromium: what comes back, what a page cannot do, and what is left afterwards."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from dehusk import Page
from dehusk.processes import PROC, descendants
from dehusk.reasons import Code, Reason
from dehusk.rendering import Bounds, Layout, Live, LivePage, Photograph, Renderer
from dehusk.rendering.cache import Cache, photograph_all
from dehusk.rendering.chromium import find_chromium
from testing.processes import wait_for_end
from tests.golden import FOLDERS, PAGES
from tests.helpers.rendering import nothing_left, renderer

pytestmark = pytest.mark.slow

# Selectors that look through all that follows, for all that follows: minutes of work for few bytes.
HANGS = (
    "<style>"
    + "".join(f"i:has(~ b ~ i ~ b ~ i:nth-last-child({step}n+1)) {{color: red}}" for step in range(2, 60))
    + "</style>"
    + "<i></i><b></b>" * 20_000  # minutes, however fast the machine is
)
GROWS = "<p>x<script>const all = []; for (;;) all.push(new Array(1e6).fill(1.5))</script>"
CRASHED = Reason(Code.NOT_RENDERED, "the page crashed the browser")
TOO_SLOW = Reason(Code.TOO_SLOW, limit=20)
STYLED = "<link rel=stylesheet href=style.css><p id=box>Text</p>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Renderer]:
    with renderer() as found:
        yield found


def laid_out(browser: Renderer, html: str, folder: Path | None = None, path: str = "") -> Layout:
    found = browser.photograph(Photograph(html, str(folder) if folder else None, path))
    assert isinstance(found, Layout), found
    return found


def test_a_layout_is_a_picture_and_the_boxes_of_all_texts(browser: Renderer) -> None:
    page = Page.from_html("<h1>One</h1><p style='width:300px'>Two <b>three</b> and " + "more words " * 20)
    layout = laid_out(browser, page.html)
    assert layout.picture.shape == (768, 1024)
    leaf = layout.leaf_boxes(page)
    assert leaf is not None
    assert sorted(set(leaf.tolist())) == [0, 1, 2, 3]
    assert np.bincount(leaf).tolist()[:3] == [1, 1, 1]
    assert (leaf == 3).sum() > 3  # one box per line
    left, top, width, height = layout.box[0].round().astype(int)
    heading = layout.picture[top : top + height, left : left + width]
    assert heading.min() < 50  # letters are where the box is
    assert layout.picture[top : top + height, left + width + 5 :].min() > 200


def test_the_same_page_has_the_same_layout_and_survives_being_stored(browser: Renderer) -> None:
    html = (PAGES / "news-article" / "source.html").read_text(encoding="utf-8")
    one, two = laid_out(browser, html), laid_out(browser, html)
    stored = Layout.from_bytes(one.to_bytes())
    for other in (two, stored):
        assert np.array_equal(one.picture, other.picture)
        assert np.array_equal(one.box, other.box)
        assert np.array_equal(one.node, other.node)


def test_chromium_reads_golden_pages_as_we_do(browser: Renderer) -> None:
    pages = {folder.name: Page.from_bytes((folder / "source.html").read_bytes()) for folder in FOLDERS}
    differing = {name for name, page in pages.items() if laid_out(browser, page.html).leaf_boxes(page) is None}
    assert differing <= {"shadow-roots"}


def test_a_page_that_is_read_otherwise_has_no_boxes(browser: Renderer) -> None:
    layout = laid_out(browser, "<p>One<p>Two")
    assert layout.leaf_boxes(Page.from_html("<p>One<p>Three")) is None


def test_scripts_do_not_run_and_noscript_is_not_shown(browser: Renderer) -> None:
    html = "<p>Text<noscript>No scripts here</noscript><script>document.body.append('written')</script>"
    page = Page.from_html(html)
    layout = laid_out(browser, html)
    assert len(layout.digests) == 1
    assert layout.leaf_boxes(page) is not None


def test_style_sheets_and_pictures_come_from_the_folder_alone(browser: Renderer, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder, pixels in ((inside, 123), (outside, 321)):
        folder.mkdir()
        (folder / "style.css").write_text(f"#box {{ width: {pixels}px; background: black; color: black }}")
    (inside / "link.css").symlink_to(outside / "style.css")

    def width(html: str) -> int:
        dark = (laid_out(browser, html, inside, "page.html").picture < 50).any(axis=0)
        return int(dark.sum())

    assert width(STYLED) == 123
    assert width(STYLED.replace("style.css", "../outside/style.css")) < 100  # the letters only
    assert width(STYLED.replace("style.css", "%2e%2e/outside/style.css")) < 100
    assert width(STYLED.replace("style.css", "link.css")) < 100
    assert width(STYLED.replace("style.css", (outside / "style.css").as_uri())) < 100


def test_a_page_that_leads_elsewhere_stays(browser: Renderer) -> None:
    page = Page.from_html("<meta http-equiv=refresh content='0; url=http://127.0.0.1:1/'><p>Here")
    assert laid_out(browser, page.html).leaf_boxes(page) is not None


def test_very_long_pages_are_cut_off(browser: Renderer) -> None:
    assert laid_out(browser, "<p>Line<br>" * 3000).picture.shape == (12_000, 1024)


def test_a_page_that_hangs_is_cut_off_and_the_next_one_is_rendered() -> None:
    with nothing_left(), renderer(Bounds(seconds=3)) as browser:
        assert browser.photograph(Photograph(HANGS)) == Reason(Code.TOO_SLOW, limit=3)
        again = Bounds(seconds=120)
        browser._bounds = again
        assert isinstance(browser.photograph(Photograph("<p>Text")), Layout)
        assert browser.failures == {Code.TOO_SLOW: 1}


def test_a_page_that_kills_its_renderer_is_reported_and_the_next_one_is_rendered() -> None:
    with nothing_left() as before, renderer() as browser:
        assert isinstance(browser.photograph(Photograph("<p>Text")), Layout)
        # As a page does that finds a fault in Chromium, or all memory taken.
        crashed = threading.Event()
        killer = threading.Thread(target=_kill_renderers, args=[before, crashed])
        killer.start()
        reason = browser.photograph(Photograph(HANGS))
        crashed.set()
        killer.join()
        assert reason == CRASHED
        assert isinstance(browser.photograph(Photograph("<p>Text")), Layout)
        assert browser.failures == {Code.NOT_RENDERED: 1}


def _kill_renderers(before: set[int], crashed: threading.Event) -> None:
    while not crashed.wait(1.0):  # the page may not be in its renderer yet
        for process in set(descendants(os.getpid())) - before:
            with suppress(FileNotFoundError, ProcessLookupError):
                if b"--type=renderer" in (PROC / str(process) / "cmdline").read_bytes():
                    os.kill(process, signal.SIGKILL)


def test_a_page_whose_scripts_take_all_memory_costs_only_itself() -> None:
    with nothing_left(), renderer() as browser:
        reason = browser.run_scripts(Live(GROWS, seconds=60))
        assert isinstance(reason, Reason)
        # Whichever limit it meets first.
        assert reason == CRASHED or reason.code is Code.OUT_OF_MEMORY
        assert isinstance(browser.run_scripts(Live("<p>Text", seconds=100)), LivePage)


def test_a_page_over_the_memory_limit_is_cut_off() -> None:
    with nothing_left(), renderer(Bounds(seconds=120, memory=1)) as browser:
        assert str(browser.photograph(Photograph(HANGS))) == "out of memory: more than 1e-09 GB"


def test_a_browser_that_was_killed_between_two_pages_is_replaced() -> None:
    with nothing_left() as before, renderer() as browser:
        assert isinstance(browser.photograph(Photograph("<p>One")), Layout)
        for process in set(descendants(os.getpid())) - before:
            with suppress(ProcessLookupError):  # some end with their parents
                os.kill(process, signal.SIGKILL)
        reason = browser.photograph(Photograph("<p>Two"))
        assert isinstance(reason, Reason)
        assert reason.code is Code.WORKER_DIED
        assert isinstance(browser.photograph(Photograph("<p>Three")), Layout)


def test_nothing_is_left_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), nothing_left(), renderer() as browser:
        raise ZeroDivisionError(browser.photograph(Photograph("<p>One")))


PROGRAM = """
import sys
from dehusk.rendering import Photograph, Renderer, Bounds
with Renderer(Bounds(seconds=600)) as browser:
    browser.photograph(Photograph("<p>Text"))
    print("begun", flush=True)
    browser.photograph(Photograph(sys.stdin.read()))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_after_a_signal_in_the_middle_of_a_page(how: signal.Signals) -> None:
    with renderer():  # skips where there is none
        pass
    child = subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True)
    assert child.stdin
    assert child.stdout
    assert child.stdout.readline() == "begun\n"
    child.stdin.write(HANGS)
    child.stdin.close()
    time.sleep(0.5)
    below = descendants(child.pid)
    assert len(below) > 3
    child.send_signal(how)
    child.wait()
    child.stdout.close()
    wait_for_end(below)  # where the parent could do nothing, its children notice that it is gone


ASKS = """
<link rel=stylesheet href=http://styles.example.com/a.css><link rel=icon href=http://icons.example.com/i.png>
<link rel=preconnect href=https://connect.example.com><link rel=dns-prefetch href=//names.example.com>
<link rel=prefetch href=http://ahead.example.com/><link rel=preload as=font href=http://fonts.example.com/f.woff2>
<style>@import "http://imports.example.com/b.css"; @font-face { font-family: f; src: url(http://8.8.8.8/f.woff) }
p { font-family: f; background: url(http://192.0.2.7/b.png) }</style>
<img src=http://pictures.example.com/p.png><iframe src=http://frames.example.com/></iframe>
<object data=http://objects.example.com/o></object><video src=http://videos.example.com/v autoplay></video>
<script src=http://scripts.example.com/s.js></script><p>Text that is shown
<script>
new WebSocket("ws://sockets.example.com/"); new EventSource("http://events.example.com/");
fetch("http://8.8.4.4/data").catch(() => 0); navigator.sendBeacon("http://beacons.example.com/", "x");
const peer = new RTCPeerConnection({iceServers: [{urls: "stun:stun.example.com:3478"}]});
peer.createDataChannel("c"); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
new Worker(URL.createObjectURL(new Blob(["fetch('http://workers.example.com/')"])));
window.open("http://windows.example.com/"); location = "http://elsewhere.example.com/";
</script>
"""
# What Chromium notes of the network: a name that it looks up, an address that it connects to, data that it sends.
NAMES, CONNECTIONS, SENT = "HOST_RESOLVER_MANAGER_REQUEST", "TCP_CONNECT_ATTEMPT", "UDP_BYTES_SENT"
REQUESTS = "URL_REQUEST_START_JOB"


def test_no_address_outside_the_machine_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with renderer():  # skips where there is none
        log, program = tmp_path / "net-log.json", tmp_path / "chromium"
        program.write_text(f'#!/bin/sh\nexec {find_chromium()} "$@" --log-net-log={log}\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with renderer() as browser:
        assert isinstance(browser.photograph(Photograph(ASKS)), Layout)
        live = browser.run_scripts(Live(ASKS, seconds=60))
    assert isinstance(live, LivePage)
    assert {url for url, _ in live.refused} >= {"http://scripts.example.com/s.js", "http://8.8.4.4/data"}
    notes = json.loads(log.read_text(encoding="utf-8", errors="replace"))
    kinds = {number: name for name, number in notes["constants"]["logEventTypes"].items()}
    assert {NAMES, CONNECTIONS, SENT, REQUESTS} <= set(kinds.values()), "named otherwise: this test would see nothing"
    seen: dict[str, set[str]] = {name: set() for name in kinds.values()}
    for event in notes["events"]:
        told = event.get("params", {})
        found = told.get("host") or told.get("address") or told.get("url") or told.get("byte_count")
        seen[kinds[event["type"]]] |= {str(found)} if found else set()
    nobody = "127.0.0.1:9"  # where no one listens
    assert seen[CONNECTIONS] <= {nobody}
    assert {name.rpartition("/")[2] for name in seen[NAMES]} <= {"~notfound", nobody}
    assert seen[SENT] == set()
    assert [url for url in seen[REQUESTS] if "example" in url or "8.8" in url] == []  # all were intercepted


def test_what_was_rendered_is_in_the_cache_and_what_failed_is_not_tried_again(
    browser: Renderer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, tasks = Cache(tmp_path), [Photograph("<p>One"), Photograph("<p>Two")]
    assert list(photograph_all(tasks, browser, cache)) == [None, None]
    monkeypatch.setattr(browser, "photograph", lambda task: TOO_SLOW)
    assert list(photograph_all([*tasks, Photograph("<p>Three")], browser, cache)) == [None, None, TOO_SLOW]
    assert list(photograph_all([Photograph("<p>Three")], browser, cache)) == [None]
    assert [cache.load(html) is None for html in ("<p>One", "<p>Two", "<p>Three", "<p>Four")] == [
        False,
        False,
        True,
        True,
    ]
