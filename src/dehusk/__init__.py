"""dehusk: the text that people came for, from any web page; every block scored, nothing lost.

    >>> import dehusk
    >>> html = "<nav><a href=/>Home</a></nav><p>It rained <b>all</b> day, and nobody in the village went out."
    >>> document = dehusk.extract(html)
    >>> document.text
    'It rained all day, and nobody in the village went out.'
    >>> document.markdown()
    'It rained **all** day, and nobody in the village went out.'

A page moves through four types, each made from the one before, and none is ever changed:

    Page        a page of any charset, as one string of text whose pieces know their place: `document.page`
    Blocks      that text cut into paragraphs, headings, list items, cells…: `document.blocks[0]`, `[2:5]`
    Scores      one number per block, from 0 (main text) to 1 (boilerplate): `document.scores.values`
    Document    all of these, and which blocks are kept; nothing is deleted

Where to go next:

    extract, extract_file     one page: bytes, a string, a file (.gz, .bz2, .xz and .zst too)
    Document                  .text, .markdown(), .html(), .json(), .render("tei"), .metadata, .kind, .confidence
    Document.chunks           pieces for retrieval, which follow the headings
    Extractor                 method and options chosen once; `extract_many` for many pages, in worker processes
    Method                    what to write for a method of your own
    Perplexity                how unlikely the sentences of a text are
    DehuskError               what is raised; a page without main text is not an error: `document.reason` says why

On the command line: `dehusk --help`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.blocks import Block, Blocks, Kind
    from dehusk.chunks import Chunk
    from dehusk.config import Limits
    from dehusk.document import Document
    from dehusk.errors import DehuskError, InputError, ModelError, UsageError
    from dehusk.extractor import Extractor, Result, extract, extract_file
    from dehusk.metadata import Metadata
    from dehusk.methods.base import Method
    from dehusk.outline.nodes import Look
    from dehusk.page import Page, Source
    from dehusk.perplexity import Perplexity
    from dehusk.reasons import Code, Reason
    from dehusk.scores import Scores

__version__ = "0.1.0"

__all__ = [
    "Block",
    "Blocks",
    "Chunk",
    "Code",
    "DehuskError",
    "Document",
    "Extractor",
    "InputError",
    "Kind",
    "Limits",
    "Look",
    "Metadata",
    "Method",
    "ModelError",
    "Page",
    "Perplexity",
    "Reason",
    "Result",
    "Scores",
    "Source",
    "UsageError",
    "extract",
    "extract_file",
]

# Where each name is defined. A name is imported on first use: the parser and numpy take a fifth of a second, which a
# program that needs only the version or an error class should be spared.
_HOMES = {
    "blocks": ("Block", "Blocks", "Kind"),
    "chunks": ("Chunk",),
    "config": ("Limits",),
    "document": ("Document",),
    "errors": ("DehuskError", "InputError", "ModelError", "UsageError"),
    "extractor": ("Extractor", "Result", "extract", "extract_file"),
    "metadata": ("Metadata",),
    "methods.base": ("Method",),
    "outline.nodes": ("Look",),
    "page": ("Page", "Source"),
    "perplexity": ("Perplexity",),
    "reasons": ("Code", "Reason"),
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
