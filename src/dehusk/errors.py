"""The errors that dehusk raises, one class for each way to handle them.

DehuskError            catch this to catch them all
├── InputError         a source cannot be read: skip it, or correct the path, URL or file
├── UsageError         an argument is wrong: correct the call
│   └── ConfigError    a setting in a configuration file is wrong: correct the file
└── ModelError         a model is missing or does not fit this version: install, retrain or choose another

A page without main text, a page over a limit and a page that is no HTML are not errors: each is a `Document` with empty
text and a `reason`.
"""


class DehuskError(Exception):
    """The base class of all errors that dehusk raises on purpose."""


class InputError(DehuskError):
    """A source of pages could not be read."""


class UsageError(DehuskError, ValueError):
    """An argument has an invalid value."""


class ConfigError(UsageError):
    """A configuration file has an unknown or invalid setting."""


class ModelError(DehuskError):
    """A model is unknown, missing or was made for another version."""
