# cython: wraparound=False
"""Whether text needs escaping.

Compiled with the C types in fast_escape.pxd; as plain Python it returns the same.
"""


def may_be_markup(text: str) -> bool:
    """Tell whether a text has any of the characters that can turn text into Markdown's markup, wherever they stand."""
    for letter in text:  # noqa: SIM110  (a generator would not compile to a loop)
        if letter in "\\`*_[]<&~$":
            return True
    return False
