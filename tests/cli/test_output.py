"""Where outputs go: files and folders, several pages in one stream, quiet and verbose runs, the address of a page."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run

ALLTEXT = ["--method", "alltext"]
TEI = "{http://www.tei-c.org/ns/1.0}"


@pytest.fixture
def run(dehusk: Run) -> Run:
    """Return a function that runs a command in a folder with two pages, and one that is none."""
    Path("pages").mkdir()
    Path("pages/a.html").write_text("<h1>Apples</h1><p>Red &amp; green.<a href=b.html>More</a>")
    Path("pages/b.html").write_text("<p>Bread")
    Path("pages/c.html").write_bytes(b"%PDF-1.7")
    return lambda command, *arguments, stdin=b"": dehusk(command, *ALLTEXT, *arguments, stdin=stdin)


class TestOutputFile:
    @pytest.mark.parametrize(
        ("name", "begins"),
        [
            ("out.md", "# Apples\n"),
            ("out.markdown", "# Apples\n"),
            ("out.HTML", "<!DOCTYPE html>"),
            ("out.json", '{"url": null'),
            ("out.xml", "<doc "),
            ("out.tei.xml", "<?xml"),
            ("new/folder/out.txt", "Apples\n"),
            ("out.dat", "Apples\n"),
        ],
    )
    def test_a_single_page_goes_to_a_file_in_the_format_of_its_name(self, run: Run, name: str, begins: str) -> None:
        assert run("extract", "pages/a.html", "-o", name) == (0, "", "")
        assert Path(name).read_text().startswith(begins)
        assert not list(Path(name).parent.glob("*.part"))

    def test_a_format_that_is_named_counts_more_than_the_name(self, run: Run) -> None:
        run("extract", "pages/a.html", "-o", "out.md", "-f", "cleaneval")
        assert Path("out.md").read_text().startswith("<h>Apples\n")

    def test_a_file_is_replaced_and_with_resume_kept(self, run: Run) -> None:
        Path("out.txt").write_text("old")
        assert run("extract", "pages/b.html", "-o", "out.txt", "--resume").status == 0
        assert Path("out.txt").read_text() == "old"
        assert run("extract", "pages/b.html", "-o", "out.txt").status == 0
        assert Path("out.txt").read_text() == "Bread\n"

    def test_standard_input_goes_to_a_file(self, run: Run) -> None:
        run("extract", "-o", "out.txt", stdin=b"<p>Hello")
        assert Path("out.txt").read_text() == "Hello\n"

    @pytest.mark.parametrize("name", ["out", "out.d/", "existing.d"])
    def test_a_name_without_suffix_and_an_existing_folder_are_folders(self, run: Run, name: str) -> None:
        Path("existing.d").mkdir()
        assert run("extract", "pages/b.html", "-o", name).status == 0
        assert (Path(name) / "pages/b.txt").read_text() == "Bread\n"

    def test_several_pages_need_a_folder(self, run: Run) -> None:
        ended = run("extract", "pages/a.html", "pages/b.html", "-o", "out.d", "-j", "1")
        assert (ended.status, len(list(Path("out.d/pages").iterdir()))) == (0, 2)
        Path("out.md").touch()
        ended = run("extract", "pages", "-o", "out.md")
        assert ended.status == 2
        assert "out.md: File exists; expected a folder to create or write to (only a single page can" in ended.err

    def test_the_page_itself_is_never_overwritten(self, run: Run) -> None:
        ended = run("extract", "pages/b.html", "-o", "pages/../pages/b.html")
        assert (ended.status, Path("pages/b.html").read_text()) == (2, "<p>Bread")
        assert "is the page itself, which the output would overwrite; name another file" in ended.err

    def test_a_failed_page_leaves_no_file(self, run: Run) -> None:
        assert run("extract", "pages/c.html", "-o", "out.md").status == 1
        assert not Path("out.md").exists()

    def test_a_dash_is_standard_output(self, run: Run) -> None:
        assert run("extract", "pages/b.html", "-o", "-") == (0, "Bread\n", "")
        assert "--resume needs --output" in run("extract", "pages/b.html", "-o", "-", "--resume").err

    def test_perplexities_go_to_a_file_too(self, dehusk: Run) -> None:
        Path("a.txt").write_text("It had rained for nine days.")
        assert dehusk("perplexity", "a.txt", "-o", "scores.json").status == 0
        assert json.loads(Path("scores.json").read_text())["model"] == "en"


class TestSeveralPages:
    @pytest.fixture
    def printed(self, run: Run) -> dict[str, str]:
        """Return what is printed for a folder in which one page fails, by format."""
        names = ("text", "cleaneval", "markdown", "json", "xml", "tei", "html")
        ended = {name: run("extract", "-q", "-j", "1", "-f", name, "pages") for name in names}
        assert {each.err for each in ended.values()} == {"dehusk: pages/c.html: not a page: PDF\n"}
        assert {each.status for each in ended.values()} == {1}
        return {name: each.out for name, each in ended.items()}

    def test_each_page_is_named_in_every_format(self, printed: dict[str, str]) -> None:
        assert printed["text"].splitlines()[::3] == ["==> pages/a.html <==", "==> pages/b.html <=="]
        assert printed["cleaneval"].splitlines()[-2:] == ["==> pages/b.html <==", "<p>Bread"]
        first, second = printed["markdown"].split("\n---\n\n")
        assert first == "Source: `pages/a.html`\n\n# Apples\n\nRed & green.More\n"
        assert second == "Source: `pages/b.html`\n\nBread\n"
        assert [json.loads(line)["file"] for line in printed["json"].splitlines()] == ["pages/a.html", "pages/b.html"]
        corpus = ElementTree.fromstring(printed["xml"])
        assert [page.get("file") for page in corpus] == ["pages/a.html", "pages/b.html"]
        corpus = ElementTree.fromstring(printed["tei"])
        assert [child.tag for child in corpus] == [f"{TEI}teiHeader", f"{TEI}TEI", f"{TEI}TEI"]
        assert corpus[2].get("n") == "pages/b.html"
        body = ElementTree.fromstring(printed["html"].replace('<meta charset="utf-8">', "")[len("<!DOCTYPE html>") :])
        assert [section[0].text for section in body.iter("section")] == ["Source: pages/a.html", "Source: pages/b.html"]

    def test_a_run_without_any_page_is_well_formed_too(self, run: Run) -> None:
        Path("pages/d.html").write_bytes(b"%PDF-1.7")
        ended = run("extract", "-f", "xml", "pages/c.html", "pages/d.html")
        assert (ended.status, len(ElementTree.fromstring(ended.out))) == (1, 0)

    def test_json_lines_do_not_mix_with_other_pages(self, run: Run) -> None:
        Path("l.jsonl").write_text('{"html": "<p>One"}\n')
        ended = run("extract", "l.jsonl", "pages/b.html")
        assert (ended.status, ended.out) == (2, "")
        assert "JSON lines (l.jsonl) come out as JSON lines, other pages as text; process them separately" in ended.err
        mixed = run("extract", "-f", "json", "l.jsonl", "pages/b.html")
        assert [json.loads(line)["text"] for line in mixed.out.splitlines()] == ["One", "Bread"]
        assert run("extract", "-o", "out", "l.jsonl", "pages/b.html").status == 0

    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_a_run_that_is_interrupted_leaves_a_whole_document(self, tmp_path: Path, unbuffered: str) -> None:
        for number in range(100):  # of which a pipe that nobody reads from takes two
            (tmp_path / f"{number}.html").write_text("<p>" + "Apples and pears. " * 2000)
        # Tests that run in the background are started with Ctrl-C ignored, and would pass that on.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        command = [sys.executable, "-m", "dehusk", "extract", "-f", "xml", "-j", "1", *ALLTEXT, str(tmp_path)]
        process = subprocess.Popen(
            command,
            bufsize=0,  # `communicate` would not see what is left in a buffer
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            start_new_session=True,
        )
        signal.signal(signal.SIGINT, before)
        assert process.stdout
        begin = b""
        while len(begin) < 1000:  # until the first page comes
            begin += process.stdout.read(1000)
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        rest, err = process.communicate()
        assert (process.returncode, err) == (130, b"dehusk: interrupted\n")
        assert 0 < len(ElementTree.fromstring(begin + rest)) < 100


class TestQuietAndVerbose:
    def test_quiet_leaves_only_failures(self, run: Run) -> None:
        Path("pages/b.html").write_text("")
        ended = run("extract", "-q", "-j", "1", "pages")
        assert (ended.status, ended.err) == (1, "dehusk: pages/c.html: not a page: PDF\n")
        assert run("extract", "-q", "pages/b.html") == (0, "\n", "")

    def test_verbose_has_a_line_for_each_page(self, run: Run) -> None:
        lines = run("extract", "-v", "-j", "1", "pages").err.splitlines()
        assert [line.rpartition(",")[0] for line in lines[:2]] == [
            "dehusk: pages/a.html: 4 of 4 words",
            "dehusk: pages/b.html: 1 of 1 words",
        ]
        assert lines[2:] == ["dehusk: pages/c.html: not a page: PDF", "dehusk: 3 pages: 2 done, 1 not a page"]
        assert lines[0].endswith(" ms")

    def test_verbose_has_what_the_method_says_of_the_page(self, run: Run) -> None:
        assert ": article, confidence 0." in run("extract", "-v", "--method", "kernel", "pages/b.html").err


class TestUrl:
    def test_links_are_resolved(self, run: Run) -> None:
        options = ["-f", "md", "--links", "--url", "https://example.org/x/a.html"]
        assert "[More](https://example.org/x/b.html)" in run("extract", *options, "pages/a.html").out
        page = Path("pages/a.html").read_bytes()
        assert "[More](https://example.org/x/b.html)" in run("annotate", *options, stdin=page).out

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("--url https://example.org pages", "--url is for a single page; in JSON lines, give each page its own"),
            ("--url https://example.org l.jsonl", "--url is for a single page; in JSON lines, give each page its own"),
            ("--url example.org pages/a.html", "got 'example.org'; did you mean https://example.org?"),
            ("--url file:///x pages/a.html", "--url must begin with http:// or https://, got 'file:///x'\n"),
            ("--url https://example.org http://a", "--url is for a page from a file or a pipe; http://a is fetched"),
        ],
    )
    def test_an_address_is_for_a_single_page_that_has_none(self, run: Run, arguments: str, message: str) -> None:
        Path("l.jsonl").write_text('{"html": "<p>One"}\n')
        ended = run("extract", *arguments.split())
        assert (ended.status, ended.out) == (2, "")
        assert message in ended.err


class TestJsonLines:
    def test_metadata_is_a_member_unless_the_record_has_its_own(self, run: Run) -> None:
        html = "<title>Rain</title><h1>Rain</h1><p>It rains."
        lines = [{"html": html}, {"html": html, "metadata": {"mine": 1}}]
        ended = run("extract", "-f", "md", stdin="\n".join(map(json.dumps, lines)).encode())
        first, second = map(json.loads, ended.out.splitlines())
        assert (first["markdown"], first["metadata"]["title"]) == ("# Rain\n\nIt rains.", "Rain")
        assert second["metadata"] == {"mine": 1}

    def test_a_perplexity_has_no_metadata(self, dehusk: Run) -> None:
        ended = dehusk("perplexity", stdin=b'{"text": "It had rained for nine days."}')
        assert set(json.loads(ended.out)) == {"text", "reason", "reason_code"}
