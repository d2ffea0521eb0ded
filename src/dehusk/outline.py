"""Outline: what was kept of a page as a tree of its own, from which the formats with structure are written."""
