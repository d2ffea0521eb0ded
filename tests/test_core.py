"""The compiled core brings home what the same files do as plain Python."""

import doctest
import importlib
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from turbohtml import Document, parse

import dehusk.core
from dehusk import Page, blocks
from dehusk.core import columns
from dehusk.core.walk import Found, walk
from dehusk.features import text, title, tokens, tree
from dehusk.features.tokens import Vocabulary
from dehusk.features.view import view
from dehusk.methods import kernel, network
from tests.golden import FOLDERS
from tests.test_hostile import HOSTILE, REASONS
from tests.test_invariants import markup

CORE = Path(dehusk.core.__file__).parent
SOURCES = sorted(path for path in CORE.glob("*.py") if path.with_suffix(".pxd").exists())
COMPILED = sorted([*SOURCES, *CORE.glob("*.pyx")])
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
plain_columns = uncompiled(CORE / "columns.py")
VOCABULARY = Vocabulary.of(["a", "b", "main", "nav", "menu", "post", "content", "comment", "article"])


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


@pytest.mark.parametrize("source", COMPILED, ids=lambda path: path.stem)
def test_the_core_is_compiled(source: Path) -> None:
    built = importlib.import_module(f"dehusk.core.{source.stem}").__file__
    assert built
    assert built.endswith(tuple(EXTENSION_SUFFIXES)), f"{source.name} is not compiled; {BUILD}"
    written = [path for path in CORE.glob(f"{source.stem}.*") if path.suffix in {".py", ".pyx", ".pxd", ".h"}]
    edited = max(path.stat().st_mtime for path in written)
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


@pytest.mark.parametrize("times", [2, 3, 4, 30_000])
def test_text_in_parsed_text_is_parsed_a_few_times_and_no_more(times: int) -> None:
    # Every time reads all that is left: without an end to it, 80 KB took five seconds and 5 MB would have taken hours.
    found = walk(parse("<body>a" + "<noframes>" * times + "<p>b", scripting=True), 1_000_000, False)
    assert found.tag.count("noframes") == min(times, 4)
    assert found.text == ("a\nb" if times <= 3 else "a\n" + "<noframes>" * (times - 4) + "<p>b")


def copied(arguments: tuple[Any, ...]) -> list[Any]:
    """Return the arguments with copies of their arrays; those that were parts of one array are so again."""
    wholes: dict[int, NDArray[Any]] = {}
    copies = []
    for each in arguments:
        if isinstance(each, np.ndarray):
            whole = each
            while isinstance(whole.base, np.ndarray):
                whole = whole.base
            offset = each.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
            buffer = wholes.setdefault(id(whole), whole.copy())
            copies.append(np.ndarray(each.shape, each.dtype, buffer.data, offset, each.strides))
        else:
            copies.append(each)
    return copies


def held(ours: Callable[..., Any], plain: Callable[..., Any], places: float = 0) -> Callable[..., Any]:
    """Return `ours`, held at every call to what `plain` makes of copies of the same arguments."""

    def both(*arguments: Any) -> Any:
        copies = copied(arguments)
        expected, found = plain(*copies), ours(*arguments)
        # Compiled sums may be added up in another order.
        assert found == (pytest.approx(expected, rel=1e-12) if isinstance(expected, float) else expected)
        for number, (left, right) in enumerate(zip(arguments, copies, strict=True)):
            if isinstance(left, np.ndarray):
                # What neither has written to may hold anything, and the same in both.
                np.testing.assert_allclose(left, right, rtol=places, atol=places, err_msg=f"argument {number}")
        return found

    return both


@pytest.fixture
def columns_are_held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Hold the functions of columns.py to their plain twins wherever they are called; return their names."""
    names = []
    for module in (blocks, text, title, tree, tokens, network, kernel):
        for name, plain in vars(plain_columns).items():
            if isinstance(plain, FunctionType) and hasattr(module, name):
                monkeypatch.setattr(module, name, held(getattr(columns, name), plain))
                names.append(name)
    return names


def test_every_function_that_others_call_is_held(columns_are_held: list[str]) -> None:
    public = {name for name, value in vars(plain_columns).items() if isinstance(value, FunctionType)}
    # These are parts of others and cannot be seen from outside once compiled.
    assert public - set(columns_are_held) == {"least", "find_token", "dominant", "read_classes"}


@pytest.mark.usefixtures("columns_are_held")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_columns_of_golden_pages_are_alike(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    found = blocks.cut(page)
    kernel.shipped().score(page, found)
    found.kinds()


@pytest.mark.usefixtures("columns_are_held")
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(markup)
def test_columns_of_any_markup_are_alike(html: str) -> None:
    page = Page.from_html(html)
    view(page, blocks.cut(page), VOCABULARY)


@pytest.mark.usefixtures("columns_are_held")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("abmainpostMAINPOST -_1é木"), max_size=30))
def test_tokens_of_any_attribute_are_alike(attribute: str) -> None:
    VOCABULARY.found(attribute)


def test_depths_beyond_the_table_of_logarithms_are_its_last() -> None:
    # The parser goes no deeper than 512, but nobody looks at bounds in compiled code.
    matrix, one = np.zeros((7, 1), np.float32), np.ones(1, np.int32)
    where = np.array([[0], [9_999]], np.int32), one * 0, np.zeros((3, 1), np.int32), np.ones((3, 1), np.int32)
    logs = np.arange(10, dtype=np.float32)
    arguments = (matrix, logs, *where, one, np.zeros(1, np.uint8), one * 0, one, 4)
    held(columns.place_columns, plain_columns.place_columns)(*arguments)
    assert matrix[:, 0].tolist() == [9, 1, 0, 0, 1, 1, 1]
