"""dehusk: the text that people came for, from any web page; every block scored, nothing lost."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.blocks import Block, Blocks, Kind
    from dehusk.config import Limits
    from dehusk.document import Document
    from dehusk.errors import DehuskError, InputError, ModelError, UsageError
    from dehusk.extractor import Extractor, Result, extract
    from dehusk.methods.base import Method
    from dehusk.page import Page, Source
    from dehusk.perplexity import Perplexity
    from dehusk.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "Block",
    "Blocks",
    "DehuskError",
    "Document",
    "Extractor",
    "InputError",
    "Kind",
    "Limits",
    "Method",
    "ModelError",
    "Page",
    "Perplexity",
    "Result",
    "Scores",
    "Source",
    "UsageError",
    "extract",
]

# Where each name is defined. A name is imported on first use: the parser and numpy take a fifth of a second, which a
# program that needs only the version or an error class should be spared.
_HOMES = {
    "blocks": ("Block", "Blocks", "Kind"),
    "config": ("Limits",),
    "document": ("Document",),
    "errors": ("DehuskError", "InputError", "ModelError", "UsageError"),
    "extractor": ("Extractor", "Result", "extract"),
    "methods.base": ("Method",),
    "page": ("Page", "Source"),
    "perplexity": ("Perplexity",),
    "scores": ("Scores",),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"dehusk.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'dehusk' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
