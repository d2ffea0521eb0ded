"""The errors that dehusk raises, one class for each way to handle them.

DehuskError            catch this to catch them all
├── InputError         a source cannot be read: skip it, or correct the path, URL or file
├── UsageError         an argument is wrong: correct the call
│   └── ConfigError    a setting in a configuration file is wrong: correct the file
└── ModelError         a model is missing or does not fit this version: install, retrain or choose another

A page without main text, a page over a limit and a page that is no HTML are not errors: each is a `Document` with empty
text and a `reason`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.reasons import Reason


class DehuskError(Exception):
    """The base class of all errors that dehusk raises on purpose.

    >>> import dehusk
    >>> try:
    ...     dehusk.extract("<p>Hello", method="magic")
    ... except DehuskError as error:
    ...     print(type(error).__name__)
    ModelError

    `setting` is the name of the argument, option or key that the error is about, if it is about one, and `reason` what
    ended a run, if it was one: programs compare its code.
    """

    def __init__(self, message: str, *, setting: str | None = None, reason: "Reason | None" = None) -> None:
        super().__init__(message)
        self.setting, self.reason = setting, reason


class InputError(DehuskError):
    """A source of pages could not be read.

    >>> import dehusk
    >>> dehusk.extract_file("missing.html")
    Traceback (most recent call last):
    dehusk.errors.InputError: no such file: 'missing.html'; expected the path of a page
    """


class UsageError(DehuskError, ValueError):
    """An argument has an invalid value.

    >>> import dehusk
    >>> dehusk.extract("<p>Hello", threshold=50)
    Traceback (most recent call last):
    dehusk.errors.UsageError: threshold must lie between 0 and 1, got 50; did you mean 0.5?
    """


class ConfigError(UsageError):
    """A configuration file has an unknown or invalid setting."""


class ModelError(DehuskError):
    """A model is unknown, missing or was made for another version.

    >>> import dehusk
    >>> dehusk.Extractor("magic")
    Traceback (most recent call last):
    dehusk.errors.ModelError: no method is called 'magic'; there are kernel, alltext, bte, ...
    """


@contextmanager
def about(setting: str) -> Iterator[None]:
    """Let the errors that are raised inside be about a setting: who raises one may know it by another name, or by none.

    >>> with about("beside"):
    ...     raise ModelError("no method is called 'magic'", setting="method")
    Traceback (most recent call last):
    dehusk.errors.ModelError: no method is called 'magic'
    """
    try:
        yield
    except DehuskError as error:
        error.setting = setting
        raise
