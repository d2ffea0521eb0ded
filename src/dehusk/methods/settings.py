"""What a method lets its user change: an attribute `settings` of the method, a tuple of `Setting`.

`dehusk models NAME` lists them, `--set NAME=VALUE` and `dehusk.models.registry.adjusted` change them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dehusk.errors import UsageError, about


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a method."""

    name: str
    meaning: str
    allowed: str  # the values, in words: "a number between 0 and 1"
    default: str  # in words, too: it may depend on the page
    kind: Callable[[str], Any]  # makes the value from a string; a ValueError refuses it
    change: Callable[[Any, Any], Any]  # returns the method with a value
    fits: Callable[[Any], bool] = lambda _value: True

    def apply(self, method: Any, value: object) -> Any:
        """Return the method with a value, which may be given as a string.

        >>> depth = Setting("depth", "levels", "a whole number", "1", int, lambda method, depth: depth)
        >>> depth.apply(None, "3")
        3
        >>> depth.apply(None, 2.5)
        Traceback (most recent call last):
        dehusk.errors.UsageError: depth must be a whole number, got 2.5
        """
        try:
            converted = self.kind(str(value))
            allowed = self.fits(converted)
        except ValueError:
            allowed = False
        if not allowed:
            raise UsageError(
                f"{self.name} must be {self.allowed}, got {str(value)[:100] or 'nothing'}", setting=self.name
            )
        with about(self.name):
            return self.change(method, converted)
