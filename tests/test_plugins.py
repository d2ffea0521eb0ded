"""Plug-ins: a distribution that adds a method, a format and a peer, and others that are broken."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dehusk.formats import FORMATS
from testing.server import Server, server
from tests.helpers.plugins import FOLDER, LONG, PAGE, Run, describe, environment, example, runner, write_pages


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder with two pages."""
    return write_pages(tmp_path)


@pytest.fixture
def installed(pages: Path) -> dict[str, str]:
    """Return the variables of a process for which the example is installed."""
    describe(pages / "site", "dehusk-example", example())
    return environment(pages / "site", FOLDER)


@pytest.fixture
def python(installed: dict[str, str], pages: Path) -> Run:
    return runner(installed, pages)


@pytest.fixture
def dehusk(python: Run) -> Run:
    return lambda *arguments, stdin="": python("-m", "dehusk", *arguments, stdin=stdin)


@pytest.fixture
def broken(pages: Path) -> Run:
    """Return the command line where plug-ins do not load, have names that are taken, or are something else."""
    (pages / "site").mkdir()
    (pages / "site" / "bad.py").write_text("NOT_A_FORMAT = 1\n\n\ndef __getattr__(name):\n    raise KeyError('key')\n")
    points = {"torn": "bad:missing", "gone": "no_such_module:X", "odd": "bad:NOT_A_FORMAT"}
    groups = dict.fromkeys(("dehusk.methods", "dehusk.formats", "dehusk.extractors"), points)
    taken = {"dehusk.methods": {"kernel": "bad:X"}, "dehusk.formats": {"text": "bad:X"}}
    describe(pages / "site", "bad-plugin", groups)
    describe(pages / "site", "grabbing-plugin", taken)
    run = runner(environment(pages / "site"), pages)
    return lambda *arguments, stdin="": run("-m", "dehusk", *arguments, stdin=stdin)


def test_python_finds_all_three(python: Run) -> None:
    code = (
        "import dehusk\n"
        "from dehusk.evaluation.peers import installed_peers\n"
        f"document = dehusk.extract({PAGE!r}, method='short', explain=True)\n"
        "print(document.text, document.because[0][0], document.render('numbered'), document.render('num'), sep='|')\n"
        f"print([result.output for result in dehusk.Extractor('short').extract_many([{PAGE!r}], format='numbered')])\n"
        f"print(installed_peers(['paragraphs'])[0]['paragraphs'].run({PAGE!r}).splitlines())\n"
    )
    ended = python("-c", code)
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        f"{LONG}|- 4 characters|1 {LONG}|1 {LONG}",
        f"['1 {LONG}']",
        f"['Menu', '{LONG}']",
    ]


def test_one_page_is_printed(dehusk: Run) -> None:
    ended = dehusk("extract", "--method", "short", "--format", "numbered", "a.html")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"1 {LONG}\n", "")


def test_two_pages_are_printed_under_their_names(dehusk: Run) -> None:
    ended = dehusk("extract", "--method", "short", "--format", "num", "--quiet", "a.html", "b.html")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"==> a.html <==\n1 {LONG}\n==> b.html <==\n1 Another one of the same kind.\n"


def test_files_have_the_suffix_of_the_format_and_it_chooses_the_format(dehusk: Run, pages: Path) -> None:
    assert dehusk("extract", "-m", "short", "-f", "numbered", "-q", "-o", "out", "a.html", "b.html").returncode == 0
    assert sorted(path.name for path in (pages / "out").iterdir()) == ["a.num", "b.num"]
    assert (pages / "out" / "a.num").read_text() == f"1 {LONG}\n"
    assert dehusk("extract", "-m", "short", "-o", "page.num", "a.html").returncode == 0
    assert (pages / "page.num").read_text() == f"1 {LONG}\n"


def test_json_lines_have_the_output_under_the_name_of_the_format(dehusk: Run) -> None:
    line = json.dumps({"id": 7, "html": PAGE})
    ended = dehusk("extract", "-m", "short", "-f", "num", stdin=line + "\n")
    record = json.loads(ended.stdout)
    assert (record["id"], record["numbered"]) == (7, f"1 {LONG}")


def test_a_setting_of_a_method_is_described_and_changed(dehusk: Run) -> None:
    ended = dehusk("extract", "-m", "short", "--set", "limit=3", "a.html")
    assert (ended.stdout, ended.stderr) == (f"Menu\n{LONG}\n", "")
    ended = dehusk("extract", "-m", "short", "--set", "limit=few", "a.html")
    assert (ended.returncode, "limit must be a whole number, got few" in ended.stderr) == (2, True)
    assert "limit: blocks with fewer characters are dropped" in dehusk("models", "short").stdout


