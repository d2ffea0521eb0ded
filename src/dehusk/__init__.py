"""dehusk: the text that people came for, from any web page; every block scored, nothing lost."""

from dehusk.blocks import Block, Blocks, Kind
from dehusk.config import Limits
from dehusk.document import Document
from dehusk.errors import DehuskError, InputError, ModelError, UsageError
from dehusk.extractor import Extractor, Result, extract
from dehusk.methods.base import Method
from dehusk.page import Page
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
    "Result",
    "Scores",
    "UsageError",
    "extract",
]
