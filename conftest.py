"""What holds for all tests and examples: which files are collected, how parameters are named, what is skipped."""

import os
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import settings

from testing import parameter_ids

settings.register_profile("ci", derandomize=True)  # the reason is in testing/seeds.py
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make floors`."""
    parser.addoption("--raise-floors", action="store_true", help="write higher figures into tests/floors.json")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules without examples: importing all of them takes seconds, and some need Ray."""
    if collection_path.suffix != ".py" or fnmatch(collection_path.name, "test_*.py"):
        return None
    return True if ">>>" not in collection_path.read_text(encoding="utf-8") else None


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name parameters the same in all processes, which pytest-xdist compares."""
    return parameter_ids.parameter_id(val, argname)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse ids that differ between processes; skip what needs real pages where there are none, but not in CI."""
    faults = [
        f"{item.nodeid}: its id {fault}; name the parameters with ids="
        for item in items
        if isinstance(item, pytest.Function) and (fault := parameter_ids.fault(item.name))
    ]
    if faults:
        raise pytest.UsageError(*faults)
    if (Path(os.environ.get("DEHUSK_DATA") or "/nowhere") / "data" / "pages").is_dir():
        return
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason="DEHUSK_DATA names no folder with data/pages"))
