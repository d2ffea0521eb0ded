"""Closed standard output or error, and a full disk: pages are written or reported, and nothing is left half done."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EXTRACT = f"{sys.executable} -m dehusk extract --method alltext"


@pytest.fixture(autouse=True)
def _pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pages").mkdir()
    for name in "abc":
        Path(f"pages/{name}.html").write_text(f"<p>{name * 9}")
    Path("pages/d.html").write_bytes(b"%PDF-1.7")


def shell(command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("pages", ["pages/a.html", "-j 1 pages"])
def test_with_an_output_no_stream_is_needed(closed: str, pages: str) -> None:
    ended = shell(f"{EXTRACT} {pages} --output out {closed}")
    assert ended.returncode == (0 if pages == "pages/a.html" else 1)
    assert Path("out/pages/a.txt").read_text() == "aaaaaaaaa\n"
    assert len(list(Path("out/pages").iterdir())) == (1 if pages == "pages/a.html" else 3)
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("pages", ["pages/a.html", "-j 1 pages/a.html pages/b.html"])
def test_a_closed_standard_error_leaves_standard_output_as_it_is(pages: str) -> None:
    closed, quiet = shell(f"{EXTRACT} {pages} 2>&-"), shell(f"{EXTRACT} -q {pages}")
    assert (closed.returncode, closed.stdout) == (0, quiet.stdout)
    assert "aaaaaaaaa\n" in closed.stdout


def test_without_an_output_a_closed_standard_output_is_wrong_usage() -> None:
    ended = shell(f"{EXTRACT} pages/a.html >&-")
    assert (ended.returncode, ended.stderr) == (
        2, "dehusk: standard output is closed; name a file or a folder with --output\n",
    )  # fmt: skip


def test_a_closed_standard_output_and_words() -> None:
    assert shell(f"{sys.executable} -m dehusk perplexity 'It had rained for nine days.' >&-").stderr == ""


def test_a_full_disk_ends_the_run_and_leaves_no_parts(dehusk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = Path.write_text, list[Path]()

    def fail(path: Path, text: str, **options: str) -> int:
        if written:
            path.write_bytes(b"b")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", fail)
    ended = dehusk("extract", "--method", "alltext", "-j", "1", "pages", "--output", "out")
    assert ended.err.splitlines() == [
        "dehusk: pages/b.html: no space left: out/pages/b.txt",
        "dehusk: 2 pages: 1 done, 1 no space",
        "dehusk: no space left, so the run ended here; free some and run again with --resume to continue",
    ]
    assert (ended.status, [path.name for path in Path("out/pages").iterdir()]) == (1, ["a.txt"])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk of its own, as only Linux can")
def test_a_disk_that_is_really_full() -> None:
    for number in range(300):
        Path(f"pages/{number}.html").write_text(f"<p>{'word ' * 2000}")
    Path("disk").mkdir()
    command = (
        f"{EXTRACT} -j 1 pages --output disk/out; echo status $?; find disk -name '*.part'; find disk -size 0 -type f"
    )
    ended = shell(f"unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=256k none disk && {{ {command}; }}'")
    assert ended.stdout == "status 1\n", ended.stderr
    assert "no space left" in ended.stderr
    assert ended.stderr.count("\n") == 3
