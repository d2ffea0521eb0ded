"""A pytest plugin under which collecting fails if it builds an extractor or reads a model, and in which it is later."""

import os
import time
from typing import Any, NoReturn

import pytest

import dehusk.extractor
import dehusk.model_files
import dehusk.models.registry


def refuse(*given: Any, **named: Any) -> NoReturn:
    raise AssertionError("collecting tests builds an extractor or reads a model; do it in the test or in a fixture")


def pytest_configure() -> None:
    ahead, now = int(os.environ["COLLECTION_CLOCK"]), time.time
    patch = pytest.MonkeyPatch()
    patch.setattr(time, "time", lambda: now() + ahead)
    patch.setattr(dehusk.extractor.Extractor, "__init__", refuse)
    patch.setattr(dehusk.models.registry, "method", refuse)
    patch.setattr(dehusk.model_files, "read_arrays", refuse)
