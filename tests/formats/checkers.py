"""Programs and schemas that validate an output; `make test` installs them."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(sys.prefix, "checkers")
VNU = FOLDER / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"  # the checker of the W3C
TEI = FOLDER / "tei" / "schemas" / "tei_all.rng"  # the schema of the TEI consortium


def installed(path: Path) -> Path:
    """Return a checker's file; fail without it, since a test that is skipped would look like one that passed."""
    if not path.exists():
        pytest.fail(f"{path} is not there; `make test` installs it")
    return path
