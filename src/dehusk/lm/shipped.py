"""The shipped language models: one folder per language, and one for scientific English."""

from dehusk.errors import ModelError
from dehusk.lm.model import SHIPPED, LanguageModel, loaded


def names() -> list[str]:
    """Return the names of all models: a language, or a language and the subject of its texts.

    >>> {"de", "en", "en-science"} <= set(names())
    True
    """
    return sorted(path.parent.name for path in SHIPPED.glob("*/model.json"))


def model(name: str) -> LanguageModel:
    """Return the model with that name, which is mapped to memory once.

    >>> model("en").language
    'en'
    """
    if name not in names():
        raise ModelError(
            f"there is no language model for {name[:40]!r}; there are {', '.join(names())}, "
            "and `dehusk train lm` makes one"
        )
    return loaded(SHIPPED / name)
