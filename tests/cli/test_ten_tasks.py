"""Ten things that people type from memory of other tools, each as a process of its own."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "src/dehusk/cli/demo.html").read_text(encoding="utf-8")
TITLE = "The lens that made lighthouses bright"
MARKDOWN = f"# {TITLE}\n\nAround 1800, the light of a lighthouse came from oil lamps in front of curved mirrors."
TEXT = MARKDOWN.removeprefix("# ").replace("\n\n", "\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text(PAGE, encoding="utf-8")


def run(*command: str, stdin: str | bytes | None = None, **environment: str) -> str:
    """Return what a command prints; it must end with status 0."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), **environment}
    ended = subprocess.run(command, input=data or b"", capture_output=True, check=False, env=settings)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode()


def dehusk(*arguments: str, stdin: str | bytes | None = None, **environment: str) -> str:
    return run(sys.executable, "-m", "dehusk", *arguments, stdin=stdin, **environment)


def test_1_dash_h_is_help_for_all_commands_and_for_each() -> None:
    assert dehusk("-h").startswith("Usage: dehusk [OPTIONS] COMMAND")
    assert dehusk("extract", "-h").startswith("Usage: dehusk extract [OPTIONS] [PAGE]...")
    assert dehusk("train", "kernel", "-h").startswith("Usage: dehusk train kernel")
    assert dehusk("-V").startswith("dehusk ")


def test_2_a_page_becomes_a_markdown_file() -> None:
    assert dehusk("extract", "page.html", "-f", "md", "-o", "page.md") == ""
    assert Path("page.md").read_text(encoding="utf-8").startswith(MARKDOWN)


def test_3_a_page_comes_through_a_pipe_with_its_address() -> None:
    printed = dehusk("extract", "-f", "md", "--links", "--url", "https://example.org/history/lens", stdin=PAGE)
    assert printed.startswith(MARKDOWN)
    assert "[tower of Cordouan](https://example.org/places/cordouan)" in printed


def test_4_python_dash_m_is_the_command() -> None:
    assert "extract" in run(sys.executable, "-m", "dehusk")
    assert run(sys.executable, "-m", "dehusk", "extract", "page.html").startswith(TEXT)


def test_5_three_words_of_python_give_markdown() -> None:
    code = "import sys; from dehusk import extract; print(extract(sys.stdin.read()).markdown())"
    assert run(sys.executable, "-c", code, stdin=PAGE).startswith(MARKDOWN)


def test_6_compressed_json_lines_come_out_as_json_lines() -> None:
    record = {"id": 7, "url": "https://example.org/lens", "html": PAGE}
    lines = gzip.compress((json.dumps(record) + "\n").encode() * 2)
    Path("pages.jsonl.gz").write_bytes(lines)
    for printed in (dehusk("extract", "pages.jsonl.gz"), dehusk("extract", stdin=lines)):
        first, second = map(json.loads, printed.splitlines())
        assert first == second
        assert (first["id"], first["metadata"]["authors"]) == (7, ["Nora Fielding"])
        assert first["text"].startswith(TEXT)


def test_7_metadata_comes_as_front_matter() -> None:
    _, front, text = dehusk("extract", "page.html", "-f", "md", "--with-metadata").split("---\n")
    assert f'title: "{TITLE}"\nauthors: ["Nora Fielding"]\npublished: 2024-05-17\n' in front
    assert text.strip().startswith(MARKDOWN)


def test_8_the_tab_key_completes_commands_options_and_values() -> None:
    def completed(*words: str) -> list[str]:
        line = {"COMP_WORDS": " ".join(("dehusk", *words)), "COMP_CWORD": str(len(words))}
        return [each.partition(",")[2] for each in dehusk(**line, _DEHUSK_COMPLETE="bash_complete").split()]

    assert completed("ex") == ["extract"]
    assert completed("extract", "--with") == ["--with-metadata"]
    assert completed("extract", "-f", "m") == ["markdown", "md"]
    assert completed("extract", "--method", "ker") == ["kernel"]
    assert completed("extract", "--favour", "") == ["precision", "recall"]
    assert "_DEHUSK_COMPLETE=bash_complete" in dehusk("completion", "bash")
    assert "#compdef dehusk" in dehusk("completion", SHELL="/usr/bin/zsh")


def test_9_a_folder_of_pages_becomes_one_xml_document_or_a_folder() -> None:
    Path("pages").mkdir()
    for name in ("a", "b"):
        Path(f"pages/{name}.html").write_text(PAGE, encoding="utf-8")
    corpus = ElementTree.fromstring(dehusk("extract", "pages", "-f", "xml", "-q"))
    assert [doc.get("file") for doc in corpus] == ["pages/a.html", "pages/b.html"]
    dehusk("extract", "pages", "-f", "md", "-o", "out", "-j", "2")
    assert Path("out/pages/b.md").read_text(encoding="utf-8").startswith(MARKDOWN)


def test_10_defaults_come_from_a_file_and_the_demo_needs_no_page() -> None:
    Path("dehusk.toml").write_text('[extract]\nformat = "md"\n')
    assert dehusk("extract", "page.html").startswith(MARKDOWN)
    assert dehusk("extract", "page.html", "--format", "text").startswith(TEXT)
    assert MARKDOWN in dehusk("demo")
