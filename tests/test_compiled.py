"""Every module with C types is compiled, from its newest source, and its examples hold."""

import doctest
import importlib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tests.helpers.compiled import COMPILED, SOURCES, module_name, uncompiled

BUILD = "with gcc and Python.h (Debian: python3-dev) run: python setup.py build_ext --inplace --force"


@pytest.mark.parametrize("source", COMPILED, ids=module_name)
def test_it_is_compiled_from_its_newest_source(source: Path) -> None:
    built = importlib.import_module(module_name(source)).__file__
    assert built
    assert built.endswith(tuple(EXTENSION_SUFFIXES)), f"{source.name} is not compiled; {BUILD}"
    written = [path for path in source.parent.glob(f"{source.stem}.*") if path.suffix in {".py", ".pyx", ".pxd", ".h"}]
    edited = max(path.stat().st_mtime for path in written)
    assert Path(built).stat().st_mtime >= edited, f"{source.name} was edited after it was compiled; {BUILD}"


@pytest.mark.parametrize("source", SOURCES, ids=module_name)
def test_its_examples_hold(source: Path) -> None:
    assert doctest.testmod(uncompiled(module_name(source))).failed == 0
