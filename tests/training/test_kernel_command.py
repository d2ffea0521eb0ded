"""What `dehusk train kernel` says before it trains anything; none of this needs torch."""

import importlib.util
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dehusk.cli import app
from dehusk.errors import DehuskError


def train(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", "kernel", *arguments])


def message(ended: Result) -> str:
    assert isinstance(ended.exception, DehuskError), ended.output
    return str(ended.exception)


def test_missing_pages_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEHUSK_DATA", raising=False)
    assert "DEHUSK_DATA is not set" in message(train("--only", "features", "--features", str(tmp_path / "f.npz")))


def test_missing_torch_is_told_before_features_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else real(name, *rest))
    ended = train("--features", str(tmp_path / "f.npz"), "--output", str(tmp_path / "kernel"))
    assert "pip install 'dehusk[train]'" in message(ended)
    assert not (tmp_path / "f.npz").exists()


def test_weights_are_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    assert "not empty" in message(train("--output", str(tmp_path)))


def test_a_set_for_measuring_is_not_trained_on(tmp_path: Path) -> None:
    (tmp_path / "l3s-gn1.jsonl").write_text("")
    ended = train("--only", "features", "--corpus", str(tmp_path / "l3s-gn1.jsonl"), "--features", str(tmp_path / "f"))
    assert "never trained on" in message(ended)
