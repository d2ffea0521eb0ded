import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dehusk.cli import command_line, main
from dehusk.models.registry import METHODS, Entry
from tests.cli.conftest import Run
from tests.helpers.web import web

# The command is tested here, so a method runs that keeps a page of one word; a test may name another one.
METHOD = ["--method", "bte"]
NAMED = "==> pages/a.html <==\nApples\n==> pages/b.html <==\nBread\n==> pages/deep/c.htm <==\nCheese\n"
EXTRACT = [sys.executable, "-c", "from dehusk.cli import main; main()", "extract", *METHOD]


@pytest.fixture
def run(dehusk: Run) -> Run:
    """Return a function that runs a command in a folder with three pages."""
    Path("pages/deep").mkdir(parents=True)
    for name, text in (("pages/a.html", "Apples"), ("pages/b.html", "Bread"), ("pages/deep/c.htm", "Cheese")):
        Path(name).write_text(f"<p>{text}")
    return lambda command, *arguments, stdin=b"": dehusk(command, *METHOD, *arguments, stdin=stdin)


@pytest.fixture
def talkative(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the options for a method that explains itself and recognises comments, and a page that has some."""
    entry = Entry("talkative", "tests.helpers.methods:Talkative", "a run", "says all there is to say")
    monkeypatch.setitem(METHODS.built_in, "talkative", entry)
    Path("story.html").write_text("<p>Menu<p>A story.<p>Reader: Nice.")
    return ["--method", "talkative", "story.html"]


def files(folder: str) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in Path(folder).rglob("*") if path.is_file()}


def test_a_page_is_printed(run: Run) -> None:
    assert run("extract", "pages/a.html") == (0, "Apples\n", "")


@pytest.mark.usefixtures("run")
def test_the_default_method_is_kernel() -> None:
    ended = CliRunner().invoke(command_line(), ["extract", "--format", "json", "pages/a.html"])
    assert json.loads(ended.stdout)["method"] == "kernel"


def test_standard_input_is_a_page_when_nothing_is_named(run: Run) -> None:
    assert run("extract", stdin=b"<p>Hello") == (0, "Hello\n", "")
    assert run("extract", "-", stdin=b"<p>Hello") == (0, "Hello\n", "")


def test_many_pages_come_in_order_with_a_summary(run: Run) -> None:
    assert run("extract", "pages") == (0, NAMED, "dehusk: 3 pages: 3 done\n")


def test_one_page_is_a_page_in_the_summary(run: Run) -> None:
    line = b'{"url": "https://example.org/", "html": "<p>Hello"}\n'
    assert run("extract", stdin=line)[2] == "dehusk: 1 page: 1 done\n"


def test_annotate_prints_every_block_with_its_score(run: Run) -> None:
    assert run("annotate", "pages/a.html") == (0, "a 0.00 + paragraph    Apples\n", "")


def test_comments_are_kept_on_request(run: Run, talkative: list[str]) -> None:
    assert run("extract", *talkative).out == "A story.\n"
    assert run("extract", "--comments", *talkative).out == "A story.\nReader: Nice.\n"


EXPLAINED = """\
j 0.97 - paragraph    Menu
       - 1 words
       - it is a menu
a 0.03 + paragraph    A story.
       + 2 words
i 0.80 - comment      Reader: Nice.
       + 2 words
"""


@pytest.mark.parametrize("command", ["extract", "annotate"])
def test_explain_prints_every_block_with_the_facts_that_decided(run: Run, talkative: list[str], command: str) -> None:
    assert run(command, "--explain", *talkative) == (0, EXPLAINED, "")


def test_many_pages_are_explained_by_workers(run: Run, talkative: list[str]) -> None:
    ended = run("annotate", "--explain", "--jobs", "1", *talkative, "pages/a.html")
    first, second = f"==> story.html <==\n{EXPLAINED}", "a 0.03 + paragraph    Apples\n       + 1 words\n"
    assert (ended.status, ended.out) == (0, f"{first}==> pages/a.html <==\n{second}")


def test_annotate_marks_comments_without_explaining(run: Run, talkative: list[str]) -> None:
    assert run("annotate", *talkative).out.splitlines()[-1] == "i 0.80 - comment      Reader: Nice."


def test_json_has_kind_comments_and_facts(run: Run, talkative: list[str]) -> None:
    record = json.loads(run("extract", "--explain", "--comments", "--format", "json", *talkative).out)
    assert (record["kind"], record["confidence"], record["text"]) == ("article", 0.875, "A story.\nReader: Nice.")
    rows = [(row["kept"], row["comment"], row["because"]) for row in record["blocks"]]
    assert rows[1:] == [(True, False, ["+ 2 words"]), (True, True, ["+ comments are kept (--comments)", "+ 2 words"])]


RICH = '<title>T</title><h1>Head</h1><p>See <a href="/b">this</a> <b>now</b>.<img src=c.png alt=sea>'


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ("", "See this **now**."),
        ("--links", "See [this](https://example.org/b) **now**."),
        ("--images", "See this **now**. ![sea](https://example.org/a/c.png)"),
        ("--no-formatting", "See this now."),
        (
            "--links --images --no-formatting",
            "See [this](https://example.org/b) now. ![sea](https://example.org/a/c.png)",
        ),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_the_look_is_chosen_by_options(run: Run, options: str, line: str, many: bool) -> None:
    record = json.dumps({"html": RICH, "url": "https://example.org/a/"})
    lines = [record] * (2 if many else 1)
    command = ["extract", "--method", "alltext", "--format", "markdown", *options.split()]
    ended = run(*command, stdin="\n".join(lines).encode())
    assert [json.loads(found)["markdown"].split("\n\n") for found in ended.out.splitlines()] == [
        ["# Head", line]
    ] * len(lines)


def test_annotate_marks_what_would_be_dropped_in_markdown(run: Run) -> None:
    page = b"<p><a href=/>Home</a><p>A sentence that says something at length."
    ended = run("annotate", "--format", "markdown", stdin=page)
    assert ended.out == "<!-- boilerplate 1.00 -->\nHome\n\nA sentence that says something at length.\n"


def test_tables_are_left_out_on_request(run: Run) -> None:
    page = b"<p>Some text.<table><caption>c</caption><tr><th>a<th>b<tr><td>1<td><ul><li>2</table>"
    assert run("extract", "--method", "alltext", stdin=page).out == "Some text.\nc\na\nb\n1\n2\n"
    assert run("extract", "--method", "alltext", "--no-tables", stdin=page).out == "Some text.\n"


def test_a_page_with_too_little_text_is_empty_and_reported(run: Run) -> None:
    assert run("extract", "--min-length", "6", "pages/a.html") == (0, "Apples\n", "")
    reason = "dehusk: pages/a.html: too short: 6 characters, fewer than 7\n"
    assert run("extract", "--min-length", "7", "pages/a.html") == (0, "\n", reason)


def test_the_headline_is_kept_or_dropped_on_request(run: Run) -> None:
    text = "It rained on all days of the week, and nobody left the house before noon on any of them."
    more = text.replace("week", "month")
    page = f"<title>Rain in May</title><nav><a href=/>Home</a></nav><h1>Rain in May</h1><p>{text}<p>{more}".encode()
    by_kernel = ("extract", "--method", "kernel", "--format")
    for choice, in_text, in_markdown in (("auto", "", "# Rain in May\n\n"), ("drop", "", "")):
        assert run(*by_kernel, "text", "--headline", choice, stdin=page).out == f"{in_text}{text}\n{more}\n"
        assert run(*by_kernel, "md", "--headline", choice, stdin=page).out == f"{in_markdown}{text}\n\n{more}\n"
    assert run(*by_kernel, "text", "--headline", "keep", stdin=page).out.startswith("Rain in May\nIt rained")
    line = json.dumps({"html": page.decode()}).encode()
    kept = run(*by_kernel, "text", "--headline", "keep", "--jobs", "1", stdin=line).out
    assert json.loads(kept)["text"].startswith("Rain in May\nIt rained")
    Path("dehusk.toml").write_text('[extract]\nheadline = "drop"\n')
    assert run(*by_kernel, "md", stdin=page).out.startswith("It rained")


def test_annotate_marks_what_the_options_of_extract_keep(run: Run) -> None:
    page = b"<title>Rain in May</title><h1>Rain in May</h1><p>It rained.<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    for option, signs in (("--headline=drop", "-+++++"), ("--no-tables", "++----"), ("--min-length=99", "------")):
        lines = run("annotate", "--method", "alltext", option, stdin=page).out.splitlines()
        assert [line[7] for line in lines] == list(signs)


def test_two_methods_are_shown_side_by_side_in_a_report(run: Run) -> None:
    one, two = (
        run("extract", "--format", "report", *beside, "pages/a.html").out for beside in ([], ["--beside", "alltext"])
    )
    assert "alltext" in two
    assert "alltext" not in one
    many = run("extract", "--format", "report", "--beside", "alltext", "--jobs", "1", "pages/a.html", "pages/b.html")
    assert many.out.count("<!DOCTYPE html>") == 2
    assert many.out.startswith(f"<!-- pages/a.html -->\n{two}<!-- pages/b.html -->\n")


def test_favour_moves_the_threshold(run: Run) -> None:
    record = json.loads(run("extract", "--favour", "recall", "--format", "json", "pages/a.html").out)
    assert record["threshold"] == 0.75


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("missing.html", "no such file or folder: 'missing.html'; expected a path"),
        ("--threshold 50 pages", "dehusk: threshold must lie between 0 and 1, got 50; did you mean 0.5?"),
        ("--threshold nan pages", "dehusk: threshold must lie between 0 and 1, got nan"),
        ("--threshold abc pages", "dehusk: --threshold: 'abc' is not a number; see `dehusk extract -h`"),
        ("--threshold 0.3 --favour recall pages", "give one of them"),
        ("--headline off pages", "--headline: 'off' is not one of 'auto', 'keep', 'drop'"),
        ("--favour both pages", "'both' is not one of 'precision', 'recall'"),
        ("--method nonsense pages", "no method is called 'nonsense'; there are"),
        ("--format nonsense pages", "no format is called 'nonsense'; there are"),
        ("--method bte --comments pages", "method 'bte' cannot tell readers' comments apart; choose one that can"),
        ("--method bte --explain pages", "method 'bte' cannot explain its scores; choose one that can"),
        ("--jobs 0 pages", "dehusk: --jobs: 0 is not at least 1; see `dehusk extract -h`"),
        ("--min-length -1 pages", "dehusk: --min-length: -1 is not at least 0; see"),
        ("--beside alltext pages", "only the format report shows two methods side by side, not text"),
        ("--format report --beside nonsense pages", "no method is called 'nonsense'; there are"),
        ("--resume pages", "--resume needs --output DIR"),
        ("--output pages/a.html pages", "dehusk: pages/a.html: File exists; expected a folder"),
        ("--output pages/a.html/x pages", "dehusk: pages/a.html/x: Not a directory; expected a folder"),
        ("--nonsense", "dehusk: no option is called '--nonsense'; see `dehusk extract -h`\n"),
    ],
)
def test_wrong_usage_ends_with_status_2_and_says_what_to_do(run: Run, arguments: str, message: str) -> None:
    ended = run("extract", *arguments.split())
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


def test_a_folder_that_cannot_be_written_to_is_reported_before_the_work(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # tests may run as root, who may write anywhere
    ended = run("extract", "--output", "clean", "pages")
    assert (ended.status, ended.err[:33]) == (2, "dehusk: clean: Permission denied;")


def test_a_page_without_text_is_processed_and_reported(run: Run) -> None:
    assert run("extract", stdin=b"") == (0, "\n", "dehusk: -: no text\n")


def test_pages_that_cannot_be_processed_are_named_and_counted(run: Run) -> None:
    Path("pages/b.html").write_bytes(b"%PDF-1.4")
    assert run("extract", "pages/a.html", "pages/b.html", "pages/b.html") == (
        1,
        "==> pages/a.html <==\nApples\n",
        "dehusk: pages/b.html: not a page: PDF\ndehusk: 2 pages: 1 done, 1 not a page\n",
    )


def test_a_method_that_fails_is_reported_without_a_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.methods.bte.BodyText.segment", None)
    ended = run("extract", "pages/a.html")
    assert (ended.status, ended.err[:40]) == (1, "dehusk: pages/a.html: failed: TypeError:")


def test_json_of_files_says_which_file(run: Run) -> None:
    ended = run("extract", "--format", "json", "pages/a.html", "pages/b.html")
    assert [json.loads(line)["file"] for line in ended.out.splitlines()] == ["pages/a.html", "pages/b.html"]


def test_json_lines_come_out_as_json_lines(run: Run) -> None:
    ended = run("extract", stdin=b'{"url": "http://a", "html": "<p>One", "id": 1}\n\nnonsense\n{"html": "<p>Two"}')
    first, second, third = map(json.loads, ended.out.splitlines())
    assert (first.pop("metadata")["url"], third.pop("metadata")["url"]) == ("http://a", None)
    assert first == {"url": "http://a", "id": 1, "text": "One", "reason": None, "reason_code": None}
    assert second["reason_code"] == "invalid-record"
    assert third == {"text": "Two", "reason": None, "reason_code": None}
    assert ended.err.splitlines()[-1] == "dehusk: 3 pages: 2 done, 1 invalid record"
    assert ended.status == 1


def test_json_lines_in_the_json_format_have_the_same_fields_as_pages(run: Run) -> None:
    ended = run("extract", "--format", "json", stdin=b'{"id": 1, "html": "<p>One"}\n{"id": 2}')
    first, second = map(json.loads, ended.out.splitlines())
    assert (first["id"], first["text"], first["blocks"][0]["kind"]) == (1, "One", "paragraph")
    assert (second["id"], second["text"], second["reason"][:15]) == (2, "", "no field 'html'")


def test_outputs_keep_the_folders_of_their_pages(run: Run) -> None:
    assert run("extract", "--output", "clean", "pages").status == 0
    assert files("clean") == {"pages/a.txt": "Apples\n", "pages/b.txt": "Bread\n", "pages/deep/c.htm.txt": "Cheese\n"}


def test_two_pages_of_one_name_have_two_outputs(run: Run) -> None:
    Path("pages/a.htm").write_text("<p>Another")
    assert run("extract", "--output", "clean", "pages/a.htm", "pages/a.html").status == 0
    assert files("clean") == {"pages/a.htm.txt": "Another\n", "pages/a.txt": "Apples\n"}


def test_a_resumed_run_does_not_lose_pages_that_were_added(run: Run) -> None:
    Path("pages/l.jsonl").write_text('{"html": "<p>One"}\n')
    run("extract", "--output", "clean", "--jobs", "1", "pages")
    Path("pages/a.htm").write_text("<p>Another")
    Path("pages/a").write_text("<p>A third")
    Path("pages/l.jsonl").write_text('{"html": "<p>Two"}\n{"html": "<p>One"}\n')
    ended = run("extract", "--output", "clean", "--jobs", "1", "--resume", "pages/a", "pages")
    assert ended.err == "dehusk: 7 pages: 4 skipped, 3 done\n"
    assert sorted(files("clean").values()) == sorted(
        f"{text}\n" for text in ("Apples", "Bread", "Cheese", "One", "Another", "A third", "Two")
    )


def test_another_page_from_standard_input_has_another_output(run: Run) -> None:
    for _ in range(2):
        for text in ("One", "Two"):
            assert run("extract", "--output", "clean", "--resume", stdin=f"<p>{text}".encode()).status == 0
    assert sorted(files("clean").values()) == ["One\n", "Two\n"]


def test_an_output_never_goes_over_its_page(run: Run) -> None:
    Path("notes.txt").write_text("<p>Notes")
    assert run("extract", "--output", "pages/..", "notes.txt").status == 0
    assert (Path("notes.txt").read_text(), Path("notes.txt.txt").read_text()) == ("<p>Notes", "Notes\n")


def test_an_output_that_cannot_be_written_is_reported_and_the_others_are_written(run: Run) -> None:
    Path("clean/pages/a.txt").mkdir(parents=True)
    ended = run("extract", "--output", "clean", "pages")
    assert ended.err.startswith("dehusk: pages/a.html: cannot be written: Is a directory: clean/pages/a.txt\n")
    assert (ended.status, Path("clean/pages/b.txt").read_text()) == (1, "Bread\n")


def test_a_failed_json_line_leaves_no_output_so_that_resume_tries_it_again(run: Run) -> None:
    Path("l.jsonl").write_text('{"html": "<p>One"}\n{}\n')
    assert run("extract", "--output", "clean", "l.jsonl").status == 1
    assert list(files("clean").values()) == ["One\n"]
    assert run("extract", "--output", "clean", "--resume", "l.jsonl").err.endswith("1 skipped, 1 invalid record\n")


def test_resume_reads_only_what_has_no_output_yet(run: Run) -> None:
    run("extract", "--output", "clean", "pages")
    Path("clean/pages/b.txt").unlink()
    Path("pages/a.html").write_text("<p>Changed")
    ended = run("extract", "--output", "clean", "--resume", "pages")
    assert ended == (0, "", "dehusk: 3 pages: 2 skipped, 1 done\n")
    assert files("clean")["pages/a.txt"] == "Apples\n"
    assert files("clean")["pages/b.txt"] == "Bread\n"


def test_pages_are_fetched_from_addresses(run: Run) -> None:
    with web() as server:
        assert run("extract", "--allow-private", f"{server}/charset") == (0, "Привет, мир\n", "")
        ended, refused = run("extract", "--allow-private", f"{server}/missing"), run("extract", f"{server}/charset")
    assert (refused.status, refused.out, "which is not public" in refused.err) == (1, "", True)
    assert ended == (1, "", f"dehusk: {server}/missing: the server answered 404 Not Found\n")


def test_a_malformed_url_in_a_list_is_one_page_that_failed(run: Run) -> None:
    ended = run("extract", "--jobs", "1", "--output", "clean", "http://[::1", "pages/a.html")
    assert (ended.status, files("clean")) == (1, {"pages/a.txt": "Apples\n"})
    assert ended.err.startswith("dehusk: http://[::1: cannot be fetched: Invalid IPv6 URL\n")


def test_a_closed_standard_input_is_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "argv", ["dehusk", "extract"])
    with pytest.raises(SystemExit, match="2"):
        main()


def test_help_ends_with_the_exit_status(run: Run) -> None:
    ended = run("extract", "--help")
    assert ended.out.splitlines()[0] == "Usage: dehusk extract [OPTIONS] [PAGE]..."
    assert "Exit status: 0 every page was processed" in " ".join(ended.out.split())[-120:]


def test_no_pages_on_a_terminal_is_wrong_usage() -> None:
    master, slave = pty.openpty()
    ended = subprocess.run(EXTRACT, stdin=slave, capture_output=True, text=True, check=False)
    os.close(master)
    os.close(slave)
    assert (ended.returncode, ended.stderr[:23]) == (2, "dehusk: no pages given;")


@pytest.mark.usefixtures("run")
def test_a_terminal_shows_a_bar() -> None:
    master, slave = pty.openpty()
    with subprocess.Popen([*EXTRACT, "--jobs", "1", "pages"], stdout=subprocess.PIPE, stderr=slave) as process:
        assert process.communicate()[0] == NAMED.encode()
    os.close(slave)
    shown = os.read(master, 65_536)
    os.close(master)
    assert b"0/3" in shown
    assert b"3 pages: 3 done" in shown


@pytest.mark.usefixtures("run")
def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    Path("pages/a.html").write_text("<p>" + "Apples " * 100_000)  # more than a pipe holds
    with subprocess.Popen(
        [*EXTRACT, "--jobs", "1", "pages"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.read(27) == b"==> pages/a.html <==\nApples"
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")


@pytest.mark.usefixtures("run")
def test_a_full_disk_is_reported() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run([*EXTRACT, "pages/a.html"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "dehusk: standard output cannot be written: No space left on device\n"
