"""The compiled core brings home what the same files do as plain Python."""

import doctest
import importlib
import shutil
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from turbohtml import Document, parse

import dehusk.core
from dehusk.core.walk import Found, walk
from tests.golden import FOLDERS
from tests.test_hostile import HOSTILE, REASONS
from tests.test_invariants import markup

CORE = Path(dehusk.core.__file__).parent
SOURCES = sorted(path for path in CORE.glob("*.py") if path.with_suffix(".pxd").exists())
BUILD = "with gcc and Python.h (Debian: python3-dev) run: python setup.py build_ext --inplace --force"
sources = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
NESTED = (
    "<pre> a<svg><text>b</text><svg>c</svg></svg> </pre>\n<a href=x> d <b hidden>e</b></a><head><noscript>f</noscript>"
)
SHADOWS = "<div>a<template shadowrootmode=open><p hidden>b<slot></slot></p><pre> c </pre></template><i>d</i></div>e"


def uncompiled(source: Path) -> ModuleType:
    """Load a module of the core from its source, whatever stands compiled beside it."""
    spec = spec_from_file_location(f"uncompiled_{source.stem}", source)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


plain_walk = uncompiled(CORE / "walk.py").walk


def assert_same_walk(tree: Document, limit: int = 1_000_000, *, shadows: bool = False) -> None:
    ours, plain = walk(tree, limit, shadows), plain_walk(tree, limit, shadows)
    for name in Found._fields:
        left, right = getattr(ours, name), getattr(plain, name)
        if isinstance(left, np.ndarray):
            assert left.dtype == right.dtype, name
            assert left.tolist() == right.tolist(), name
        elif name == "node":
            # What a noscript holds is parsed anew by each walk, so its nodes are not the same ones.
            assert [repr(node) for node in left] == [repr(node) for node in right]
        else:
            assert left == right, name


@sources
def test_the_core_is_compiled(source: Path) -> None:
    if not (shutil.which("gcc") or shutil.which("cc")):
        pytest.skip("no C compiler, so the core runs as plain Python")
    built = importlib.import_module(f"dehusk.core.{source.stem}").__file__
    assert built
    assert built.endswith(tuple(EXTENSION_SUFFIXES)), f"{source.name} is not compiled; {BUILD}"
    edited = max(source.stat().st_mtime, source.with_suffix(".pxd").stat().st_mtime)
    assert Path(built).stat().st_mtime >= edited, f"{source.name} was edited after it was compiled; {BUILD}"


@sources
def test_the_examples_of_the_core_hold(source: Path) -> None:
    assert doctest.testmod(uncompiled(source)).failed == 0


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("limit", [1_000_000, 30])
def test_golden_pages_are_walked_alike(folder: Path, limit: int) -> None:
    assert_same_walk(parse((folder / "source.html").read_bytes(), scripting=True), limit)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*HOSTILE, *REASONS])
def test_hostile_pages_are_walked_alike(name: str) -> None:
    source = (HOSTILE.get(name) or REASONS[name][0])()
    if isinstance(source, str):
        source = source.encode("utf-8", "replace")
    assert_same_walk(parse(source[:5_000_000].decode("utf-8", "replace"), scripting=True), 200_000)


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(markup, st.sampled_from([1_000_000, 0, 1, 2, 5]), st.booleans())
def test_any_markup_is_walked_alike(html: str, limit: int, shadows: bool) -> None:
    assert_same_walk(parse(html, scripting=True, allow_declarative_shadow_roots=shadows), limit, shadows=shadows)


@pytest.mark.parametrize("shadows", [False, True])
@pytest.mark.parametrize("html", ["", NESTED, SHADOWS, "<p>x" * 1023, "<p>x" * 1024, "<p>x" * 5000, "x<!-- -->" * 5000])
def test_columns_grow_and_states_are_inherited_alike(html: str, shadows: bool) -> None:
    assert_same_walk(parse(html, scripting=True, allow_declarative_shadow_roots=shadows), shadows=shadows)
