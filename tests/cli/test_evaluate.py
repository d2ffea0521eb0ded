import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dehusk.cli import command_line
from dehusk.errors import UsageError

STORY = "It rained all day in the valley and nobody went out of the house."
PAGE = f"<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>{STORY}</p>"


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    path = tmp_path / "mine.jsonl"
    rows = [{"id": name, "html": PAGE, "gold": STORY} for name in "ab"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command_line(), ["evaluate", *arguments])


def test_a_table_says_what_each_method_reached(corpus: str) -> None:
    printed = run("--corpus", corpus, "--method", "bte", "--method", "alltext", "--jobs", "1")
    assert printed.exit_code == 0
    lines = [line.split()[:2] for line in printed.stdout.splitlines()]
    assert ["bte", "1.000"] in lines
    assert ["alltext", "0.933"] in lines


def test_several_corpora_get_one_figure_over_all(corpus: str, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"id": "c", "html": f"<p>{STORY}", "gold": STORY}) + "\n", encoding="utf-8")
    printed = run("--corpus", corpus, "--corpus", str(other), "--method", "bte", "--method", "alltext", "--jobs", "1")
    _, _, overall = printed.stdout.partition("Mean F1 over 2 corpora")
    assert [line.split() for line in overall.splitlines()[2:]] == [["bte", "1.000"], ["alltext", "0.967"]]


def test_files_are_written_and_a_later_run_is_compared_with_them(corpus: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    first = run("--corpus", corpus, "--method", "bte", "--output", str(lab), "--jobs", "1")
    assert first.exit_code == 0
    names = {"evaluation.json", "figures.csv", "pages.csv", "report.html"}
    assert {path.name for path in lab.iterdir()} == names
    again = run("--corpus", corpus, "--method", "bte", "--against", str(lab / "evaluation.json"), "--jobs", "1")
    assert "+0.0000" in again.stdout
    other = run("--corpus", corpus, "--method", "alltext", "--against", str(lab / "evaluation.json"), "--jobs", "1")
    assert "no method and page in common" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "nonsense"], "there is no method or peer 'nonsense'"),
        (["--metric", "snippets"], "none with the gold that snippets needs"),
        (["--part", "test"], "has 0 pages"),
        (["--output", __file__], "cannot create"),
    ],
)
def test_mistakes_are_reported_before_anything_is_measured(corpus: str, arguments: list[str], message: str) -> None:
    ended = run("--corpus", corpus, *arguments)
    assert isinstance(ended.exception, UsageError)
    assert message in str(ended.exception)


def test_a_peer_that_is_not_installed_is_reported(corpus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)  # what Python takes for "cannot be imported"
    ended = run("--corpus", corpus, "--method", "trafilatura")
    assert isinstance(ended.exception, UsageError)
    assert "trafilatura cannot run" in str(ended.exception)
    assert "pip install 'dehusk[peers]'" in str(ended.exception)
