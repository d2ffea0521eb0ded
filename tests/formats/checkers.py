"""Programs and schemas of others that judge an output; `make test` sets them up."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(sys.prefix, "checkers")
VNU = FOLDER / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"  # the checker of the W3C
TEI = FOLDER / "tei" / "schemas" / "tei_all.rng"  # the schema of the TEI consortium


def there(path: Path) -> Path:
    """A checker's file, or the end of the test: one that is left out would look like one that passed."""
    if not path.exists():
        pytest.fail(f"{path} is not there; `make test` installs it")
    return path
