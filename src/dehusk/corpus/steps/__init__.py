"""Steps: what happens to a record, one file per step; each takes a case and returns another, and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dehusk.corpus.case import Case
from dehusk.corpus.settings import Settings
from dehusk.corpus.steps.extraction import extract
from dehusk.corpus.steps.language import identify
from dehusk.corpus.steps.location import locate
from dehusk.corpus.steps.quality import measure
from dehusk.corpus.steps.records import check_record
from dehusk.corpus.steps.text import edit_text
from dehusk.reasons import Code


class StepError(Exception):
    """An error in a step, with the step's name."""


@dataclass(frozen=True, slots=True)
class CorpusStep:
    """A step of the chain; the columns that it adds are in `columns.SCHEMA`."""

    name: str
    run: Callable[[Case, Settings], Case]
    codes: tuple[Code, ...] = ()  # of the reasons to reject a record, in the order in which it looks for them


CHAIN: Final[tuple[CorpusStep, ...]] = (
    CorpusStep("records", check_record, (
        Code.OTHER_KIND, Code.GAP, Code.DAMAGED, Code.TRUNCATED, Code.WRONG_LENGTH, Code.INVALID_RECORD,
        Code.NOT_ALLOWED, Code.UNREADABLE, Code.FETCH_FAILED, Code.HTTP_STATUS, Code.OTHER_TYPE, Code.TOO_SMALL,
        Code.TOO_LARGE,
    )),
    CorpusStep("location", locate),
    CorpusStep("extraction", extract, (
        Code.ROBOTS, Code.TDM, Code.NOT_A_PAGE, Code.NO_MODEL, Code.NOT_SCORED, Code.NO_TEXT, Code.NO_MAIN_TEXT,
    )),
    CorpusStep("language", identify, (Code.OTHER_LANGUAGE, Code.UNCERTAIN_LANGUAGE)),
    CorpusStep("text", edit_text),
    CorpusStep("quality", measure, (Code.TOO_SHORT, Code.BADNESS, Code.PERPLEXITY, Code.SHAPE)),
)  # fmt: skip


def run(case: Case, settings: Settings) -> Case:
    """Run all steps on a record; those after the extraction measure rejected documents too."""
    for step in CHAIN:
        try:
            case = step.run(case, settings)
            if not isinstance(case, Case):
                raise TypeError(f"expected a Case, got {case!r}")
        except MemoryError:
            raise
        except Exception as error:
            raise StepError(f"step {step.name}: {type(error).__name__}: {error}") from error
    return case