def test_they_are_listed(dehusk: Run) -> None:
    assert "short " in (listed := dehusk("models")).stdout
    assert (listed.stdout.count("kernel*"), listed.stderr) == (1, "")
    names = ", ".join(sorted([*FORMATS.built_in, "numbered"]))
    assert f"there are {names}\n" in dehusk("extract", "-f", "x", "a.html").stderr
    assert "boilernet-paper-cleaneval, short, or your own" in dehusk("extract", "-m", "x", "a.html").stderr


def test_a_folder_with_a_model_of_a_plug_in_is_a_method(dehusk: Run, pages: Path) -> None:
    (pages / "mine").mkdir()
    (pages / "mine" / "model.json").write_text(json.dumps({"format": 1, "method": "short", "limit": 30}))
    ended = dehusk("extract", "--method", "mine", "--format", "numbered", stdin=f"{PAGE}<p>{'x' * 25}</p>")
    assert ended.stdout == f"1 {LONG}\n"
    described = dehusk("models", "mine").stdout.splitlines()
    assert [line.split()[-1] for line in described[:2]] == ["mine", "short"]


def test_the_version_of_a_model_is_a_number(dehusk: Run, pages: Path) -> None:
    (pages / "mine").mkdir()
    (pages / "mine" / "model.json").write_text(json.dumps({"format": "1", "method": "short", "limit": 30}))
    ended = dehusk("models", "mine")
    assert (ended.returncode, "has format '1', this version reads 1; retrain it" in ended.stderr) == (2, True)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_methods_and_peers_are_measured(command: str, dehusk: Run, pages: Path) -> None:
    gold = [{"id": name, "html": PAGE, "gold": LONG} for name in "ab"]
    (pages / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in gold), encoding="utf-8")
    measured = dehusk(command, "--corpus", "mine.jsonl", "-m", "short", "-m", "paragraphs", "-o", "lab", "--quiet")
    assert measured.returncode == 0, measured.stderr
    rows = [line.split()[:2] for line in measured.stdout.splitlines()]
    assert ["short", "1.000"] in rows
    assert ["paragraphs", "0.909"] in rows
    about = json.loads((pages / "lab" / "evaluation.json").read_text())
    assert about["systems"]["paragraphs"] == "1.0"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for which the example, and a plug-in that does not load, are installed."""
    pytest.importorskip("fastapi")
    site = tmp_path_factory.mktemp("site")
    describe(site, "dehusk-example", example())
    describe(site, "bad-plugin", {"dehusk.formats": {"torn": "no_such_module:X"}})
    variables = environment(site, FOLDER)
    with server("--jobs", "1", **variables) as started:
        yield started


class TestOverHttp:
    def test_by_name_and_by_media_type(self, running: Server) -> None:
        for path, accept in (
            ("/v1/extract?method=short&format=numbered", "*/*"),
            ("/v1/extract?method=short&format=num", "*/*"),
            ("/v1/extract?method=short", "text/x-numbered"),
        ):
            reply = running.ask(path, PAGE, Accept=accept)
            assert (reply.status, reply.text) == (200, f"1 {LONG}")
            assert reply.headers["content-type"] == "text/x-numbered; charset=utf-8"

    def test_in_a_batch(self, running: Server) -> None:
        reply = running.ask("/v1/batch?method=short&format=numbered", json.dumps({"html": PAGE}) + "\n")
        assert json.loads(reply.text)["numbered"] == f"1 {LONG}"

    def test_in_lists_and_in_the_description(self, running: Server) -> None:
        method = running.ask("/v1/methods").json["methods"][-1]
        assert (method["name"], method["explains"], method["comments"], method["installed"]) == (
            "short", True, False, True,
        )  # fmt: skip
        described = running.ask("/openapi.json").json["paths"]["/v1/extract"]["post"]
        parameters = {each["name"]: each["schema"] for each in described["parameters"]}
        assert "short" in parameters["method"]["enum"]
        assert {"numbered", "num"} <= set(json.dumps(parameters["format"]).replace('"', " ").replace(",", " ").split())
        assert "text/x-numbered" in described["responses"]["200"]["content"]

    def test_on_the_page_to_play_with(self, running: Server) -> None:
        assert '<option value="numbered" data-suffix=".num">numbered' in running.ask("/").text

    def test_what_does_not_load_is_named_at_the_start_and_not_offered(self, running: Server) -> None:
        assert "bad-plugin 1.0 adds 'torn' to dehusk.formats, but does not load" in "".join(running.log)
        assert running.ask("/v1/extract?format=torn", PAGE).status == 422


def test_json_lines_have_the_reason_that_an_object_of_a_plug_in_lacks(pages: Path) -> None:
    code = """
import json
from dehusk.formats import Format

