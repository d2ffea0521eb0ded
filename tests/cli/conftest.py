import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dehusk.cli import main


class Ended(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def dehusk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "argv", ["dehusk", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        with pytest.raises(SystemExit) as caught:
            main()
        return Ended(int(caught.value.code or 0), *capsys.readouterr())

    return run
