"""The shipped language models: one folder per language, and one for scientific English."""

from pathlib import Path

from dehusk.errors import ModelError
from dehusk.lm.model import LanguageModel
from dehusk.model_files import shipped_folder


def folder() -> Path:
    """Return the folder that holds a folder per model; raise ModelError if the extra `lm` is not installed."""
    return shipped_folder("pyplexity")


def names() -> list[str]:
    """Return the names of all installed models: a language, or a language and the subject of its texts.

    >>> {"de", "en", "en-science"} <= set(names())
    True
    """
    try:
        return sorted(path.parent.name for path in folder().glob("*/model.json"))
    except ModelError:
        return []


def model(name: str) -> LanguageModel:
    """Return the model with that name, which is mapped to memory once.

    >>> model("en").language
    'en'
    """
    models = folder()
    if name not in names():
        raise ModelError(
            f"there is no language model for {name[:40]!r}; there are {', '.join(names())}, "
            "and `dehusk train lm` makes one"
        )
    return LanguageModel.loaded(models / name)


def find(name: str | Path) -> LanguageModel:
    """Return a shipped model by its name, or any model by its folder."""
    if isinstance(name, str) and (name in names() or not _exists(name)):
        return model(name)
    return LanguageModel.loaded(Path(name))


def _exists(path: str) -> bool:
    """Return whether there is such a file or folder; a path that is empty or too long does not exist."""
    try:
        return bool(path) and Path(path).exists()
    except OSError:
        return False
