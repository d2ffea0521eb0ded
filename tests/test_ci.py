"""CI's script: both targets where nothing is left of earlier runs, and the exit status of the first failure.

What the targets install is checked, too.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
RUN = ROOT / ".ci" / "run"
# Writes what it sees, and fails if it is told to.
MAKE = """#!/bin/sh
{ echo "$@"; readlink /proc/self/ns/mnt; ls -A /tmp | xargs; ls -A "$XDG_CACHE_HOME" | xargs
  echo "$HOME"; echo "$CI"; echo "$DEHUSK_DATA"; ls "$DEHUSK_DATA/data" | xargs; } > "made-$1"
exit $(cat "status-$1" 2> /dev/null || echo 0)
"""
NOT_ALLOWED = "#!/bin/sh\nexit 1\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="CI is a Linux machine")


class Clone(NamedTuple):
    """A clone with the real pages beside it, in the folder for temporary files, where CI may put it."""

    folder: Path
    programs: Path

    def run(self) -> "subprocess.CompletedProcess[str]":
        path = f"{self.programs}:{os.environ['PATH']}"
        environment = {name: value for name, value in os.environ.items() if name not in ("CI", "DEHUSK_DATA")}
        environment |= {"PATH": path, "HOME": "/home/someone", "XDG_CACHE_HOME": str(self.programs)}
        return subprocess.run(
            [self.folder / ".ci" / "run"], env=environment, capture_output=True, text=True, check=False
        )

    def made(self, target: str) -> list[str]:
        return (self.folder / f"made-{target}").read_text().splitlines()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    folder, programs = tmp_path / "main", tmp_path / "bin"
    (tmp_path / "shared" / "data" / "pages").mkdir(parents=True)
    (folder / ".ci").mkdir(parents=True)
    shutil.copy(RUN, folder / ".ci" / "run")
    programs.mkdir()
    program(programs / "make", MAKE)
    return Clone(folder, programs)


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def test_both_targets_run_where_nothing_is_left_of_earlier_runs(clone: Clone) -> None:
    ended = clone.run()
    assert (ended.returncode, ended.stdout) == (0, "")
    here = str(Path("/proc/self/ns/mnt").readlink())
    for target in ("test", "test-training"):
        name, namespace, in_tmp, cached, home, is_ci, data, in_data = clone.made(target)
        assert (name, home, is_ci, in_data) == (target, "/home/someone", "true", "pages")
        assert data == str(clone.folder.parent / "shared")
        if ended.stderr:  # on a machine of its users, who must not create namespaces
            assert ended.stderr.startswith("mount namespaces are not allowed here")
            assert namespace == here
        else:
            assert namespace != here
            assert cached == ""
            kept = [clone.folder.parts[2]] if clone.folder.is_relative_to("/tmp") else []
            assert sorted(in_tmp.split()) == sorted(["cache", *kept])


def test_without_namespaces_it_says_so_and_goes_on(clone: Clone) -> None:
    program(clone.programs / "unshare", NOT_ALLOWED)
    ended = clone.run()
    assert ended.returncode == 0
    assert ended.stderr.startswith("mount namespaces are not allowed here")
    assert clone.made("test-training")[0] == "test-training"


def test_where_tmp_cannot_be_replaced_it_says_so_and_goes_on(clone: Clone) -> None:
    program(clone.programs / "unshare", '#!/bin/sh\nshift\nexec "$@"\n')
    program(clone.programs / "mount", NOT_ALLOWED)
    ended = clone.run()
    assert ended.returncode == 0
    assert ended.stderr.startswith("/tmp cannot be replaced here")
    assert clone.made("test-training")[0] == "test-training"


def test_the_first_failure_is_the_exit_status(clone: Clone) -> None:
    (clone.folder / "status-test").write_text("7")
    assert clone.run().returncode == 7
    assert not (clone.folder / "made-test-training").exists()
    (clone.folder / "status-test").unlink()
    (clone.folder / "status-test-training").write_text("8")
    assert clone.run().returncode == 8


@pytest.mark.parametrize(("target", "is_needed"), [("check", False), ("test", True)])
def test_the_quick_loop_needs_no_ray_browser_or_node(target: str, is_needed: bool) -> None:
    command = ["make", "--dry-run", "--always-make", target]
    recipe = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "pytest" in recipe
    for name in ("ray", "chromium", "npm", "node"):
        assert bool(re.search(rf"\b{name}\b", recipe)) == is_needed, name


def test_without_real_pages_nothing_runs(clone: Clone) -> None:
    (clone.folder.parent / "shared" / "data" / "pages").rmdir()
    ended = clone.run()
    assert ended.returncode == 1
    assert "no real pages in" in ended.stderr
    assert not (clone.folder / "made-test").exists()
