"""The layers that import-linter checks leave nothing out."""

import tomllib
from pathlib import Path

import dehusk

ROOT = Path(__file__).parents[1]
# Below all layers: the public names.
APART = {"__init__"}


def test_every_module_is_in_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(each["layers"] for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "layers")
    named = {name.strip().removeprefix("dehusk.") for layer in layers for name in layer.split("|")}
    package = Path(dehusk.__file__).parent
    modules = {path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert modules - APART == named - {"research"}


def test_pre_commit_runs_the_ruff_of_make_check() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (ruff,) = [name for name in settings["project"]["optional-dependencies"]["dev"] if name.startswith("ruff")]
    assert f"rev: v{ruff.removeprefix('ruff==')}\n" in hooks