BARE = Format("bare", lambda document, **_: json.dumps(dict(enumerate(document.text.split()))), (".bare",),
              several="dehusk.formats.several:LINES", is_object=True)
"""
    (pages / "plug.py").write_text(code, encoding="utf-8")
    describe(pages, "bare-plugin", {"dehusk.formats": {"bare": "plug:BARE"}})
    run = runner(environment(pages), pages)
    lines = '{"id": 1, "html": "<p>Rain"}\n{"id": 2, "html": "<title>x"}\n'
    ended = run("-m", "dehusk", "extract", "-q", "-m", "alltext", "-f", "bare", stdin=lines)
    assert [json.loads(line) for line in ended.stdout.splitlines()] == [
        {"id": 1, "0": "Rain", "reason": None, "reason_code": None},
        {"id": 2, "reason": "no text", "reason_code": "no-text"},
    ]
    (pages / "none.html").write_text("<title>x", encoding="utf-8")
    ended = run("-m", "dehusk", "extract", "-q", "-m", "alltext", "-f", "bare", "none.html")
    assert ended.stdout == '{"file": "none.html"}\n'


def test_agents_get_formats_with_a_media_type_of_their_own(installed: dict[str, str], pages: Path) -> None:
    mcp = pytest.importorskip("mcp")

    async def run() -> tuple[Any, Any]:
        command = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "dehusk", "mcp"], cwd=str(pages), env=installed
        )
        async with mcp.Client(command, read_timeout_seconds=120) as client:
            (tools, *_) = (await client.list_tools()).tools
            answer = await client.call_tool("extract", {"html": PAGE, "method": "short", "format": "numbered"})
            return tools.input_schema["properties"]["format"]["enum"], "".join(part.text for part in answer.content)

    offered, answer = asyncio.run(run())
    assert (offered[:6], offered[-1]) == (["json", "markdown", "text", "html", "xml", "tei"], "numbered")
    assert answer == f"1 {LONG}"


def test_broken_plug_ins_do_not_disturb_those_who_do_not_use_them(broken: Run) -> None:
    for arguments in (["extract", "a.html"], ["extract", "-f", "md", "a.html"], ["extract", "-o", "x.num", "a.html"]):
        ended = broken(*arguments)
        assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("option", "name", "message"),
    [
        (
            "--format",
            "gone",
            "bad-plugin 1.0 adds 'gone' to dehusk.formats, but does not load: ModuleNotFoundError: No",
        ),
        ("--format", "torn", "bad-plugin 1.0 adds 'torn' to dehusk.formats, but does not load: KeyError: 'key'"),
        ("--format", "odd", "adds 'odd' to dehusk.formats: expected a dehusk.formats.Format of that name, got 1"),
        (
            "--method",
            "gone",
            "bad-plugin 1.0 adds 'gone' to dehusk.methods, but does not load: ModuleNotFoundError: No",
        ),
    ],
)
def test_a_broken_plug_in_is_named_where_it_is_used(option: str, name: str, message: str, broken: Run) -> None:
    ended = broken("extract", option, name, "a.html")
    assert ended.returncode == 2
    assert message in ended.stderr


def test_broken_plug_ins_are_named_where_all_are_listed(broken: Run) -> None:
    listed = broken("models")
    assert listed.returncode == 0
    assert "kernel*" in listed.stdout
    assert listed.stderr.count("bad-plugin 1.0 adds") == 3
    assert "grabbing-plugin 1.0 adds 'kernel' to dehusk.methods, which is built in: not used" in listed.stderr


def test_a_broken_peer_cannot_be_measured(broken: Run, pages: Path) -> None:
    (pages / "mine.jsonl").write_text(json.dumps({"id": "a", "html": PAGE, "gold": LONG}) + "\n", encoding="utf-8")
    measured = broken("evaluate", "--corpus", "mine.jsonl", "-m", "bte", "-m", "gone", "--jobs", "1")
    assert measured.returncode == 2
    assert "gone cannot run: bad-plugin 1.0 adds 'gone'" in measured.stderr


def test_two_distributions_cannot_add_the_same_name(dehusk: Run, pages: Path) -> None:
    describe(pages / "site", "another-example", {"dehusk.formats": {"numbered": "dehusk_example.format:NUMBERED"}})
    ended = dehusk("extract", "--format", "numbered", "a.html")
    assert ended.returncode == 2
    assert "another-example 1.0 and dehusk-example 1.0 both add 'numbered' to dehusk.formats; uninstall" in ended.stderr


def test_distributions_are_searched_only_for_names_that_are_not_built_in(python: Run) -> None:
    code = (
        "import sys, dehusk\n"
        f"dehusk.extract({PAGE!r}, method='bte').render('md')\n"
        "print('importlib.metadata' in sys.modules)\n"
    )
    assert python("-c", code).stdout == "False\n"
