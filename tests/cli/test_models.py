import sys

import pytest

from dehusk import __version__
from dehusk.cli import main
from dehusk.models.registry import DEFAULT, REGISTRY


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["dehusk", *arguments])
    with pytest.raises(SystemExit, match="0"):
        main()
    return capsys.readouterr().out


def test_every_method_has_its_line_and_the_default_a_star(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heading, *lines = run(monkeypatch, capsys, "models").splitlines()
    assert heading.split()[0] == "method"
    assert [line.split()[0] for line in lines] == [entry.name + "*" * (entry.name == DEFAULT) for entry in REGISTRY]
    assert len({line.index(entry.summary) for line, entry in zip(lines, REGISTRY, strict=True)}) == 1


def test_the_version_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, capsys, "--version") == f"dehusk {__version__}\n"
