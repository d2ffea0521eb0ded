"""Every snippet in the documentation runs, prints what the page says it prints, and every link leads somewhere.

```python blocks share one namespace per file, ```sh blocks run alone; both run in a folder with pages such as a reader
has. A ```text block with the title Output right after a snippet is what it prints; a ```toml block with the name of a
file as its title is written there first. Other blocks are shown, not run: they need the network, minutes or real pages.
"""

import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import mean

import pytest

from tests.helpers.archives import http, joined, warc_record
from tests.helpers.articles import article

ROOT = Path(__file__).parent.parent
FILES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "research").rglob("*.md")),
]
FENCE = re.compile(r'^```(python|sh)\n(.*?)^```$(?:\n+^```text title="Output"\n(.*?)^```$)?', re.MULTILINE | re.DOTALL)
FILE = re.compile(r'^```toml title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PAGES = {"page": "news-article", "manual": "docs-code-tables", "shop": "product-page"}
FOLDER = ("recipe", "forum-thread", "wiki-article")
GENERATED = {"command-line.md", "python.md"}  # by docs/site

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Return a folder with the files that the documentation speaks of."""
    golden = ROOT / "tests/pages"
    for name, page in PAGES.items():
        shutil.copy(golden / page / "source.html", tmp_path / f"{name}.html")
    (tmp_path / "pages").mkdir()
    for page in FOLDER:
        shutil.copy(golden / page / "source.html", tmp_path / "pages" / f"{page}.html")
    html = (golden / "news-article/source.html").read_text(encoding="utf-8")
    lines = [json.dumps({"id": number, "url": f"https://example.org/{number}", "html": html}) for number in (1, 2)]
    (tmp_path / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    crawl = [warc_record(number, http(article(number).encode())) for number in range(3)]
    (tmp_path / "crawl.warc.gz").write_bytes(joined(crawl))
    return tmp_path


def snippets(path: Path, language: str) -> list[tuple[str, str]]:
    """Return each snippet with what it prints according to the page, or an empty string."""
    found = FENCE.findall(path.read_text(encoding="utf-8"))
    return [(code, output) for written_in, code, output in found if written_in == language]


@every_file
def test_python_in_the_documentation_runs(
    path: Path, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
    namespace: dict[str, object] = {}
    for code, output in snippets(path, "python"):
        capsys.readouterr()
        exec(compile(code, str(path), "exec"), namespace)
        if output:
            assert capsys.readouterr().out.strip() == output.strip()


@every_file
def test_shell_in_the_documentation_runs(path: Path, desk: Path) -> None:
    for name, content in FILE.findall(path.read_text(encoding="utf-8")):
        (desk / name).write_text(content, encoding="utf-8")
    for code, output in snippets(path, "sh"):
        binaries = Path(sys.executable).parent
        script = f'set -e\nPATH="{binaries}:$PATH"\n{code}'
        done = subprocess.run(["bash", "-c", script], cwd=desk, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{code}\n{done.stderr}"
        if output:
            assert done.stdout.strip() == output.strip()


@every_file
def test_links_to_files_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (path.parent / target).exists()]
    assert [target for target in missing if Path(target).name not in GENERATED] == []


def test_names_of_documents_in_the_code_are_right() -> None:
    named = re.compile(r"\b(?:docs|research)/[\w/-]+\.md\b")
    for folder in ("src", "benchmarks", "research", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if not path.name.startswith("test_docs"):
                missing = [name for name in named.findall(path.read_text("utf-8")) if not (ROOT / name).exists()]
                assert missing == [], path


def test_the_readme_convinces_within_120_lines() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def figures(path: Path) -> dict[str, list[str]]:
    """Return the rows of a page's tables whose second column is a figure, by their first column."""
    rows = [[cell.strip(" *") for cell in line.strip(" |").split("|")] for line in path.read_text("utf-8").splitlines()]
    return {row[0]: row[1:] for row in rows if len(row) > 1 and re.fullmatch(r"0?\.\d{3}", row[1])}


def test_means_are_those_of_their_rows_and_the_readme_repeats_them() -> None:
    table = figures(ROOT / "docs/methods/results.md")
    assert len(table) == 24
    for system, (stated, *sets) in table.items():
        assert len(sets) == 10
        assert float(stated) == pytest.approx(mean(map(float, sets)), abs=0.0006), system
    names = {"dehusk `kernel`": "dehusk"}
    summary = {
        names.get(system, system.split()[0]): row[0] for system, row in reversed(table.items()) if "," not in system
    }
    readme = figures(ROOT / "README.md")
    assert len(readme) == 7
    assert {system: float(row[0]) for system, row in readme.items()} == {
        system: float(summary[system]) for system in readme
    }
