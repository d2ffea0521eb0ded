"""Layouts without a browser: what is read from a snapshot, how they are stored, and where Chromium is found."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dehusk import Page
from dehusk.errors import UsageError
from dehusk.rendering import Layout, Photograph, Renderer, chromium
from dehusk.rendering.cache import Cache

PICTURE = np.full((30, 40), 255, np.uint8)


def snapshot(nodes: list[tuple[int, str, str]], boxes: list[tuple[int, list[float]]]) -> dict[str, Any]:
    """Return a snapshot of nodes (parent, name, text), with boxes of some of them."""
    strings = sorted({text for _, name, text in nodes for text in (name, text)})
    number = {text: place for place, text in enumerate(strings)}
    none: dict[str, list[int]] = {"index": [], "value": []}
    columns = {
        "parentIndex": [parent for parent, _, _ in nodes],
        "nodeType": [3 if name == "#text" else 1 for _, name, _ in nodes],
        "nodeName": [number[name] for _, name, _ in nodes],
        "nodeValue": [number[text] for _, _, text in nodes],
        "pseudoType": none,
        "shadowRootType": none,
    }
    layout = {"nodeIndex": [node for node, _ in boxes]}
    placed = {"layoutIndex": list(range(len(boxes))), "bounds": [bounds for _, bounds in boxes]}
    return {"strings": strings, "documents": [{"nodes": columns, "layout": layout, "textBoxes": placed}]}


def test_text_nodes_that_the_page_shows_are_read() -> None:
    nodes = [
        (-1, "HTML", ""), (0, "HEAD", ""), (1, "TITLE", ""), (2, "#text", "Title"), (0, "BODY", ""),
        (4, "P", ""), (5, "#text", " One "), (5, "#text", "more"), (4, "SCRIPT", ""), (8, "#text", "code"),
        (4, "#text", "\n"), (4, "P", ""), (11, "#text", "Two"),
    ]  # fmt: skip
    boxes = [(3, [0.0, 0, 9, 9]), (6, [1.0, 2, 3, 4]), (7, [5.0, 2, 3, 4]), (12, [1.0, 8, 3, 4]), (12, [1.0, 12, 0, 4])]
    layout = Layout.of(snapshot(nodes, boxes), PICTURE)
    assert layout.node.tolist() == [0, 0, 1]  # two nodes that follow each other are one text, which was cut
    assert layout.box.tolist() == [[1, 2, 3, 4], [5, 2, 3, 4], [1, 8, 3, 4]]
    leaf = layout.leaf_boxes(Page.from_html("<title>Title</title><p> One more<script>code</script><p>Two"))
    assert leaf is not None
    assert leaf.tolist() == [0, 0, 1]
    assert layout.leaf_boxes(Page.from_html("<p>One<p>Two")) is None


def layout_of(number: int) -> Layout:
    boxes = np.array([[number, 1, 2, 3]], np.float32)
    return Layout(PICTURE, np.array([number], np.uint32), np.array([0], np.int32), boxes)


def test_what_is_stored_comes_back_and_what_is_damaged_does_not(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store(Photograph("<p>One"), layout_of(7))
    cache.store(Photograph("<p>Two"), None)
    found = cache.load("<p>One")
    assert found is not None
    assert found.box.tolist() == [[7, 1, 2, 3]]
    assert np.array_equal(found.picture, PICTURE)
    assert cache.load("<p>Two") is None
    assert cache.has(Photograph("<p>Two"))
    assert not cache.has(Photograph("<p>One", folder="/styles"))
    for path in tmp_path.rglob("*.npz"):
        path.write_bytes(path.read_bytes()[:50])
    assert cache.load("<p>One") is None


def test_the_oldest_layouts_make_room_for_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.rendering.cache.LOOK", 2)
    size = len(layout_of(0).to_bytes())
    cache = Cache(tmp_path, most=3 * size + 100)
    for number in range(7):
        cache.store(Photograph(str(number)), layout_of(number))
        for path in tmp_path.rglob("*.npz"):  # as if it had been a while ago
            os.utime(path, (path.stat().st_mtime - 60,) * 2)
    left = [number for number in range(7) if cache.load(str(number))]
    assert 3 <= len(left) <= 4
    assert left[-1] == 6


def test_only_root_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    for user, sandbox in ((0, False), (1000, True)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        options = chromium.launch_options()
        assert options["chromium_sandbox"] is sandbox
        assert "--no-sandbox" not in options["args"]


def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.com")
    assert not {name for name in chromium.launch_options()["env"] if name.lower().endswith("_proxy")}


def test_without_chromium_or_the_extra_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"needs Chromium, not found here; .*apt-get install chromium"):
        Renderer()
    (tmp_path / "chromium-1234").mkdir()
    assert chromium.is_available()
    monkeypatch.setattr("dehusk.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"needs playwright, cv2, which is not installed; pip install .*\[visual\]"):
        Renderer()
