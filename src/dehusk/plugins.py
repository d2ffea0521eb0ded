"""Tables of methods, formats and peers: what is built in, and what other distributions add by entry points.

A built-in entry wins over a plug-in of the same name. Installed distributions are searched only for a name that is not
built in, or to list all names, since that takes as long as the extraction of several pages.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from dehusk.errors import DehuskError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import UnionType

ADVICE: Final = "update it, or mend it if it is yours (docs/extending.md)"


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Entry = TypeVar("Entry", bound=_Named)


class Table(Mapping[str, Entry]):
    """The entries of one kind by name: the built-in ones, then those of plug-ins, which are loaded when they are used.

    >>> from dehusk.formats import FORMATS
    >>> FORMATS["text"].suffixes, "pdf" in FORMATS
    (('.txt',), False)
    """

    def __init__(
        self,
        group: str,
        kind: type[Entry],
        error: type[DehuskError],
        entries: Iterable[Entry],
        check: Callable[[Entry], None] = lambda entry: None,
        reserved: Iterable[str] = (),
    ) -> None:
        """Take the group of entry points, the type that they load to, the error for those that do not, the built-in.

        `check` raises any error for the entry of a plug-in that cannot work; `reserved` are names that mean something
        else.
        """
        self.group, self.kind, self.error, self.check = group, kind, error, check
        self.built_in = {entry.name: entry for entry in entries}
        aliases = (alias for entry in self.built_in.values() for alias in _aliases(entry))
        self.taken = {*self.built_in, *aliases, *reserved}

    def __getitem__(self, name: str) -> Entry:
        return self.built_in[name] if name in self.built_in else self._load(self._added()[name])

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self._added()

    def __iter__(self) -> Iterator[str]:
        return iter([*self.built_in, *self._added()])

    def __len__(self) -> int:
        return len(self.built_in) + len(self._added())

    def usable(self) -> tuple[list[Entry], list[str]]:
        """Return all entries that can be used, and what is wrong with the plug-ins that cannot."""
        entries, problems = list(self.built_in.values()), [*self.not_used().values()]
        for points in self._added().values():
            try:
                entry = self._load(points)
            except self.error as error:
                problems.append(str(error))
            else:
                entries.append(entry)
                names = self.taken & set(_aliases(entry))
                problems += [
                    f"{self._about(points)}, whose alias {name!r} is built in: not used" for name in sorted(names)
                ]
        return entries, problems

    def not_used(self) -> dict[str, str]:
        """Return what is to be said of plug-ins that nobody can use, since their names are built in."""
        return {
            name: f"{self._about(points)}, which is built in: not used"
            for name, points in _plugins(self.group).items()
            if name in self.taken
        }

    @contextmanager
    def blaming(self, name: str) -> Iterator[None]:
        """Let what is raised inside name the distribution that adds `name`; our own errors stay as they are."""
        try:
            yield
        except (KeyboardInterrupt, DehuskError):
            raise
        except BaseException as error:  # the code of others may raise anything, and even end Python
            if name in self.built_in:
                raise
            raise self._broken(self._added()[name], error) from error

    def _added(self) -> "dict[str, list[EntryPoint]]":
        return {name: points for name, points in _plugins(self.group).items() if name not in self.taken}

    def _about(self, points: "list[EntryPoint]") -> str:
        return f"{_origin(points)} adds {points[0].name!r} to {self.group}"

    def _broken(self, points: "list[EntryPoint]", error: BaseException) -> DehuskError:
        problem = " ".join(f"{type(error).__name__}: {error}".splitlines())
        return self.error(f"{self._about(points)}, but does not load: {problem}; {ADVICE}")

    def _load(self, points: "list[EntryPoint]") -> Entry:
        name = points[0].name
        if len(points) > 1:
            raise self.error(f"{_origin(points)} both add {name!r} to {self.group}; uninstall one of them")
        try:
            # What a plug-in prints must not come between the pages, or the messages of MCP, on standard output.
            with redirect_stdout(sys.stderr):
                entry = points[0].load()
                if isinstance(entry, self.kind):
                    self.check(entry)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # as above
            raise self._broken(points, error) from error
        if not isinstance(entry, self.kind) or entry.name != name:
            expected = f"a {self.kind.__module__}.{self.kind.__qualname__} of that name"
            raise self.error(f"{self._about(points)}: expected {expected}, got {entry!r:.200}; {ADVICE}")
        return entry


def check_types(entry: Any, **types: "type | UnionType") -> None:
    """Raise UsageError unless these fields of an entry are of these types, and tuples of strings where it is `tuple`.

    >>> from dehusk.formats import Format
    >>> Format("upper", str.upper, ".up")
    Traceback (most recent call last):
    dehusk.errors.UsageError: suffixes must be a tuple of strings, got '.up'; is a comma missing?
    """
    for field, kind in types.items():
        value = getattr(entry, field)
        strings: Iterable[object] = value if kind is tuple and isinstance(value, tuple) else ()
        if not isinstance(value, kind) or not all(isinstance(each, str) for each in strings):
            expected = "a tuple of strings" if kind is tuple else "a string"
            hint = "; is a comma missing?" if kind is tuple and isinstance(value, str) else ""
            raise UsageError(f"{field} must be {expected}, got {value!r:.100}{hint}")


def resolve(reference: Any) -> Any:
    """Return what a string such as "module:name" refers to, imported on first use; anything else is returned as it is.

    >>> resolve("math:pi"), resolve(len)
    (3.141592653589793, <built-in function len>)
    """
    return _imported(reference) if isinstance(reference, str) else reference


@cache
def _imported(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


@cache
def _plugins(group: str) -> "dict[str, list[EntryPoint]]":
    from importlib.metadata import entry_points  # noqa: PLC0415  (a tenth of the start-up time, and rarely needed)

    plugins: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=group)):
        plugins.setdefault(point.name, []).append(point)
    return plugins


def _origin(points: "list[EntryPoint]") -> str:
    """Return the distributions that entry points are from."""
    return " and ".join(f"{point.dist.name} {point.dist.version}" if point.dist else point.value for point in points)


def _aliases(entry: Any) -> tuple[str, ...]:
    return getattr(entry, "aliases", ())
