import io
import sys
import warnings
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
    """Return a function that runs the command line in an empty folder, a single page always in a copy of this process.

    What a test replaces is replaced in a copy, too, but not in a worker, which would run if earlier tests had left
    threads behind.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dehusk.forked.is_safe", lambda: True)
    warnings.filterwarnings("ignore", "This process .* is multi-threaded, use of fork", DeprecationWarning)

    def run(*arguments: str, stdin: bytes | None = b"") -> Ended:
        monkeypatch.setattr(sys, "argv", ["dehusk", *arguments])
        if stdin is not None:  # else it is what the test has made it
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        with pytest.raises(SystemExit) as caught:
            main()
        return Ended(int(caught.value.code or 0), *capsys.readouterr())

    return run
