"""The compiled walk returns what the same file returns as plain Python."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from turbohtml import Document, parse

from dehusk.page import fast_walk
from dehusk.page.fast_walk import walk
from dehusk.page.leaves import Leaves
from testing.hostile_inputs import HOSTILE, REASONS
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled
from tests.test_invariants import markup

NESTED = (
    "<pre> a<svg><text>b</text><svg>c</svg></svg> </pre>\n<a href=x> d <b hidden>e</b></a><head><noscript>f</noscript>"
)
SHADOWS = "<div>a<template shadowrootmode=open><p hidden>b<slot></slot></p><pre> c </pre></template><i>d</i></div>e"
plain_walk = uncompiled(fast_walk).walk


def assert_same_walk(tree: Document, limit: int = 1_000_000, *, shadows: bool = False) -> None:
    ours, plain = walk(tree, limit, shadows), plain_walk(tree, limit, shadows)
    assert (ours.text, ours.complete, ours.elements.tag) == (plain.text, plain.complete, plain.elements.tag)
    # Each walk parses the content of a noscript again, so its nodes are not the same objects.
    assert list(map(repr, ours.elements.node)) == list(map(repr, plain.elements.node))
    for name in ("parents", *Leaves.__slots__):
        left, right = (getattr(found.elements if name == "parents" else found.leaves, name) for found in (ours, plain))
        assert (left.dtype, left.tolist()) == (right.dtype, right.tolist()), name


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
    # Each time reads all that is left: without a limit, 80 KB took five seconds and 5 MB would have taken hours.
    found = walk(parse("<body>a" + "<noframes>" * times + "<p>b", scripting=True), 1_000_000, False)
    assert found.elements.tag.count("noframes") == min(times, 4)
    assert found.text == ("a\nb" if times <= 3 else "a\n" + "<noframes>" * (times - 4) + "<p>b")
