"""Distributions with plug-ins, found by other processes as if they were installed; nothing is."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "plugins"
LONG = "A sentence that says something."
PAGE = f"<p>Menu</p><p>{LONG}</p>"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def environment(folder: Path, *code: Path) -> dict[str, str]:
    """Return the variables of a process that finds the distributions described in `folder`, and their code."""
    paths = [*map(str, code), str(folder), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def example() -> dict[str, Any]:
    """Return the entry points of the example distribution, as its pyproject.toml has them."""
    entry_points: dict[str, Any] = tomllib.loads((FOLDER / "pyproject.toml").read_text("utf-8"))["project"][
        "entry-points"
    ]
    return entry_points


def describe(folder: Path, name: str, entry_points: dict[str, dict[str, str]]) -> None:
    """Write what an installer writes about a distribution."""
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    groups = (f"[{group}]\n" + "".join(f"{n} = {v}\n" for n, v in each.items()) for group, each in entry_points.items())
    (about / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")


def write_pages(folder: Path) -> Path:
    """Write two pages into a folder, and return it."""
    for name, text in (("a", LONG), ("b", "Another one of the same kind.")):
        (folder / f"{name}.html").write_text(f"<p>Menu</p><p>{text}</p>", encoding="utf-8")
    return folder


def runner(variables: dict[str, str], folder: Path) -> Run:
    """Return a function that runs Python with arguments, in a folder, and returns how that ended."""

    def run(*arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=variables,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )

    return run
