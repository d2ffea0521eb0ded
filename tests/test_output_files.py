import errno
import os
from pathlib import Path

import pytest

from dehusk.output_files import OutputFolder
from dehusk.reasons import Code, Reason
from dehusk.whole_files import unfinished_file


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, content: bytes | None = None, *, pages: tuple[str, ...] = (), suffix: str = ".txt") -> list[str]:
    """Write the output of a page unless it is there, and return all outputs."""
    folder = OutputFolder(Path("out"), suffix, pages, resume=True)
    if folder.claim(name, content):
        assert folder.write(name, name) is None
    return sorted(str(path.relative_to("out")) for path in Path("out").rglob("*") if path.is_file())


def test_names_do_not_depend_on_what_else_is_in_a_run() -> None:
    written("page.html")
    assert written("page.htm") == ["page.htm.txt", "page.txt"]
    assert Path("out/page.htm.txt").read_text() == "page.htm\n"


def test_a_line_that_comes_twice_has_two_outputs_and_neither_is_written_again() -> None:
    for _ in range(2):
        folder = OutputFolder(Path("out"), ".txt", resume=True)
        for name in ("l.jsonl:1", "l.jsonl:2", "l.jsonl:3"):
            if folder.claim(name, b"{}"):
                folder.write(name, name)
    assert folder.skipped == 3
    assert [path.read_text() for path in sorted(Path("out/l.jsonl").iterdir())] == [
        "l.jsonl:2\n", "l.jsonl:3\n", "l.jsonl:1\n",
    ]  # fmt: skip


def test_a_folder_with_the_name_of_an_output_is_no_page_that_is_done() -> None:
    Path("out/a.txt").mkdir(parents=True)
    assert OutputFolder(Path("out"), ".txt", resume=True).claim("a.html")


def test_an_output_never_goes_over_a_page() -> None:
    Path("out").mkdir()
    Path("out/a.html").write_text("<p>page")
    name, page = written("a.html", pages=("out/a.html",), suffix=".html")
    assert (Path("out", page).read_text(), Path("out", name).read_text()) == ("<p>page", "a.html\n")
    assert len(written("a.html", pages=("out/a.html",), suffix=".html")) == 2


def test_pages_that_differ_by_case_have_two_outputs_where_case_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(OutputFolder, "_ignores_case", True)
    Path("page.html").touch()
    Path("Page.html").touch()
    written("Page.html")
    marked, plain = written("page.html")
    assert marked.startswith("Page-")
    assert plain == "page.txt"
    assert len({name.casefold() for name in (marked, plain)}) == 2


def test_capitals_stay_where_no_page_can_differ_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OutputFolder, "_ignores_case", True)
    Path("Page.html").touch()
    os.link("Page.html", "pAGE.HTML")  # as a file system that ignores case shows it
    assert written("Page.html") == ["Page.txt"]


def test_this_file_system_knows_case() -> None:
    assert written("Page.html") == ["Page.txt"]
    assert written("page.html") == ["Page.txt", "page.txt"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_what_cannot_be_written_leaves_nothing(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = OutputFolder(Path("out"), ".txt")
    assert folder.claim("a.html")

    def fail(path: Path, text: str, **_: object) -> None:
        path.write_bytes(text.encode()[:1])
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "write_text", fail)
    broken = Reason(Code.NOT_WRITTEN, f"{os.strerror(code)}: out/a.txt")
    assert folder.write("a.html", "text") == (broken if code == errno.EIO else Reason(Code.NO_SPACE, "out/a.txt"))
    assert not list(Path("out").iterdir())
    assert folder.full == (code != errno.EIO)


def test_a_link_beside_an_output_is_not_followed() -> None:
    Path("out").mkdir()
    Path("victim").write_text("mine")
    Path("out/p.txt.part").symlink_to("../victim")
    Path("out/p.txt").symlink_to("../victim")
    folder = OutputFolder(Path("out"), ".txt")
    assert folder.claim("p.html")
    assert folder.write("p.html", "text") is None
    assert Path("victim").read_text() == "mine"
    assert (Path("out/p.txt").is_symlink(), Path("out/p.txt").read_text()) == (False, "text\n")
    assert Path("out/p.txt.part").is_symlink()  # which is not ours to remove


def test_a_link_where_the_file_system_is_probed_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out").mkdir()
    Path(f"out/.dehusk-{os.getpid()}.part").symlink_to("../planted")
    assert written("Page.html") == ["Page.txt"]
    assert not Path("planted").exists()


def test_what_a_killed_run_left_is_removed_and_what_another_run_writes_is_not() -> None:
    Path("out").mkdir()
    Path(f"out/.dehusk-{0:032x}.part").touch()
    with unfinished_file(Path("out")) as live:
        assert written("p.html") == [live.name, "p.txt"]
