"""The errors that dehusk raises, one class for each thing that a caller can do about it.

DehuskError            catch this to catch them all
├── InputError         a source cannot be read: skip it, or mend the path, address or file
├── UsageError         an argument is wrong: mend the call
└── ModelError         a model is missing or does not fit this version: install, retrain or choose another

A page without main text, a page over a limit and a page that is no HTML are not errors: each is a `Document` with empty
text and a `reason`.
"""


class DehuskError(Exception):
    """The base of all errors that dehusk raises on purpose."""


class InputError(DehuskError):
    """A source of pages could not be read."""


class UsageError(DehuskError, ValueError):
    """An argument has a value that cannot work."""


class ModelError(DehuskError):
    """A model is unknown, missing or made for another version."""
