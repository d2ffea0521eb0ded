"""--render: pages that their own scripts write, for which nothing is fetched that the fetcher would not fetch."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from dehusk import Limits, Page
from dehusk.reasons import Code, Reason
from dehusk.rendering.cache import Cache
from dehusk.sources import RawPage
from dehusk.sources.in_browser import after_scripts, fetch_part, laid_out
from tests.cli.conftest import Run
from tests.golden import PAGES
from tests.helpers.rendering import nothing_left, renderer
from tests.helpers.web import web

LONG = "The first cut of hay was late this year, since June was wet, and the river was high for weeks."
OTHER = "In the end the hay was cut by hand, on the first dry day of July, and dried on racks as it was long ago."
WRITTEN = f"""<!doctype html><title>Late hay</title><noscript>Please enable JavaScript.</noscript><div id=root></div>
<script>setTimeout(() => root.innerHTML = "<main><h1>Late hay</h1><p>{LONG}<p>{OTHER}</main>", 200)</script>"""
NEVER = f"<p>{LONG}</p><script>document.body.append('{OTHER}'); for (;;) {{}}</script>"
APP = f"""
addEventListener("DOMContentLoaded", async () => {{
    const plan = await (await fetch("/api/plan.json")).json();
    document.getElementById("splash").remove();
    document.getElementById("root").innerHTML = `<main><h1>${{plan.title}}</h1><p>{LONG}</p><p>{OTHER}</p></main>`;
}});"""


@contextmanager
def site(answers: dict[str, tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Run a server on this machine; yield its address and what it is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            kind, body = answers.get(self.path, ("text/plain", ""))
            self.send_response(200 if self.path in answers else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


def run_scripts(page: RawPage) -> RawPage:
    with renderer():  # skips where there is none
        pass
    return next(after_scripts([page], Limits()))


@pytest.mark.slow
def test_a_page_that_its_script_writes_has_text(dehusk: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(WRITTEN, encoding="utf-8")
    with renderer():
        pass
    with nothing_left():
        assert dehusk("extract", "--render", str(path)) == (0, f"Late hay\n{LONG}\n{OTHER}\n", "")
    status, output, _ = dehusk("strip", "--render", str(path))
    assert (status, output) == (0, f"Late hay\n{LONG}\n{OTHER}\n")  # nothing of what is for those without scripts
    status, output, message = dehusk("extract", str(path))
    assert (status, output.strip()) == (0, "")
    assert message == f"dehusk: {path}: no main text; its scripts may write it: try --render\n"


@pytest.mark.slow
def test_a_page_that_never_stops_is_stopped_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.in_browser.SCRIPT_SECONDS", 2.0)
    page = run_scripts(RawPage("page.html", NEVER))
    assert str(page.notice) == "its scripts did not end within 2 s and were stopped"
    assert LONG in str(page.data)
    assert OTHER in str(page.data).partition("</script>")[2]  # what was written before
    restless = run_scripts(
        RawPage("page.html", f"<p>{LONG}<script>setInterval(() => document.body.append('.'), 50)</script>")
    )
    assert str(restless.notice) == "its scripts did not end within 2 s and were stopped"


@pytest.mark.slow
def test_for_a_file_nothing_is_fetched() -> None:
    with site({"/a.js": ("text/javascript", "document.body.append('fetched')")}) as (address, asked):
        page = run_scripts(RawPage("page.html", f"<p>{LONG}<script src={address}/a.js></script>", url=f"{address}/"))
    assert asked == []
    assert str(page.notice) == f"1 request refused to {address}/a.js (nothing is fetched for a file)"


@pytest.mark.slow
def test_scripts_of_a_public_page_cannot_reach_a_private_network() -> None:
    asks = "<p>Text<script>fetch('{0}/secret'); import('{0}/a.js')</script>"
    with site({"/secret": ("text/plain", "secret")}) as (address, asked):
        page = run_scripts(RawPage("http://site.test/", asks.format(address), url="http://site.test/"))
        assert asked == []
        refused = fetch_part(False, f"{address}/secret")
        assert asked == []
        allowed = fetch_part(True, f"{address}/secret")
    assert str(page.notice).startswith("2 requests refused, the first to ")
    assert "127.0.0.1 has the address 127.0.0.1, which is not public" in str(page.notice)
    assert isinstance(refused, Reason)
    assert "not public" in str(refused)
    assert allowed == ("text/plain", b"secret")


@pytest.mark.slow
def test_the_golden_page_of_an_app_has_text(dehusk: Run) -> None:
    """Its scripts are not part of the golden page; these stand in for them."""
    source = (PAGES / "javascript-only" / "source.html").read_text(encoding="utf-8")
    answers = {
        "/": ("text/html; charset=utf-8", source),
        "/static/js/main.5f1ab.js": ("text/javascript", APP),
        "/api/plan.json": ("application/json", '{"title": "Late hay"}'),
    }
    with renderer():
        pass
    with site(answers) as (address, asked):
        status, output, message = dehusk("extract", "--render", "--allow-private", f"{address}/")
        assert (status, output) == (0, f"Late hay\n{LONG}\n{OTHER}\n")
        # A public page must not be able to reach this machine, and example.com is not on it.
        assert "requests refused" in message
        assert set(asked) == {"/", "/static/js/main.5f1ab.js", "/static/js/runtime.0d9e.js",
                              "/static/js/vendors.71ce4.js", "/api/plan.json"}  # fmt: skip
        status, _, message = dehusk("extract", "--render", f"{address}/")
        assert status == 1
        assert "not public" in message


@pytest.mark.slow
def test_a_page_that_cannot_be_laid_out_goes_on_with_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with renderer():
        pass
    monkeypatch.setattr("dehusk.rendering.Renderer.photograph", lambda self, task: Reason(Code.TOO_SLOW, limit=20))
    (page,) = laid_out([RawPage("page.html", "<p>Text")], Limits())
    assert str(page.notice) == "not rendered (took longer than 20 s), so scored without visual features"
    assert page.data == "<p>Text"


@pytest.mark.slow
def test_a_layout_is_where_a_method_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with renderer():
        pass
    (page,) = laid_out([RawPage("page.html", b"<p>Gr\xfc\xdfe", charset="latin-1")], Limits())
    assert page.notice is None
    assert Cache.usual().load(Page.from_bytes(b"<p>Gr\xfc\xdfe", charset="latin-1").html) is not None


def test_what_the_fetcher_fetches_says_its_type_and_whether_it_is_private() -> None:
    with web() as address:
        assert fetch_part(True, f"{address}/charset") == (
            "text/html; charset=windows-1251",
            "<p>Привет, мир".encode("cp1251"),
        )
        assert fetch_part(True, f"{address}/missing") == Reason(Code.HTTP_STATUS, "Not Found", seen=404)
