"""The compiled loops behind blocks, features and the kernel give what the same files give as plain Python."""

from enum import IntEnum
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Page, blocks, fast_blocks, html_tables
from dehusk.characters import CharacterClass
from dehusk.features import fast_text, fast_tokens, fast_tree, links, text, tokens, tree
from dehusk.features.fast_text import TextRow, TitleRow
from dehusk.features.fast_tree import Element, Grouping, Total, TreeRow
from dehusk.features.tokens import TokenVocabulary
from dehusk.methods import kernel
from dehusk.methods.kernel import decision, fast_features, fast_scoring, network
from dehusk.methods.kernel.features import DOCTYPES, PAGE_NAMES, PAGE_TYPES, PageFeatures, page_features
from dehusk.methods.kernel.network import PlainEnsemble
from tests.golden import FOLDERS
from tests.helpers import feature_families
from tests.helpers.compiled import held, uncompiled
from tests.helpers.feature_families import assert_same, by_family
from tests.test_invariants import markup

LOOPS = (fast_blocks, fast_text, fast_tree, fast_tokens, fast_scoring)
PLAIN = {module: uncompiled(module) for module in LOOPS}
NUMBERS = len(PAGE_NAMES) - len(DOCTYPES) - len(PAGE_TYPES)  # of the page, apart from its types
VOCABULARY = TokenVocabulary.of(["a", "b", "main", "nav", "menu", "post", "content", "comment", "article"])


def functions(module: ModuleType) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}


@pytest.fixture
def columns_are_held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Hold compiled functions to their plain twins wherever they are called; return their names."""
    names = []
    for module in (blocks, html_tables, links, text, tree, tokens, feature_families, network, decision, kernel):
        for compiled, twin in PLAIN.items():
            for name, plain in functions(twin).items():
                if getattr(module, name, None) is getattr(compiled, name, plain):
                    monkeypatch.setattr(module, name, held(getattr(compiled, name), plain))
                    names.append(name)
    return names


def test_every_function_that_others_call_is_held(columns_are_held: list[str]) -> None:
    public = {name for twin in PLAIN.values() for name in functions(twin)}
    # These are parts of others and cannot be seen from outside once compiled.
    parts = {"count_characters", "write_counts", "write_edges", "set_token_bit", "dominant", "read_class"}
    assert public - set(columns_are_held) == parts


@pytest.mark.parametrize("rows", [CharacterClass, TextRow, TitleRow, Element, Grouping, Total, TreeRow])
def test_the_numbers_that_loops_use_are_those_of_the_enum(rows: type[IntEnum]) -> None:
    loops = PLAIN[fast_tree if rows in (Element, Grouping, Total, TreeRow) else fast_text]
    used = {row.name: row.value for row in rows if hasattr(loops, row.name)}
    assert used
    assert used == {name: getattr(loops, name) for name in used}


@pytest.mark.usefixtures("columns_are_held")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_columns_of_golden_pages_are_alike(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    found = blocks.cut(page)
    ours = kernel.Kernel.shipped()
    ours.score(page, found)
    PlainEnsemble(ours.networks, len(ours.vocabulary), ours.tuning).run(by_family(page, found, ours.vocabulary))
    found.kinds()


@pytest.mark.parametrize("fill_features", [fast_features.fill_features, uncompiled(fast_features).fill_features])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_features_in_one_call_are_those_of_the_families(folder: Path, fill_features: Any) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    found, vocabulary = blocks.cut(page), kernel.Kernel.shipped().vocabulary
    ours = PageFeatures.empty(len(found), vocabulary.longs)
    fill_features(ours, page, found, vocabulary)
    expected = by_family(page, found, vocabulary)
    ours.page[NUMBERS:] = expected.page[NUMBERS:]  # which `page_features` looks up
    assert_same(ours, expected)


@pytest.mark.usefixtures("columns_are_held")
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(markup)
def test_columns_of_any_markup_are_alike(html: str) -> None:
    page = Page.from_html(html)
    found = blocks.cut(page)
    assert_same(page_features(page, found, VOCABULARY), by_family(page, found, VOCABULARY))


@pytest.mark.usefixtures("columns_are_held")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("abmainpostMAINPOST -_1é木"), max_size=30))
def test_tokens_of_any_attribute_are_alike(attribute: str) -> None:
    VOCABULARY.known(attribute)


def test_depths_beyond_the_table_of_logarithms_are_its_last() -> None:
    # The parser goes no deeper than 512, but compiled code does not check bounds.
    matrix, one = np.zeros((len(TreeRow), 1), np.float32), np.ones(1, np.int32)
    elements = np.zeros((len(Element), 1), np.int32)
    elements[Element.LEVEL] = 9_999
    groups = np.zeros((3, 1), np.int32), np.ones((3, 1), np.int32)
    logs = np.arange(10, dtype=np.float32)
    arguments = (matrix, logs, elements, one * 0, *groups, one, np.zeros(1, np.uint8), one * 0, one, 4)
    held(fast_tree.count_columns, PLAIN[fast_tree].count_columns)(*arguments)
    assert matrix[: TreeRow.REPEATED, 0].tolist() == [9, 1, 0, 0, 1, 1, 1]
