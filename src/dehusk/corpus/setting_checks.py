"""Checks of settings: what a value may be is declared beside the setting, and checked before anything is read."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Protocol, get_args, get_origin

from dehusk.errors import ConfigError

SHOWN: Final = 80  # characters of a wrong value
MOST_BYTES: Final = 2**50  # in any setting: no machine has more, and no number of ours overflows


class Rule(Protocol):
    """What the value of a setting may be."""

    def accepts(self, value: Any) -> bool:
        """Return whether a value, which has the right type, is allowed."""

    def expected(self, kind: type) -> str:
        """Return what is allowed, in words."""

    def hint(self, value: Any) -> str:
        """Return what may have been meant by a value that is not allowed, as a question; nothing if that is unknown."""


@dataclass(frozen=True, slots=True)
class Within:
    """A number between two others, both included; never one that is not a number."""

    least: float
    most: float

    def accepts(self, value: Any) -> bool:
        """Return whether a number is allowed."""
        return bool(self.least <= value <= self.most)

    def expected(self, kind: type) -> str:
        """Return what is allowed, in words."""
        number = "a whole number" if kind is int else "a number"
        return f"{number} from {self.least:,} to {self.most:,}"

    def hint(self, value: Any) -> str:
        """Return the share that a percentage stands for."""
        is_percentage = (self.least, self.most) == (0, 1) and isinstance(value, int | float) and 1 < value <= 100
        return f"; did you mean {value / 100:g}?" if is_percentage else ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A name from a list, which is looked up when it is needed."""

    names: Callable[[], Collection[str]]

    def accepts(self, value: Any) -> bool:
        """Return whether a name is in the list."""
        return value in self.names()

    def expected(self, kind: type) -> str:
        """Return the list."""
        return f"one of {', '.join(self.names())}"

    def hint(self, value: Any) -> str:
        """Return the nearest name of the list.

        >>> OneOf(lambda: ["de", "en"]).hint("DE_AT"), OneOf(lambda: ["email", "url"]).hint("emails")
        ("; did you mean 'de'?", "; did you mean 'email'?")
        """
        name = str(value)[:SHOWN].lower()
        return did_you_mean(name.replace("_", "-").partition("-")[0], self.names()) or did_you_mean(name, self.names())


@dataclass(frozen=True, slots=True)
class Text:
    """A string that can be written to the settings file of a corpus."""

    may_be_empty: bool = False

    def accepts(self, value: Any) -> bool:
        """Return whether a string has no control characters and no lone surrogates, and is not empty."""
        return value.isprintable() and bool(value.strip() or (self.may_be_empty and not value))

    def expected(self, kind: type) -> str:
        """Return what is allowed, in words."""
        return "a string of printable characters" + ", not an empty one" * (not self.may_be_empty)

    def hint(self, value: Any) -> str:
        """Return nothing: any other string may have been meant."""
        return ""


NAMES: Final[dict[type, str]] = {bool: "true or false", str: "a string", int: "a whole number", float: "a number"}


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return a question with the known name that is most similar; nothing if none is similar."""
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def check(hint: Any, setting: str, value: Any, place: str) -> None:
    """Raise ConfigError unless a value is what the annotation of its setting allows; `place` is the name of a file."""
    kind, rule = _parts(hint)
    if get_origin(kind) is not tuple:
        if not _fits(kind, rule, value):
            raise _wrong(setting, "is", value, place, kind, rule)
        return
    member, rule = _parts(get_args(kind)[0])
    if not isinstance(value, list | tuple):
        raise _wrong(setting, "is", value, place, member, rule, "a list, each of it ")
    for each in value:
        if not _fits(member, rule, each):
            raise _wrong(setting, "has", each, place, member, rule)


def _parts(hint: Any) -> tuple[Any, Rule | None]:
    metadata = getattr(hint, "__metadata__", None)
    return (hint.__origin__, metadata[0]) if metadata else (hint, None)


def _fits(kind: type, rule: Rule | None, value: Any) -> bool:
    accepted = (int, float) if kind is float else kind
    is_kind = isinstance(value, accepted) and (kind is bool or not isinstance(value, bool))
    return is_kind and (rule is None or rule.accepts(value))


def _wrong(
    setting: str, verb: str, value: Any, place: str, kind: type, rule: Rule | None, before: str = ""
) -> ConfigError:
    table, key = setting.split(".")
    expected = rule.expected(kind) if rule else NAMES[kind]
    hint = rule.hint(value) if rule else ""
    return ConfigError(
        f"{key} in [{table}]{place} {verb} {_shown(value)}; expected {before}{expected}{hint}", setting=setting
    )


def _shown(value: Any) -> str:
    """Return a value as it is shown in a message.

    >>> _shown("de"), _shown(1 << 20_000)
    ("'de'", 'a number with thousands of digits')
    """
    try:
        shown = repr(value)
    except ValueError:
        return "a number with thousands of digits"
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
