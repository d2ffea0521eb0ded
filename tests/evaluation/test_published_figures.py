"""Our measurements compared with figures that others published."""

import resource

import numpy as np
import pytest

from dehusk.evaluation.run import Plan, evaluate
from dehusk.extractor import Extractor
from dehusk.gold.corpora import open_corpus
from research import by_name, names

pytestmark = [pytest.mark.slow, pytest.mark.data]


def cpu_of_workers() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_oracle_is_above_098_and_aligning_all_pages_takes_less_than_six_minutes_of_cpu() -> None:
    start = cpu_of_workers()
    pages = evaluate(open_corpus("wcxb-dev"), Plan(("oracle", "alltext"), "bow", blocks=True), jobs=2)
    rows = [row for page in pages for row in page.rows if not row.empty_gold]
    assert cpu_of_workers() - start < 360
    assert np.mean([row.f1 for row in rows if row.system == "oracle"]) >= 0.98
    # What is not in the text cannot be kept by any method.
    assert np.mean([row.recall for row in rows if row.system == "alltext"]) >= 0.97


def test_resiliparse_scores_as_published() -> None:
    pages = evaluate(open_corpus("wcxb-dev"), Plan(("resiliparse",), "bow"), jobs=2)
    assert np.mean([page.rows[0].f1 for page in pages]) == pytest.approx(0.771, abs=0.02)


def test_the_dump_has_the_recall_of_the_paper() -> None:
    table = next(iter(by_name("dump").tables(print)))
    paper, ours = table.lines[0].paper, table.lines[0].ours
    assert ours[2] == pytest.approx(paper[2], abs=3)


def test_every_experiment_names_its_paper() -> None:
    assert all(by_name(name).PAPER for name in names())


def test_every_page_of_three_corpora_can_be_extracted() -> None:
    extractor = Extractor("bte")
    for name in ("googletrends2017", "canola", "fundus"):
        for page in open_corpus(name).pages():
            document = extractor.extract(page.html)
            assert document.text or document.reason
