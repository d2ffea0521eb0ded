"""Labelled: what every training asks of a page with gold. The corpora's pages are such, and so are anybody's."""

from typing import Protocol


class Labelled(Protocol):
    """A page with gold."""

    @property
    def corpus(self) -> str:
        """The set that it is from."""

    @property
    def id(self) -> str:
        """Its name in that set."""

    @property
    def site(self) -> str:
        """What it shares with pages that must not be parted by a fold."""

    @property
    def kind(self) -> str | None:
        """Article, forum and so on; None where nobody has said."""

    @property
    def html(self) -> str | bytes:
        """The page."""

    @property
    def gold(self) -> str | None:
        """Its main text."""
