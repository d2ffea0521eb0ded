"""python -m research lists the papers, and explains what is wrong."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def research(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "research", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_papers_are_listed() -> None:
    listed = research().stdout
    assert "dump" in listed
    assert "LREC 2008" in listed


def test_an_unknown_paper_ends_with_a_message_and_no_traceback() -> None:
    ended = research("texre")
    assert ended.returncode == 2
    assert "choose from" in ended.stderr
    assert "Traceback" not in ended.stderr
