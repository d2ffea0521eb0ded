"""Outline: what is written of a page as a list of its own, from which the formats with structure are written."""

from dehusk.outline.build import outline
from dehusk.outline.parts import PLAIN, Look, Outline

__all__ = ["PLAIN", "Look", "Outline", "outline"]
