import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dehusk.cli import command_line
from dehusk.errors import UsageError
from dehusk.extras import install_command

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
    assert install_command("peers") in str(ended.exception)


def test_a_method_without_its_weights_is_left_out_before_anything_is_measured(
    corpus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dehusk_neural", None)
    command = install_command("neural")
    ended = run("--corpus", corpus, "--jobs", "1")
    assert ended.exit_code == 0
    assert f"left out boilernet: boilernet needs the models of dehusk-neural, which is not installed; {command}" in (
        ended.stderr
    )
    assert not re.search("^ *boilernet ", ended.stdout, re.MULTILINE)
    named = run("--corpus", corpus, "--method", "boilernet-small")
    assert isinstance(named.exception, UsageError)
    assert "boilernet-small cannot run: " in str(named.exception)
    assert command in str(named.exception)


def test_peers_are_told_the_language_that_was_detected_and_a_language_they_lack_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("justext")
    chinese = "雨下了一整天，没有人出门，直到晚上才停下来。孩子们在窗前看雨，老人们在屋里喝茶聊天。" * 8
    german = "Der Hund und die Katze sind mit dem Kind in den Garten gegangen, weil es nicht mehr regnet. " * 8
    pages = enumerate((german, chinese))
    rows = [json.dumps({"id": str(number), "html": f"<p>{text}</p>", "gold": text}) for number, text in pages]
    path = tmp_path / "two.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    ended = run("--corpus", str(path), "--method", "justext", "--jobs", "1", "--output", str(tmp_path / "lab"))
    assert "justext has no word list for the language of these pages, and ran without one: zh (1)" in ended.stderr
    measured = json.loads((tmp_path / "lab" / "evaluation.json").read_text(encoding="utf-8"))["rows"]
    # With English words jusText would keep nothing of the German page.
    assert [row["f1"] > 0.9 for row in measured if row["page"] == "0"] == [True]
