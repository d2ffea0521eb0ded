"""What a test needs and may not find: the test is skipped, but fails in CI, where a skip would look like a pass."""

import os

import pytest


def skip_unless(found: object, what: str) -> None:
    """Skip the test unless what it needs was found; in CI, where `make test` has installed it, fail."""
    if not found:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"needs {what}")
