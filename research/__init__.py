"""Research: the tables of each paper recomputed, with notes on what was tried; one folder per paper."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Protocol, cast

from dehusk.errors import UsageError
from dehusk.extras import install_command

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table: the figures of the paper and ours; None where there is none."""

    name: str
    paper: tuple[float | None, ...]
    ours: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper with our figures, and a note on why they differ."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str = ""


class Experiment(Protocol):
    """What each folder of this package offers."""

    PAPER: str

    def tables(self, progress: Progress) -> Iterator[PaperTable]:
        """Measure, and yield each table as soon as it is done; `progress` is called with the current step."""


def names() -> list[str]:
    """Return the names of the experiments.

    >>> names()
    ['boilernet', 'downstream', 'dump', 'fiasco', 'kernel', 'ncleaner', 'pyplexity', 'texrex']
    """
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


def by_name(name: str) -> Experiment:
    """Return the experiment of that name."""
    if name not in names():
        raise UsageError(f"there is no experiment {name!r}; choose from {', '.join(names())}")
    return cast(Experiment, import_module(f"{__name__}.{name}"))


def charts_of(name: str) -> ModuleType:
    """Return the module that draws an experiment's figures; called first, to notice a missing package early."""
    try:
        return import_module(f"{__name__}.{name}.charts")
    except ImportError as error:
        raise UsageError(f"this experiment needs more packages ({error}); {install_command('research')}") from error
