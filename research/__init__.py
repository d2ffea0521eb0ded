"""Research: the tables of the papers, recomputed, and notes of what was tried. A new one has `PAPER` and `tables()`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Protocol, cast

from dehusk.errors import UsageError

Tick = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a paper's table: what the paper has, what we measured; None where one of them has nothing."""

    name: str
    paper: tuple[float | None, ...]
    ours: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper beside ours, and why they differ where they do."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str = ""


class Experiment(Protocol):
    """What a module of this package offers."""

    PAPER: str

    def tables(self, tick: Tick) -> Iterator[PaperTable]:
        """Measure, and yield each table as it is done; `tick` tells what is at work."""


def names() -> list[str]:
    """Return the experiments there are.

    >>> "dump" in names()
    True
    """
    return sorted(module.name for module in iter_modules(__path__) if module.name != "__main__")


def by_name(name: str) -> Experiment:
    """Return the experiment of that name."""
    if name not in names():
        raise UsageError(f"no experiment is called {name!r}; there are {', '.join(names())}")
    return cast(Experiment, import_module(f"{__name__}.{name}"))


def drawing(name: str) -> ModuleType:
    """Return the module that draws an experiment's plots, at its beginning: plots that fail come after all the work."""
    try:
        return import_module(f"{__name__}.{name}.charts")
    except ImportError as error:
        raise UsageError(f"this experiment needs more packages ({error}); pip install 'dehusk[research]'") from error
