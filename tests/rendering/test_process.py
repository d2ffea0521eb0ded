"""The rendering process, with another program in place of Chromium: what becomes of a page that it does not survive."""

import os
from collections.abc import Iterator

import pytest

from dehusk.processes import descendants
from dehusk.reasons import Code, Reason
from dehusk.rendering import Bounds, Live, LivePage, Renderer, renderer
from tests.helpers.rendering import nothing_left


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[Renderer]:
    monkeypatch.setattr(renderer, "require_rendering", lambda purpose: None)
    monkeypatch.setattr(renderer, "PROGRAM", "tests.helpers.stand_in_browser")
    monkeypatch.setattr(renderer, "GRACE", 0.5)
    with nothing_left(), Renderer(Bounds(memory=250_000_000)) as found:
        yield found


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("wait 600", Code.TOO_SLOW),
        ("stop", Code.TOO_SLOW),
        ("grow", Code.OUT_OF_MEMORY),
        ("exit 7", Code.WORKER_DIED),
        ("fork", Code.WORKER_DIED),
        ("crash", Code.NOT_RENDERED),
    ],
)
def test_a_page_that_ends_the_browser_has_its_reason_and_the_next_page_another_browser(
    browser: Renderer, page: str, code: Code
) -> None:
    assert browser.run_scripts(Live("a", seconds=60)) == LivePage("a")
    reason = browser.run_scripts(Live(page, seconds=60 if page == "grow" else 1))
    assert isinstance(reason, Reason)
    assert reason.code is code
    assert browser.run_scripts(Live("b", seconds=60)) == LivePage("b")
    assert browser.failures == {code: 1}


def test_a_browser_that_was_killed_between_two_pages_is_replaced_after_the_first(browser: Renderer) -> None:
    before = set(descendants(os.getpid()))
    assert browser.run_scripts(Live("a", seconds=60)) == LivePage("a")
    for process in set(descendants(os.getpid())) - before:
        os.kill(process, 9)
    assert browser.run_scripts(Live("b", seconds=60)) == Reason(Code.WORKER_DIED, "0.25 GB", limit=250_000_000, seen=-9)
    assert browser.run_scripts(Live("c", seconds=60)) == LivePage("c")
