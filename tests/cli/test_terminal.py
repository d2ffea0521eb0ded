"""Control characters of a page reach pipes and files, never a terminal, and never a message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dehusk.cli.terminal import harmless, harmless_message

HOSTILE = "<p>Rain\x1b]0;owned\x07 and \x1b[2J snow\x9b31m, all of it.\u202e"
COMMAND = [sys.executable, "-m", "dehusk", "extract", "--method", "alltext"]


def on_a_terminal(arguments: list[str], *, error: bool = False) -> bytes:
    """Run a command with a terminal as its standard output, or standard error, and return what it writes there."""
    pty = pytest.importorskip("pty", reason="Windows has none")
    ours, theirs = pty.openpty()
    streams = {"stderr": theirs, "stdout": subprocess.DEVNULL} if error else {"stdout": theirs}
    with subprocess.Popen([*COMMAND, *arguments], stdin=subprocess.DEVNULL, **streams) as process:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 65_536):
                written += part
        except OSError:  # how Linux says that the other side was closed
            pass
        process.wait()
    os.close(ours)
    return written


def test_a_terminal_gets_no_control_characters(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(HOSTILE, encoding="utf-8")
    shown = on_a_terminal([str(page)])
    assert b"Rain" in shown
    assert b"snow" in shown
    assert not {0x1B, 0x07} & set(shown)
    assert b"\xc2\x9b" not in shown


def test_several_pages_on_a_terminal_have_only_the_sequences_of_the_bar(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(HOSTILE, encoding="utf-8")
    shown = on_a_terminal([str(tmp_path), "--quiet"])
    assert shown.count(b"snow") == 2
    assert b"\x1b]0;" not in shown
    assert b"\x1b[2J" not in shown


def test_a_pipe_gets_the_text_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(HOSTILE, encoding="utf-8")
    found = subprocess.run([*COMMAND, str(page)], capture_output=True, check=True)
    assert b"Rain\x1b]0;owned\x07" in found.stdout


def test_messages_have_no_control_characters_wherever_they_go(tmp_path: Path) -> None:
    page = tmp_path / "a\x1b]0;owned\x07\u202elmth.html"
    page.write_text("<p>", encoding="utf-8")
    found = subprocess.run([*COMMAND, str(page)], capture_output=True, check=False)
    assert b"a\\x1b]0;owned\\x07\\u202elmth.html: " in found.stderr
    assert b"\x1b" not in found.stderr
    assert b"\x1b]0;" not in on_a_terminal([str(page)], error=True)


def test_wrong_usage_is_reported_without_control_characters() -> None:
    found = subprocess.run([*COMMAND, "--form\x1b[2J"], capture_output=True, check=False)
    assert b"dehusk: " in found.stderr
    assert b"\x1b" not in found.stderr


def test_colours_of_our_own_stay() -> None:
    assert harmless("\x1b[38;5;40mRain\x1b[0m\n\tx") == "\x1b[38;5;40mRain\x1b[0m\n\tx"
    assert harmless("\x1b[8mRain\x1b[31m\r") == "�[8mRain�[31m�"
    assert harmless_message("a\x1b[0m\u2066b\ud800é\n") == "a\\x1b[0m\\u2066b\\ud800é\n"
