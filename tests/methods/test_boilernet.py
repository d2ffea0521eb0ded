"""boilernet: what it keeps, how it reads long pages, and its errors when something is missing."""

import json
import pickle
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dehusk import Extractor, Page
from dehusk.errors import ModelError
from dehusk.methods import boilernet
from dehusk.methods.boilernet import Boilernet, Reading
from dehusk.methods.boilernet.onnx import TABLE, Floats, Longs, OnnxNetwork
from dehusk.model_files import shipped_folder

PAGE = (
    "<ul><li><a href=/>Home</a><li><a href=/sheep>Sheep</a></ul><h1>Shearing</h1>"
    "<p>The shearers came on the second of June, four of them, with their own stand and no dog. "
    "By the evening of the third they had done the whole flock, and the rain that had been promised held off.</p>"
    "<p>The wool went to the mill at Carrick in eleven sacks, and the cheque came in August.</p>"
    "<footer><a href=/about>About us</a> <a href=/legal>Legal notice</a></footer>"
)
BOTH = pytest.mark.parametrize("name", ["boilernet", "boilernet-small"], ids=["large", "small"])
PAPERS = pytest.mark.parametrize("name", ["boilernet-paper", "boilernet-paper-cleaneval"], ids=["trends", "cleaneval"])


@BOTH
def test_it_keeps_the_text_and_drops_the_menu(name: str) -> None:
    text = Extractor(Boilernet.shipped(name)).extract(PAGE).text
    assert "The shearers came" in text
    assert "The wool went to the mill" in text
    assert "Legal notice" not in text


@PAPERS
def test_the_papers_networks_see_counts_and_no_buttons(name: str) -> None:
    method, page = (
        Boilernet.shipped(name),
        Page.from_html(PAGE.replace("<footer>", "<button>Buy the <b>wool</b></button><footer>")),
    )
    assert method.reading == Reading(logs=False, unread=frozenset({"button", "iframe", "noscript"}), window=8192)
    blocks = method.segment(page)
    scores = dict(zip(blocks.strings(), method.score(page, blocks).values.tolist(), strict=True))
    assert scores["Buy the"] == scores["wool"] == 1.0
    # What is not read is no context either: all else has the scores of the page without it.
    plain = Page.from_html(PAGE)
    without = method.score(plain, method.segment(plain)).values
    assert [score for text, score in scores.items() if text not in ("Buy the", "wool")] == without.tolist()
    assert scores["The wool went to the mill at Carrick in eleven sacks, and the cheque came in August."] < 0.5


@BOTH
def test_long_pages_are_read_in_windows(name: str) -> None:
    method, page = Boilernet.shipped(name), Page.from_html(PAGE * 60)
    blocks = method.segment(page)
    whole = method.score(page, blocks).values
    narrow = replace(method, reading=replace(method.reading, window=200))
    split = narrow.score(page, blocks).values
    assert len(boilernet.windows(len(blocks), 200)) > 1
    assert np.mean((whole < 0.5) == (split < 0.5)) > 0.98


def test_long_leaves_are_read_in_smaller_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    method, page, read = Boilernet.shipped("boilernet-small"), Page.from_html(PAGE * 20), list[int]()
    blocks = method.segment(page)
    whole = method.score(page, blocks).values
    run = OnnxNetwork.run

    def counted(self: OnnxNetwork, rows: Longs, columns: Longs, values: Floats, count: int) -> Floats:
        read.append(len(rows))
        return run(self, rows, columns, values, count)

    monkeypatch.setattr(OnnxNetwork, "run", counted)
    monkeypatch.setattr(boilernet, "MAX_ENTRIES", 500)
    split = method.score(page, blocks).values
    assert len(read) > 1
    assert max(read) <= 500
    assert np.mean((whole < 0.5) == (split < 0.5)) > 0.9


@pytest.mark.slow
def test_ten_thousand_leaves_take_bounded_memory() -> None:
    import resource  # noqa: PLC0415  (not on Windows)

    method = Boilernet.shipped()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    page = Page.from_html("<p>Some words <b>in two</b> leaves and more" * 4000)
    scores = method.score(page, method.segment(page))
    assert len(scores) > 10_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KB


def test_nothing_and_plain_text_are_pages_too() -> None:
    for page in (Page.from_html(""), Page.from_text("One line.\nAnother line, with more words.")):
        method = Boilernet.shipped("boilernet-small")
        blocks = method.segment(page)
        assert len(method.score(page, blocks)) == len(blocks)


def test_it_is_pickled_by_its_folder() -> None:
    method = Boilernet.shipped("boilernet-small")
    assert pickle.loads(pickle.dumps(method)) is method


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelError, match=r"needs onnxruntime, .*; pip install .*neural"):
        Boilernet.load(shipped_folder("boilernet-small"))


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_folder("boilernet-small"), tmp_path / "mine"))


def test_damage_is_reported(copied: Path) -> None:
    (copied / "network.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match="cannot be read"):
        Boilernet.load(copied)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (None, "table.npz cannot be read"),
        ({"added": np.zeros((1052, 256), np.float32)}, "another network"),
        ({"added": np.zeros((1052, 64), np.float32), "begin": np.zeros(64, np.float32)}, "another network"),
        ({"added": np.zeros((1051, 256), np.float32), "begin": np.zeros(256, np.float32)}, "another network"),
        ({"added": np.zeros((1052, 256)), "begin": np.zeros(256)}, "another network"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    tmp_path: Path, arrays: dict[str, np.ndarray[Any, Any]] | None, message: str
) -> None:
    folder = Path(shutil.copytree(shipped_folder("boilernet"), tmp_path / "mine"))
    (folder / TABLE).unlink()
    if arrays is not None:
        np.savez(folder / TABLE, allow_pickle=False, **arrays)
    with pytest.raises(ModelError, match=message):
        Boilernet.load(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "has format 99"),
        ({"words": ["the"]}, "inputs"),
        ({"threshold": 1.5}, "between 0 and 1"),
        ({"window": 0}, "at least 1 text node, got 0"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(copied: Path, change: dict[str, object], message: str) -> None:
    path = copied / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        Boilernet.load(copied)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        Boilernet.load(tmp_path)
    (tmp_path / "model.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ModelError, match="not what `dehusk train boilernet` writes"):
        Boilernet.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("boilernet", 5_000_000),
        ("boilernet-small", 1_000_000),
        ("boilernet-paper", 5_000_000),
        ("boilernet-paper-cleaneval", 5_000_000),
    ],
)
def test_the_models_stay_small(name: str, most: int) -> None:
    assert sum(path.stat().st_size for path in shipped_folder(name).iterdir()) < most
