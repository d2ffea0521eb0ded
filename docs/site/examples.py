"""An extension of Griffe, which reads docstrings for the reference: examples become code blocks.

Our docstrings have examples as plain doctests, without a heading; Markdown would take `>>>` for a quotation.
"""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def fenced(text: str) -> str:
    r"""Return a docstring with its doctests in fences.

    >>> fenced("Adds.\n\n>>> 1 + 1\n2\n\nMore.")
    'Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore.'
    """
    return DOCTEST.sub(lambda match: f"```pycon\n{match[0]}\n```", text)


class Examples(griffe.Extension):  # type: ignore[misc, unused-ignore]  # checked without Griffe, too
    """Fences the examples of every object that is loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
