"""Extras: the command that a message names installs what is missing, wherever dehusk was installed from."""

import json
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from dehusk import ModelError, UsageError, __version__, extras
from dehusk.extras import EXTRAS, install_command, require
from dehusk.lm import shipped
from dehusk.methods.pyplexity import Pyplexity
from dehusk.model_files import shipped_folder

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


class Installed:
    """What importlib.metadata knows about an installed dehusk."""

    def __init__(self, origin: dict[str, object] | None) -> None:
        self.origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, origin: dict[str, object] | None) -> None:
    """Pretend that dehusk runs from site-packages, and was installed from there."""
    monkeypatch.setattr(extras, "PACKAGE", tmp_path / "lib" / "site-packages" / "dehusk")
    monkeypatch.setattr(metadata, "distribution", lambda _: Installed(origin))


def clone(folder: Path) -> Path:
    for name in extras.DISTRIBUTIONS:
        (folder / "distributions" / name).mkdir(parents=True)
        (folder / "distributions" / name / "pyproject.toml").touch()
    return folder


@pytest.mark.parametrize(
    "origin", [None, {"url": "file:///tmp/dehusk.whl", "archive_info": {}}, {"url": "file:///gone", "dir_info": {}}]
)
def test_an_install_from_an_index_or_a_file_names_the_index(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, origin: dict[str, object] | None
) -> None:
    install(monkeypatch, tmp_path, origin)
    assert install_command("neural") == "pip install 'dehusk[neural]'"
    assert install_command("eval", "lm") == "pip install 'dehusk[eval,lm]'"


def test_an_install_from_a_clone_names_the_clone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = clone(tmp_path / "my clone")
    install(monkeypatch, tmp_path, {"url": folder.as_uri(), "dir_info": {}})
    assert install_command("neural") == f"pip install '{folder}/distributions/neural'"
    assert install_command("eval", "lm") == f"pip install '{folder}/distributions/lm' '{folder}[eval]'"
    monkeypatch.chdir(folder)
    assert install_command("eval", "lm") == "pip install ./distributions/lm '.[eval]'"


def test_a_clone_that_is_edited_stays_editable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert install_command("eval", "peers") == "pip install -e '.[eval,peers]'"
    assert install_command("lm", "neural") == "pip install ./distributions/lm ./distributions/neural"


def test_what_is_required_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, None)
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in ("rapidfuzz", "torch") else name)
    require("training", "onnx")
    with pytest.raises(UsageError) as caught:
        require("training", "rapidfuzz", "onnx", "torch")
    assert str(caught.value) == (
        "training needs rapidfuzz, torch, which is not installed; pip install 'dehusk[eval,train]'"
    )


def test_every_extra_that_is_named_exists() -> None:
    assert set(EXTRAS.values()) | {"peers"} <= set(PROJECT["optional-dependencies"])


def test_models_that_are_not_installed_are_an_error_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, None)
    monkeypatch.setitem(sys.modules, "dehusk_lm", None)
    message = r"pyplexity needs the models of dehusk-lm, which is not installed; pip install 'dehusk\[lm\]'"
    assert shipped.names() == []
    for use in (lambda: shipped_folder("pyplexity"), lambda: shipped.model("en"), Pyplexity.shipped):
        with pytest.raises(ModelError, match=message):
            use()


def test_the_extras_ask_for_the_same_version() -> None:
    wanted = PROJECT["optional-dependencies"]
    assert wanted["lm"] == [f"dehusk-lm=={__version__}"]
    assert wanted["neural"] == [f"dehusk-neural=={__version__}"]
