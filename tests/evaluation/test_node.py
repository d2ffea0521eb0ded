"""Node: the process answers, is killed when it takes too long, and starts again; what is missing is named."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from dehusk.errors import UsageError
from dehusk.evaluation import node, peers, run
from dehusk.evaluation.node import Node
from dehusk.evaluation.peers import installed_peers, shared_node
from dehusk.evaluation.session import choose_systems
from dehusk.gold.pages import GoldPage
from testing.needed import skip_unless

WEB = Path(__file__).parents[2] / "web" / "peers"
# Stands in for the tools: the page says what happens.
PROGRAM = """
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { load, html, url } = JSON.parse(line);
  if (html === "hang") for (;;);
  if (html === "die") process.exit(7);
  const failed = load === "absent" || html === "fail";
  const answer = failed ? { error: "Error: no" } : { version: "1.2", html: `${html} ${url}`, cpu: 5e5 };
  console.log(JSON.stringify(answer));
});
"""


@pytest.fixture
def _program() -> None:
    skip_unless(shutil.which("node"), "Node")


@pytest.fixture
def _tools(_program: None) -> None:
    skip_unless((WEB / "node_modules").is_dir(), "what `make peers` installs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / node.PROGRAM).write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "node_modules").mkdir()
    return tmp_path


@pytest.mark.slow  # `make check` does without Node
@pytest.mark.usefixtures("_program")
def test_pages_are_answered_by_one_process_and_their_time_is_added_up(folder: Path) -> None:
    tool = Node(folder)
    assert tool.load("any") == "1.2"
    process, before = tool.process_id, tool.cpu_seconds
    assert tool.extract("any", "A page\n\u2028 of \ud800 lines", "https://example.org/").endswith(
        "https://example.org/"
    )
    assert tool.extract("any", "Next", None) == "Next null"
    assert tool.process_id == process
    assert tool.cpu_seconds - before == 1.0
    tool.close()
    assert tool.process_id is None


@pytest.mark.slow  # `make check` does without Node
@pytest.mark.usefixtures("_program")
def test_after_a_page_that_kills_it_another_process_takes_the_next(folder: Path) -> None:
    tool = Node(folder)
    with pytest.raises(ChildProcessError, match=r"Node died \(exit status 7\)"):
        tool.extract("any", "die", None)
    assert tool.extract("any", "Next", None) == "Next null"
    tool.close()


@pytest.mark.slow  # `make check` does without Node
@pytest.mark.usefixtures("_program")
def test_a_page_that_takes_too_long_is_an_error_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = Node(folder)
    tool.load("any")
    monkeypatch.setattr(node, "SECONDS", 0.5)
    with pytest.raises(TimeoutError, match=r"took longer than 0\.5 s"):
        tool.extract("any", "hang", None)
    monkeypatch.undo()
    assert tool.extract("any", "Next", None) == "Next null"
    tool.close()


@pytest.mark.slow  # `make check` does without Node
@pytest.mark.usefixtures("_program")
def test_what_a_tool_throws_is_raised_and_the_process_stays(folder: Path) -> None:
    tool = Node(folder)
    tool.load("any")
    process = tool.process_id
    with pytest.raises(RuntimeError, match="Error: no"):
        tool.extract("any", "fail", None)
    with pytest.raises(ImportError, match=r"absent does not load in Node \(Error: no\)"):
        tool.load("absent")
    assert tool.process_id == process
    tool.close()


@pytest.mark.parametrize(
    ("program", "installed", "reason"),
    [(None, True, "Node is not installed"), ("node", False, "the packages of web/peers are not installed")],
)
def test_what_is_missing_is_named_with_the_remedy(
    program: str | None, installed: bool, reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: program)
    if not installed:
        (folder / "node_modules").rmdir()
    monkeypatch.setattr(peers, "shared_node", lambda: Node(folder))
    monkeypatch.chdir(Path(__file__).parents[2])
    available, missing = installed_peers(["defuddle", "readability-js", "turbohtml"])
    assert list(available) == ["turbohtml"]
    assert set(missing) == {"defuddle", "readability-js"}
    assert set(missing.values()) == {f"{reason}; with Node 18 or newer, in a clone of dehusk: make peers"}


def test_without_a_clone_there_are_no_tools_in_javascript() -> None:
    with pytest.raises(ImportError, match="dehusk was not installed from a clone"):
        Node(None).load("defuddle")


def test_a_tool_that_was_named_must_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "shared_node", lambda: Node(None))
    with pytest.raises(UsageError, match="defuddle cannot run: dehusk was not installed from a clone; with Node 18"):
        choose_systems(["defuddle"])


@pytest.mark.slow
@pytest.mark.usefixtures("_tools")
@pytest.mark.parametrize("name", ["defuddle", "readability-js"])
def test_the_evaluation_counts_the_time_and_memory_of_node(name: str) -> None:
    text = "It rained all day in the valley, and nobody went out of the house before the evening. " * 10
    page = GoldPage("mine", "1", "all", f"<article><h1>Rain</h1><p>{text}</p></article>", text)
    (row,) = run.run_page(run.Plan((name,), "bow"), page).rows
    assert not row.error
    assert row.f1 > 0.9
    assert row.milliseconds > 1
    shared_node().close()
    alone = run.memory_after("turbohtml", page.html)
    assert run.memory_after(name, page.html) > alone + 20


@pytest.mark.slow
@pytest.mark.usefixtures("_tools")
def test_the_process_ends_when_its_input_does() -> None:
    process = subprocess.Popen(
        [shutil.which("node") or "node", node.PROGRAM], cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    time.sleep(0.5)
    with process:
        assert process.stdin
        process.stdin.close()
        assert process.wait() == 0
