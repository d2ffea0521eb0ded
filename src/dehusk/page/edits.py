"""Edits of a tree's elements, for training pages that are made from others."""

from turbohtml import Element, Node, Text


def set_text(element: Node, text: str) -> None:
    """Replace all that is in an element by a text."""
    assert isinstance(element, Element)  # the only other node in `Elements` is the document, which has no text itself
    element.clear()
    element.append(Text(text))


def replace_by_text(element: Node, text: str) -> None:
    """Replace an element by a text."""
    element.replace_with(Text(text))
