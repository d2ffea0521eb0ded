"""dehusk serve and dehusk mcp on the command line: wrong usage, and what is not installed."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_a_key_file_that_is_missing_or_empty_is_wrong_usage(dehusk: Run) -> None:
    assert "cannot be read" in dehusk("serve", "--key-file", "missing").err
    Path("empty").write_text("\n")
    ended = dehusk("serve", "--key-file", "empty")
    assert (ended.status, ended.err) == (2, "dehusk: --key-file: empty is empty; expected a key\n")


@pytest.mark.parametrize(("command", "module", "extra"), [("serve", "fastapi", "serve"), ("mcp", "mcp", "mcp")])
def test_what_is_not_installed_is_named_with_the_command_that_does(
    dehusk: Run, monkeypatch: pytest.MonkeyPatch, command: str, module: str, extra: str
) -> None:
    monkeypatch.setattr("dehusk.extras.find_spec", lambda name: None if name == module else object())
    ended = dehusk(command)
    assert ended.status == 2
    assert f"needs {module}, which is not installed; pip install" in ended.err
    assert f"[{extra}]" in ended.err


def test_a_port_in_use_ends_the_command(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "dehusk", "serve", "--jobs", "1", "--port", str(taken.getsockname()[1])]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "address already in use" in ended.stderr
