"""A file is written under a name that nobody can guess, and what is left of a killed process is recognised."""

import errno
import os
from pathlib import Path
from uuid import UUID

import pytest

from dehusk import whole_files
from dehusk.whole_files import UNFINISHED, remove_unfinished, unfinished_file, write_atomically


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with write_atomically(path) as part:
        part.write_text("content")
        assert not path.exists()
        assert UNFINISHED.fullmatch(part.name)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.txt", "content")]


def test_a_link_under_the_name_of_an_unfinished_file_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "victim").write_text("mine")
    monkeypatch.setattr(whole_files, "uuid4", lambda: UUID(int=0))  # as if somebody had guessed it
    (tmp_path / f".dehusk-{0:032x}.part").symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError), write_atomically(tmp_path / "a.txt") as part:
        part.write_text("content")
    assert (tmp_path / "victim").read_text() == "mine"


def test_an_error_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("before")

    def write_half() -> None:
        with write_atomically(tmp_path / "a.txt") as part:
            part.write_text("half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_half()
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.txt", "before")]


def test_only_what_is_ours_is_removed_and_only_when_it_is_old(tmp_path: Path) -> None:
    (tmp_path / "thesis.part").touch()
    (tmp_path / ".a.part").touch()
    old, new = unfinished_file(tmp_path), unfinished_file(tmp_path)
    os.utime(old, (0, 0))
    remove_unfinished(tmp_path, age=3600)
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / "thesis.part", tmp_path / ".a.part", new])
    remove_unfinished(tmp_path)
    assert sorted(tmp_path.iterdir()) == [tmp_path / ".a.part", tmp_path / "thesis.part"]
    remove_unfinished(tmp_path / "missing")


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with write_atomically(tmp_path / "a") as part:
        part.write_text("a")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode
