"""Steps: what happens to a record, one file per step; each takes a case and returns another, and nothing else."""

from collections.abc import Callable
from typing import Final

from dehusk.corpus.case import Case
from dehusk.corpus.settings import Settings
from dehusk.corpus.steps.extraction import extract
from dehusk.corpus.steps.language import identify
from dehusk.corpus.steps.location import locate
from dehusk.corpus.steps.quality import measure
from dehusk.corpus.steps.records import check_record
from dehusk.corpus.steps.text import edit_text

Step = Callable[[Case, Settings], Case]
CHAIN: Final[tuple[Step, ...]] = (check_record, locate, extract, identify, edit_text, measure)


def run(case: Case, settings: Settings) -> Case:
    """Run all steps on a record; those after the extraction measure rejected documents too."""
    for step in CHAIN:
        case = step(case, settings)
    return case
