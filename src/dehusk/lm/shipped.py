"""The language models that are shipped: a folder a language, and one for scientific English."""

from dehusk.errors import ModelError
from dehusk.lm.model import SHIPPED, LanguageModel, loaded


def names() -> list[str]:
    """Return what there is: a language, or a language and what its texts are about.

    >>> {"de", "en", "en-science"} <= set(names())
    True
    """
    return sorted(path.parent.name for path in SHIPPED.glob("*/model.json"))


def model(name: str) -> LanguageModel:
    """Return the model of that name, mapped to memory once.

    >>> model("en").language
    'en'
    """
    if name not in names():
        raise ModelError(
            f"there is no language model for {name[:40]!r}; there are {', '.join(names())}, "
            "and `dehusk train lm` makes one"
        )
    return loaded(SHIPPED / name)
