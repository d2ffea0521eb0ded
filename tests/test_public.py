import inspect
import subprocess
import sys
from dataclasses import fields, is_dataclass
from types import FunctionType

import pytest

import dehusk
from dehusk import Block, Blocks, Chunk, Document, Extractor, Look, Metadata, Method, Page, Scores
from dehusk.extractor import Options
from dehusk.methods.base import Explains, capabilities
from dehusk.models.registry import REGISTRY, Entry, method


def test_the_public_names_are_these() -> None:
    assert dehusk.__all__ == [
        "Block", "Blocks", "Chunk", "Code", "DehuskError", "Document", "Extractor", "InputError", "Kind", "Limits",
        "Look", "Metadata", "Method", "ModelError", "Page", "Perplexity", "Reason", "Result", "Scores", "Source",
        "UsageError", "extract", "extract_file",
    ]  # fmt: skip
    assert all(hasattr(dehusk, name) for name in dehusk.__all__)


def public_members(kind: type) -> dict[str, object]:
    """Return the methods and properties of a class that are ours."""
    return {
        name: member
        for name, member in vars(kind).items()
        if not name.startswith("_") and isinstance(member, FunctionType | property | classmethod | staticmethod)
    }


@pytest.mark.parametrize("name", dehusk.__all__)
def test_everything_public_is_explained_and_has_an_example(name: str) -> None:
    thing = getattr(dehusk, name)
    assert ">>>" in (inspect.getdoc(thing) or ""), "no example"
    members = public_members(thing) if isinstance(thing, type) else {}
    assert [each for each, member in members.items() if not getattr(member, "__doc__", None)] == []


def test_every_name_is_in_the_introduction_or_on_the_way_from_there() -> None:
    lines = (dehusk.__doc__ or "").splitlines()
    assert len(lines) < 45  # one screen
    for name in ("Page", "Blocks", "Scores", "Document", "extract_file", "Extractor", "chunks", "DehuskError"):
        assert any(name in line for line in lines)


def test_extract_takes_what_it_promises() -> None:
    for function, first in ((dehusk.extract, "source"), (dehusk.extract_file, "path")):
        assert list(inspect.signature(function).parameters) == [first, "url", "charset", "method", "options"]
    extractor = {field.name: field.default for field in fields(Extractor)}
    assert {name: extractor[name] for name in Options.__annotations__} == {
        "threshold": None, "favour": None, "comments": False, "tables": True, "min_length": 0, "headline": "auto",
        "explain": False,
    }  # fmt: skip
    html = "<meta charset=utf-8><p>größer als alles andere auf dieser Seite"
    texts = {dehusk.extract(source, method="alltext").text for source in (html, html.encode(), Page.from_html(html))}
    assert texts == {"größer als alles andere auf dieser Seite"}


def test_every_type_is_frozen() -> None:
    for kind in (Block, Blocks, Chunk, Document, Extractor, Look, Metadata, Page, Scores):
        assert is_dataclass(kind)
        assert vars(kind)["__dataclass_params__"].frozen


def test_every_method_keeps_the_contract() -> None:
    assert all(isinstance(method(entry.name), Method) for entry in REGISTRY)
    assert all(method(entry.name).name == entry.name for entry in REGISTRY)


def test_a_page_that_was_cut_off_says_so_in_its_document() -> None:
    page = Page.from_html("<p>x" * 10, limits=dehusk.Limits(elements=5))
    assert str(Extractor("alltext").extract(page).reason) == "cut off after 5 elements"


def test_importing_dehusk_imports_neither_the_command_line_nor_the_lab() -> None:
    code = "import sys, dehusk; print([m for m in ('click', 'rich', 'dehusk.evaluation', 'torch') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_a_document_imports_formats_and_chunks_on_first_use() -> None:
    code = (
        "import sys, dehusk; from dehusk.document import Document; "
        "print([m for m in sys.modules if m.startswith(('dehusk.formats', 'dehusk.chunks', 'dehusk.outline'))])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.name)
def test_the_registry_says_what_a_method_can_do(entry: Entry) -> None:
    found = method(entry.name)
    assert entry.capabilities == capabilities(found)
    assert entry.capabilities.explains == isinstance(found, Explains)
    assert entry.extra or "needs dehusk[" not in entry.summary
