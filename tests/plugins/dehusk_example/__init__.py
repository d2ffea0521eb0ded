"""Plug-ins for dehusk, as docs/extending.md shows them: a method, a format and a peer."""
