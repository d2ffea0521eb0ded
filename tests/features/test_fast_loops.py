"""The compiled loops behind blocks, features and the kernel give what the same files give as plain Python."""

from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dehusk import Page, blocks, fast_blocks, html_tables
from dehusk.features import fast_text, fast_title, fast_tokens, fast_tree, text, title, tokens, tree
from dehusk.features.tokens import Vocabulary
from dehusk.methods import kernel
from dehusk.methods.kernel import fast_decision, fast_network, network
from dehusk.methods.kernel.features import view
from tests.golden import FOLDERS
from tests.helpers.compiled import held, uncompiled
from tests.test_invariants import markup

LOOPS = (fast_blocks, fast_text, fast_tree, fast_title, fast_tokens, fast_decision, fast_network)
PLAIN = {module: uncompiled(module) for module in LOOPS}
VOCABULARY = Vocabulary.of(["a", "b", "main", "nav", "menu", "post", "content", "comment", "article"])


def functions(module: ModuleType) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}


@pytest.fixture
def columns_are_held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Hold compiled functions to their plain twins wherever they are called; return their names."""
    names = []
    for module in (blocks, html_tables, text, title, tree, tokens, network, kernel):
        for compiled, twin in PLAIN.items():
            for name, plain in functions(twin).items():
                if getattr(module, name, None) is getattr(compiled, name, plain):
                    monkeypatch.setattr(module, name, held(getattr(compiled, name), plain))
                    names.append(name)
    return names


def test_every_function_that_others_call_is_held(columns_are_held: list[str]) -> None:
    public = {name for twin in PLAIN.values() for name in functions(twin)}
    # These are parts of others and cannot be seen from outside once compiled.
    assert public - set(columns_are_held) == {"least", "set_token_bit", "dominant", "read_classes"}


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
    held(fast_tree.place_columns, PLAIN[fast_tree].place_columns)(*arguments)
    assert matrix[:, 0].tolist() == [9, 1, 0, 0, 1, 1, 1]
