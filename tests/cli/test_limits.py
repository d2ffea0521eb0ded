"""Every command that reads a page does so under the limits on time and memory, also if it is a single small one."""

import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from dehusk import Limits
from dehusk.batch import Job
from tests.cli.conftest import Run

COMMANDS = {
    "extract": ["extract", "--method", "alltext", "page.html"],
    "annotate": ["annotate", "--method", "alltext", "page.html"],
    "strip": ["strip", "page.html"],
    "perplexity": ["perplexity", "page.html"],
    "standard input": ["extract", "--method", "alltext"],
    "output": ["extract", "--method", "alltext", "page.html", "--output", "out"],
}
# Where each command begins to work on a page.
STAGES = ["dehusk.methods.alltext.AllText.segment", "dehusk.perplexity.cut_sentences"]
SLOW = """
import os, time
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command sets it, before numpy starts its threads
from dehusk.cli import main
from dehusk.methods.alltext import AllText
AllText.segment = lambda *_: time.sleep(1000)
main()
"""


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text("<p>It had rained for nine days.")
    return COMMANDS[request.param]


def test_a_page_that_takes_too_long(dehusk: Run, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.cli.batch.Job", partial(Job, limits=Limits(seconds=1)))
    for stage in STAGES:
        monkeypatch.setattr(stage, lambda *_: time.sleep(1000))
    name = "page.html" if "page.html" in command else "-"
    assert dehusk(*command, stdin=b"<p>x") == (1, "", f"dehusk: {name}: took longer than 1 s\n")
    assert not [path for path in Path().rglob("out/*") if path.is_file()]


def test_a_page_that_takes_too_much_memory(dehusk: Run, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for stage in STAGES:
        monkeypatch.setattr(stage, lambda *_: bytearray(10_000_000_000))
    name = "page.html" if "page.html" in command else "-"
    assert dehusk(*command, stdin=b"<p>x") == (1, "", f"dehusk: {name}: out of memory\n")


def test_words_that_take_too_much_memory(dehusk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.perplexity.cut_sentences", lambda *_: bytearray(10_000_000_000))
    ended = dehusk("perplexity", "It had rained for nine days.")
    assert (ended.out, ended.err) == ("", "dehusk: out of memory\n")


@pytest.mark.slow
def test_the_command_itself_ends_after_half_a_minute(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Hello")
    command = [sys.executable, "-c", SLOW, "extract", "--method", "alltext", str(page)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"dehusk: {page}: took longer than 30 s\n")
