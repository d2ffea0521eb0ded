"""Errors of `dehusk train kernel` before it trains anything; none of this needs torch."""

from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from dehusk import extras
from tests.helpers import train_command
from tests.helpers.train_command import message

train = partial(train_command.train, "kernel")


def test_missing_pages_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEHUSK_DATA", raising=False)
    assert "DEHUSK_DATA is not set" in message(train("--only", "features", "--features", str(tmp_path / "f.npz")))


def test_missing_torch_is_an_error_before_features_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "torch" else find_spec(name))
    ended = train("--features", str(tmp_path / "f.npz"), "--output", str(tmp_path / "kernel"))
    assert extras.install_command("train") in message(ended)
    assert not (tmp_path / "f.npz").exists()


def test_weights_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    assert "not empty" in message(train("--output", str(tmp_path)))


def test_a_set_for_measuring_is_not_trained_on(tmp_path: Path) -> None:
    (tmp_path / "l3s-gn1.jsonl").write_text("")
    ended = train("--only", "features", "--corpus", str(tmp_path / "l3s-gn1.jsonl"), "--features", str(tmp_path / "f"))
    assert "never trained on" in message(ended)
