"""Edits: a tree's elements made to say something else, for pages that a training makes of others."""

from turbohtml import Element, Node, Text


def say(element: Node, words: str) -> None:
    """Put words in the place of all that is in an element."""
    assert isinstance(element, Element)  # a document, the only other node that `Elements` has, says nothing itself
    element.clear()
    element.append(Text(words))


def give_way(element: Node, words: str) -> None:
    """Put words in the place of an element."""
    element.replace_with(Text(words))
