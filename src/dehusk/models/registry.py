"""The registry of methods: a new one is one class and one entry of `METHODS`, here or in a plug-in."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast

from dehusk.errors import ModelError, UsageError, about
from dehusk.plugins import Table, check_types, resolve

if TYPE_CHECKING:  # the command line asks for the names of methods where nothing is extracted
    from dehusk.methods.base import Capabilities, Method
    from dehusk.methods.settings import Setting

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Entry:
    """One method. Its class may be given as a string, "module:name", to be imported when it is needed.

    A class whose models come with it has `shipped(name)`, which returns the method of that name; of others an object is
    made without arguments. One with `load(folder)` also reads models that were trained elsewhere.
    """

    name: str
    method_class: str | type
    block: str  # what one block is
    summary: str
    extra: str | None = None  # what must be installed for it
    paper: str = ""  # that it is from
    variant_of: str | None = None  # the method that it varies, for comparison with the paper

    def __post_init__(self) -> None:
        check_types(self, name=str, block=str, summary=str, extra=str | None, paper=str, variant_of=str | None)

    @property
    def capabilities(self) -> "Capabilities":
        """What the method can do besides; no model is loaded for it."""
        from dehusk.methods.base import capabilities  # noqa: PLC0415  (imports what nobody needs who asks for names)

        return capabilities(resolve(self.method_class))

    @property
    def settings(self) -> "tuple[Setting, ...]":
        """What a user can change of the method; no model is loaded for it."""
        return getattr(resolve(self.method_class), "settings", ())

    def method(self) -> "Method":
        """Return the method, ready to run."""
        method_class = resolve(self.method_class)
        return cast("Method", method_class.shipped(self.name) if hasattr(method_class, "shipped") else method_class())


RUN: Final = "a run between block-level elements"
BETWEEN_TAGS: Final = "the text between two tags such as div, p, li or td"
# The papers, as `dehusk models` cites them.
FINN: Final = "Finn, Kushmerick and Smyth: Fact or fiction: content classification for digital libraries. DELOS 2001"
SCHAEFER: Final = (
    "Schäfer: Accurate and efficient general-purpose boilerplate detection for crawled web corpora. "
    "Language Resources and Evaluation 51, 2017"
)
FERNANDEZ_PICHEL: Final = (
    "Fernández-Pichel, Prada-Corral, Losada, Pichel and Gamallo: An unsupervised perplexity-based method for "
    "boilerplate removal. Natural Language Engineering, 2023"
)
EVERT: Final = "Evert: A lightweight and efficient tool for cleaning Web pages. LREC 2008"
BAUER: Final = "Bauer et al.: FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück. WAC3, 2007"
LEONHARDT: Final = (
    "Leonhardt, Anand and Khosla: Boilerplate Removal using a Neural Sequence Labeling Model. WWW 2020 Companion"
)
REGISTRY: Final = (
    Entry("kernel", "dehusk.methods.kernel:Kernel", RUN,
          "our own: a small network over text, tree and page, in any language"),
    Entry("alltext", "dehusk.methods.alltext:AllText", RUN, "keeps everything"),
    Entry("bte", "dehusk.methods.bte:BodyText", RUN,
          "the one stretch with most words and fewest tags (Finn et al. 2001)", paper=FINN),
    Entry("texrex", "dehusk.methods.texrex:Texrex", BETWEEN_TAGS,
          "one perceptron per language over 37 features (Schäfer 2017), trained on today's pages", paper=SCHAEFER),
    Entry("texrex-quirks", "dehusk.methods.texrex:Texrex", BETWEEN_TAGS,
          "the same on the original's numbers, trained on its author's vectors of 2012", variant_of="texrex"),
    Entry("pyplexity", "dehusk.methods.pyplexity:Pyplexity", "a sentence",
          "how likely a language model finds it (Fernández-Pichel et al. 2023), in eight languages; needs dehusk[lm]",
          extra="lm", paper=FERNANDEZ_PICHEL),
    Entry("pyplexity-plain", "dehusk.methods.pyplexity:Pyplexity", "a sentence",
          "the same as the paper has it: a perplexity of 8,000 is boilerplate, nothing is tuned", extra="lm",
          variant_of="pyplexity"),
    Entry("ncleaner", "dehusk.methods.ncleaner:Ncleaner", "a paragraph, heading or list item of the page as text",
          "character n-grams, clean against dirty (Evert 2008); works on plain text, too", paper=EVERT),
    Entry("fiasco", "dehusk.methods.fiasco:Fiasco", "a subtree with a tenth of its text in its own text nodes",
          "a support vector machine over words, word classes and structure (Bauer et al. 2007)", paper=BAUER),
    Entry("fiasco-visual", "dehusk.methods.fiasco:VisualFiasco", "as fiasco",
          "the same with how text looks in Chromium, where a page can be rendered; needs dehusk[visual]",
          extra="visual", paper=BAUER),
    Entry("boilernet", "dehusk.methods.boilernet:Boilernet", "a text node",
          "two recurrent layers over tags and words (Leonhardt et al. 2020); needs dehusk[neural]", extra="neural",
          paper=LEONHARDT),
    Entry("boilernet-small", "dehusk.methods.boilernet:Boilernet", "a text node",
          "one small recurrent layer trained by boilernet, for bulk and browsers; needs dehusk[neural]",
          extra="neural", paper=LEONHARDT),
    Entry("boilernet-paper", "dehusk.methods.boilernet:Boilernet", "a text node",
          "the network of the paper, trained on the 50 pages of its GoogleTrends-2017; needs dehusk[neural]",
          extra="neural", variant_of="boilernet"),
    Entry("boilernet-paper-cleaneval", "dehusk.methods.boilernet:Boilernet", "a text node",
          "the same, trained on 52 pages of CleanEval; needs dehusk[neural]", extra="neural", variant_of="boilernet"),
)  # fmt: skip


def _check_plugin(entry: Entry) -> None:
    """Raise an error for the entry of a plug-in that cannot be listed; whether its method runs, only its use tells."""
    from dehusk.extras import EXTRAS  # noqa: PLC0415  (as above)
    from dehusk.methods.settings import Setting  # noqa: PLC0415

    method_class = resolve(entry.method_class)
    if not isinstance(method_class, type):
        raise UsageError(f"method_class must be a class, or a string that names one, got {method_class!r:.100}")
    entry.capabilities  # noqa: B018  (raises an error if they are something else)
    if not isinstance(entry.settings, tuple) or not all(isinstance(each, Setting) for each in entry.settings):
        raise UsageError(f"settings must be a tuple of Setting, got {entry.settings!r:.100}")
    if entry.variant_of is not None and entry.variant_of not in METHODS:
        raise UsageError(f"variant_of must be the name of another method, got {entry.variant_of!r:.100}")
    if entry.extra is not None and entry.extra not in EXTRAS.values():
        raise UsageError(f"extra must be one of those of dehusk itself, got {entry.extra!r:.100}")


METHODS: Final = Table("dehusk.methods", Entry, ModelError, REGISTRY, _check_plugin)
DEFAULT: Final = "kernel"


def method(name: str | os.PathLike[str]) -> "Method":
    """Return the method with that name, or of the model in that folder, ready to run.

    A string that is both is a name: write "./kernel" for a folder called kernel.

    >>> method("alltext").name
    'alltext'
    """
    with about("method"):
        if is_folder(name) and not (isinstance(name, str) and name in METHODS):
            from dehusk.models.folders import folder_method  # noqa: PLC0415  (it imports this module)

            return folder_method(Path(name))
        entry = find_entry(name)
        if entry.name in METHODS.built_in:
            return entry.method()
        from dehusk.methods.base import check_object  # noqa: PLC0415  (as above)

        with METHODS.blaming(entry.name):
            return check_object(entry.method(), TypeError)


def find_entry(name: str | os.PathLike[str]) -> Entry:
    """Return the entry of the method with that name.

    >>> find_entry("bte").block
    'a run between block-level elements'
    """
    if isinstance(name, str) and name in METHODS:
        return METHODS[name]
    known = ", ".join(METHODS)
    raise ModelError(f"no method is called {str(name)[:200]!r}; there are {known}, or your own model's folder")


def check_method(name: str | os.PathLike[str]) -> None:
    """Raise the error that `method` would raise; what every install has is not loaded for it.

    >>> check_method("kernel")
    """
    entry = METHODS.built_in.get(name) if isinstance(name, str) else None
    if entry is None or entry.extra:
        method(name)


def adjusted(method: M, settings: Mapping[str, object]) -> M:
    """Return a method with other values of its settings, which may be given as strings.

    >>> adjusted(method("ncleaner"), {"bias": "0.1"}).shift
    0.1
    >>> adjusted(method("alltext"), {"bias": 0.1})
    Traceback (most recent call last):
    dehusk.errors.UsageError: method 'alltext' has no setting 'bias'; ncleaner has
    """
    known = {setting.name: setting for setting in getattr(method, "settings", ())}
    for name, value in settings.items():
        if name not in known:
            lacks = f"method {cast('Method', method).name!r} has no setting {name[:100]!r}"
            raise UsageError(f"{lacks}; {_hint(name, list(known))}", setting=name)
        method = known[name].apply(method, value)
    return method


def _hint(name: str, known: list[str]) -> str:
    """Return what was meant by the name of a setting that a method does not have, as far as can be known."""
    if close := get_close_matches(name, known, 1):
        return f"did you mean {close[0]}?"
    chosen = (entry for entry in REGISTRY if entry.variant_of is None)
    owners = [entry.name for entry in chosen if any(setting.name == name for setting in entry.settings)]
    if owners:
        return f"{' and '.join(owners)} ha{'s' if len(owners) == 1 else 've'}"
    return f"it has {' and '.join(known)}" if known else "it has none"


def is_folder(name: str | os.PathLike[str]) -> bool:
    """Return whether there is a folder of that name."""
    return bool(os.fspath(name)) and os.path.isdir(name)  # noqa: PTH112  (unlike Path, it raises nothing for odd names)
