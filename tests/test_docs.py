"""Every snippet in the documentation runs: ```python blocks share one namespace per file, ```sh blocks run alone."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "research").glob("*/*.md")),
]
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A fence marked `console` or `text` is shown, not run: it needs the network, minutes, or real pages.


def snippets(path: Path, language: str) -> list[str]:
    return [code for found, code in FENCE.findall(path.read_text(encoding="utf-8")) if found == language]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_in_the_documentation_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {}
    for code in snippets(path, "python"):
        exec(compile(code, str(path), "exec"), namespace)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_shell_in_the_documentation_runs(path: Path) -> None:
    for code in snippets(path, "sh"):
        binaries = Path(sys.executable).parent
        script = f'set -e\nPATH="{binaries}:$PATH"\n{code}'
        done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{code}\n{done.stderr}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []
