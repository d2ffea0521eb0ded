import os
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--raise-floors", action="store_true", help="write higher figures into tests/floors.json")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs real pages where there are none; CI has them and says so if not."""
    if (Path(os.environ.get("DEHUSK_DATA") or "/nowhere") / "data" / "pages").is_dir():
        return
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason="DEHUSK_DATA names no folder with data/pages"))
