"""What the fuzzer and its child processes say to each other."""

from dataclasses import dataclass
from typing import NamedTuple

from fuzz.execution import Outcome, Request
from fuzz.mutations import Case


@dataclass(frozen=True, slots=True)
class Made:
    """A task: the input of that seed and index, through all methods."""

    seed: int
    index: int


class Given(NamedTuple):
    """A task: an input that exists, through some methods."""

    case: Case
    requests: tuple[Request, ...]


class Answer(NamedTuple):
    """What became of a task."""

    size: int  # bytes of the input
    outcomes: list[Outcome]
    seconds: float  # CPU time of the child since its start
