import inspect
import subprocess
import sys
from dataclasses import is_dataclass

import dehusk
from dehusk import Block, Blocks, Document, Extractor, Method, Page, Scores
from dehusk.models.registry import REGISTRY, method


def test_the_public_names_are_these() -> None:
    assert dehusk.__all__ == [
        "Block", "Blocks", "DehuskError", "Document", "Extractor", "InputError", "Kind", "Limits", "Method",
        "ModelError", "Page", "Perplexity", "Result", "Scores", "Source", "UsageError", "extract",
    ]  # fmt: skip
    assert all(hasattr(dehusk, name) for name in dehusk.__all__)


def test_extract_takes_what_it_promises() -> None:
    names = list(inspect.signature(dehusk.extract).parameters)
    assert names == ["source", "url", "charset", "method", "threshold", "comments"]
    html = "<meta charset=utf-8><p>größer als alles andere auf dieser Seite"
    texts = {dehusk.extract(source, method="alltext").text for source in (html, html.encode(), Page.from_html(html))}
    assert texts == {"größer als alles andere auf dieser Seite"}


def test_every_type_is_frozen() -> None:
    for kind in (Block, Blocks, Document, Extractor, Page, Scores):
        assert is_dataclass(kind)
        assert vars(kind)["__dataclass_params__"].frozen


def test_every_method_keeps_the_contract() -> None:
    assert all(isinstance(method(entry.name), Method) for entry in REGISTRY)
    assert all(method(entry.name).name == entry.name for entry in REGISTRY)


def test_a_page_that_was_cut_off_says_so_in_its_document() -> None:
    page = Page.from_html("<p>x" * 10, limits=dehusk.Limits(elements=5))
    assert Extractor("alltext").extract(page).reason == "cut off after 5 elements"


def test_importing_dehusk_imports_neither_the_command_line_nor_the_lab() -> None:
    code = "import sys, dehusk; print([m for m in ('click', 'rich', 'dehusk.evaluation', 'torch') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
