"""The faulty crawl and its checker: the crawl is what it says, and every sort of problem is seen."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.crawl_faults import FAULTS
from benchmarks.faulty_corpus import file_problems
from benchmarks.faulty_crawl import FileTruth, digest, read_truth, write_crawl

PAGE = "https://a.example/1"
TRUTH = FileTruth("none", {PAGE: digest("One")})
DAMAGED = FileTruth("cut", damaged=[PAGE], is_sound=False)


def row(url: str | None = PAGE, code: str | None = None, text: str = "One") -> dict[str, Any]:
    return {"url": url, "reason_code": code, "page_text": text}


@pytest.mark.parametrize(
    ("truth", "rows", "problem"),
    [
        (TRUTH, [], "lost"),
        (TRUTH, [row(text="On")], "changed"),
        (TRUTH, [row(), row()], "2 times"),
        (TRUTH, [row(), row("https://b.example/")], "ghost"),
        (TRUTH, [row(), row(None, "damaged")], "nothing is wrong, but"),
        (DAMAGED, [], "lost without a word"),
        (FileTruth("cut", salvaged=[PAGE], is_sound=False), [row(code="damaged", text="")], "not salvaged"),
    ],
)
def test_every_sort_of_problem_is_seen(truth: FileTruth, rows: list[dict[str, Any]], problem: str) -> None:
    (found,) = file_problems(truth, rows, gaps=0)
    assert found.startswith(problem)


def test_what_is_as_it_should_be_is_no_problem() -> None:
    assert not list(file_problems(TRUTH, [row()], gaps=0))
    assert not list(file_problems(DAMAGED, [], gaps=1))
    assert not list(file_problems(DAMAGED, [row(None, "damaged")], gaps=0))


def test_the_crawl_is_a_function_of_its_seed_and_no_page_is_in_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truths = write_crawl(tmp_path / "one", records=100, seed=1)
    monkeypatch.setattr(time, "time", lambda: 0.0)  # which gzip writes down unless told not to
    assert read_truth(tmp_path / "one") == truths == write_crawl(tmp_path / "other", records=100, seed=1)
    assert len(truths) == len(FAULTS) >= 40
    for name, truth in truths.items():
        data = (tmp_path / "one" / name).read_bytes()
        assert data == (tmp_path / "other" / name).read_bytes()
        assert len(data) == truth.bytes
    pages = Counter(url for truth in truths.values() for url in (*truth.readable, *truth.salvaged, *truth.damaged))
    assert max(pages.values()) == 1
