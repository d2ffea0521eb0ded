"""Outline: what is written of a page as a list of its own, from which the formats with structure are written."""
