"""Traces: what the stages of the kernel compute of a page, in plain values; from Python, from Chromium and from Node.

`web/kernel/src/trace.ts` has the same keys. Offsets count code points on both sides.
"""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dehusk import Extractor, Page
from dehusk.methods.kernel import Kernel
from dehusk.methods.kernel.features import NAMES, page_features
from testing.chromium import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Route

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "build" / "web" / "testing.js"
HOST = "http://dehusk.test/"
# Scripting is on, as for any page, so that `noscript` is text; but no script runs, and nothing else is loaded.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SCORE_TOLERANCE = 1e-3
FEATURE_TOLERANCE = 1e-4

Trace = dict[str, Any]


def python_trace(page: Page, *, features: bool = True) -> Trace:
    """Return the trace of a page."""
    document = Extractor().extract(page)
    leaves, blocks, scores = page.leaves, document.blocks, document.scores
    verdict, comments = scores.verdict, scores.comments
    assert verdict is not None
    assert comments is not None
    columns = (leaves.start, leaves.end, leaves.element, leaves.opened, leaves.gap, leaves.state)
    cut = (blocks.start, blocks.end, blocks.owner, blocks.link_chars, blocks.hidden.astype(int))
    matrix = (
        page_features(page, blocks, Kernel.shipped().vocabulary).matrix if features and len(blocks) else np.zeros(0)
    )
    return {
        "text": page.text,
        "elements": page.elements.tag,
        "leaves": [column.tolist() for column in columns],
        "blocks": [column.tolist() for column in cut],
        "scores": scores.values.tolist(),
        "kind": verdict.kind,
        "confidence": verdict.confidence,
        "comments": comments.astype(int).tolist(),
        "kept": document.kept.astype(int).tolist(),
        "written": document.text,
        "features": matrix.ravel().tolist(),
    }


def differences(python: Trace, other: Trace) -> list[str]:
    """Return in which respects two traces differ; scores and features may differ by rounding."""
    if python["text"] != other["text"]:
        return [f"text: {_first_difference(python['text'], other['text'])}"]
    found = [key for key in ("elements", "leaves", "blocks", "kept", "comments", "kind") if python[key] != other[key]]
    if python["written"] != other["written"]:
        found.append(f"written: {_first_difference(python['written'], other['written'])}")
    if not np.allclose(python["scores"], other["scores"], rtol=0, atol=SCORE_TOLERANCE):
        found.append("scores")
    if abs(python["confidence"] - other["confidence"]) > SCORE_TOLERANCE:
        found.append("confidence")
    if python["features"] and other["features"]:
        apart = np.abs(np.array(python["features"]) - np.array(other["features"])).reshape(len(NAMES), -1).max(axis=1)
        found += [f"feature {name}" for name, worst in zip(NAMES, apart, strict=True) if worst > FEATURE_TOLERANCE]
    return found


def furthest_score(python: Trace, other: Trace) -> float:
    """Return by how much the scores of two traces differ at most."""
    pairs = zip(python["scores"], other["scores"], strict=False)
    return max((abs(one - two) for one, two in pairs), default=0.0)


def node_traces(pages: Sequence[str]) -> list[Trace]:
    """Return the traces of markup that Node parses with jsdom."""
    script = Path(__file__).parent / "traces.mjs"
    result = subprocess.run(
        ["node", script, BUNDLE], input=json.dumps(list(pages)), capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    traces: list[Trace] = json.loads(result.stdout)
    return traces


class Reader:
    """A page in Chromium that reads others, each in a frame."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_page()
        self._html = ""
        self.page.route("**/*", self._answer)
        self.page.goto(HOST)
        self.page.add_script_tag(path=str(BUNDLE))

    def trace(self, html: str, *, features: bool = True) -> Trace:
        """Return the trace of a page, as Chromium parses it."""
        trace: Trace = self.evaluate(html, f"(document) => dehusk.trace(document, {{}}, {json.dumps(features)})")
        return trace

    def evaluate(self, html: str, function: str) -> Any:
        """Return what a function in JavaScript makes of a page."""
        self._html = html
        return self.page.evaluate(
            f"""async () => {{
                for (const old of document.querySelectorAll("iframe")) old.remove();
                const frame = document.createElement("iframe");
                document.body.append(frame);
                await new Promise((done) => {{ frame.onload = done; frame.src = "/read"; }});
                return ({function})(frame.contentDocument);
            }}"""
        )

    def _answer(self, route: "Route") -> None:
        markup = {"content-type": "text/html; charset=utf-8"}
        if route.request.url == HOST:
            route.fulfill(body="<!doctype html><title>Reader</title>", headers=markup)
        elif route.request.url == f"{HOST}read":
            route.fulfill(body=self._html, headers={**markup, "content-security-policy": POLICY})
        else:
            route.abort()


@contextmanager
def reader() -> Iterator[Reader]:
    """Yield a reader in a browser of its own."""
    with chromium() as browser:
        yield Reader(browser)


def _first_difference(one: str, other: str) -> str:
    place = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    here = slice(max(place - 20, 0), place + 20)
    return f"at {place}, {one[here]!r} and {other[here]!r}"
