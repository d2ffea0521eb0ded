"""The registry of methods: name, module, blocks and summary. A new method is one module and one entry here."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dehusk.errors import ModelError, UsageError
from dehusk.models.folders import folder_method

if TYPE_CHECKING:  # the command line asks for the names of methods where nothing is extracted
    from dehusk.methods.base import Method


@dataclass(frozen=True, slots=True)
class Entry:
    """One method; its module is imported when it is needed."""

    name: str
    module: str
    factory: str  # the function of the module that returns the method
    block: str  # what one block is
    summary: str
    extra: str | None = None  # what must be installed for it
    explains: bool = False  # whether it tells why a block scores as it does
    comments: bool = False  # whether it recognises readers' comments


RUN: Final = "a run between block-level elements"
BETWEEN_TAGS: Final = "the text between two tags such as div, p, li or td"
REGISTRY: Final = (
    Entry("kernel", "dehusk.methods.kernel", "shipped", RUN,
          "our own: a small network over text, tree and page, in any language", explains=True, comments=True),
    Entry("alltext", "dehusk.methods.alltext", "AllText", RUN, "keeps everything"),
    Entry("bte", "dehusk.methods.bte", "BodyText", RUN,
          "the one stretch with most words and fewest tags (Finn et al. 2001)"),
    Entry("texrex", "dehusk.methods.texrex", "shipped", BETWEEN_TAGS,
          "one perceptron per language over 37 features (Schäfer 2017), trained on today's pages",
          explains=True),
    Entry("texrex-quirks", "dehusk.methods.texrex", "quirky", BETWEEN_TAGS,
          "the same on the original's numbers, trained on its author's vectors of 2012", explains=True),
    Entry("pyplexity", "dehusk.methods.pyplexity", "shipped", "a sentence",
          "how likely a language model finds it (Fernández-Pichel et al. 2023), in eight languages; needs dehusk[lm]",
          extra="lm", explains=True),
    Entry("pyplexity-plain", "dehusk.methods.pyplexity", "plain", "a sentence",
          "the same as the paper has it: a perplexity of 8,000 is boilerplate, nothing is tuned", extra="lm",
          explains=True),
    Entry("ncleaner", "dehusk.methods.ncleaner", "shipped", "a paragraph, heading or list item of the page as text",
          "character n-grams, clean against dirty (Evert 2008); works on plain text, too", explains=True),
    Entry("fiasco", "dehusk.methods.fiasco", "shipped", "a subtree with a tenth of its text in its own text nodes",
          "a support vector machine over words, word classes and structure (Bauer et al. 2007)", explains=True),
    Entry("boilernet", "dehusk.methods.boilernet", "shipped", "a text node",
          "two recurrent layers over tags and words (Leonhardt et al. 2020); needs dehusk[neural]", extra="neural"),
    Entry("boilernet-small", "dehusk.methods.boilernet", "small", "a text node",
          "one small recurrent layer trained by boilernet, for bulk and browsers; needs dehusk[neural]",
          extra="neural"),
    Entry("boilernet-paper", "dehusk.methods.boilernet", "paper", "a text node",
          "the network of the paper, trained on the 50 pages of its GoogleTrends-2017; needs dehusk[neural]",
          extra="neural"),
    Entry("boilernet-paper-cleaneval", "dehusk.methods.boilernet", "paper_cleaneval", "a text node",
          "the same, trained on 52 pages of CleanEval; needs dehusk[neural]", extra="neural"),
)  # fmt: skip
DEFAULT: Final = "kernel"


def method(name: str | os.PathLike[str]) -> "Method":
    """Return the method with that name, or of the model in that folder, ready to run.

    A string that is both is a name: write "./kernel" for a folder called kernel.

    >>> method("alltext").name
    'alltext'
    """
    for entry in REGISTRY:
        if entry.name == name:
            return cast("Method", getattr(import_module(entry.module), entry.factory)())
    if is_folder(name):
        return folder_method(Path(name))
    known = ", ".join(entry.name for entry in REGISTRY)
    raise ModelError(f"no method is called {str(name)[:200]!r}; there are {known}, or your own model's folder")


def check_method(name: str | os.PathLike[str]) -> None:
    """Raise the error that `method` would raise; what every install has is not loaded for it.

    >>> check_method("kernel")
    """
    if not any(entry.name == name and entry.extra is None for entry in REGISTRY):
        method(name)


# What some methods let you set, and which: each has a function `with_NAME`.
SETTINGS: Final = {"model": "pyplexity", "limit": "pyplexity", "bias": "ncleaner", "n": "ncleaner"}


def adjusted(method: "Method", settings: Mapping[str, object]) -> "Method":
    """Return a method with settings of its own, such as a bias; those that are None are left as they are.

    >>> adjusted(method("alltext"), {"bias": 0.1})
    Traceback (most recent call last):
    dehusk.errors.UsageError: method 'alltext' has no bias; --bias is for ncleaner
    """
    for name, value in settings.items():
        if value is not None:
            change = getattr(method, f"with_{name}", None)
            if change is None:
                raise UsageError(f"method {method.name!r} has no {name}; --{name} is for {SETTINGS[name]}")
            method = change(value)
    return method


def is_folder(name: str | os.PathLike[str]) -> bool:
    """Return whether there is a folder of that name."""
    return bool(os.fspath(name)) and os.path.isdir(name)  # noqa: PTH112  (unlike Path, it raises nothing for odd names)
