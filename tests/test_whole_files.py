"""A file is written under a name that nobody can guess, and what is left of a killed process is recognised."""

import errno
import os
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from dehusk import whole_files
from dehusk.file_locks import try_lock
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


def left_in(folder: Path) -> Path:
    """Leave a file as a process does that was killed while it was writing."""
    path = folder / f".dehusk-{uuid4().hex}.part"
    path.touch()
    return path


def test_only_what_is_ours_is_removed_and_only_if_nobody_is_writing_it(tmp_path: Path) -> None:
    (tmp_path / "thesis.part").touch()
    (tmp_path / ".a.part").touch()
    (tmp_path / "linked").touch()
    link = left_in(tmp_path)
    link.unlink()
    link.symlink_to("linked")
    left_in(tmp_path)
    with unfinished_file(tmp_path) as live:
        remove_unfinished(tmp_path)
        expected = [tmp_path / "thesis.part", tmp_path / ".a.part", tmp_path / "linked", link]
        assert sorted(tmp_path.iterdir()) == sorted([*expected, live])
    assert sorted(tmp_path.iterdir()) == sorted(expected)
    remove_unfinished(tmp_path / "missing")


def test_without_locks_the_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "try_lock", lambda descriptor: None)
    old, new = left_in(tmp_path), left_in(tmp_path)
    os.utime(old, (0, 0))
    remove_unfinished(tmp_path)
    assert list(tmp_path.iterdir()) == [new]
    with write_atomically(tmp_path / "a") as part:
        part.write_text("a")
    assert sorted(tmp_path.iterdir()) == sorted([new, tmp_path / "a"])


def test_a_file_that_is_removed_as_it_is_created_is_created_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [lambda: remove_unfinished(tmp_path)]

    def interrupted_lock(descriptor: int) -> bool | None:
        while moments:
            moments.pop()()
        return try_lock(descriptor)

    monkeypatch.setattr(whole_files, "try_lock", interrupted_lock)
    with write_atomically(tmp_path / "a") as part:
        assert part.exists()
        part.write_text("a")
    assert (tmp_path / "a").read_text() == "a"


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with write_atomically(tmp_path / "a") as part:
        part.write_text("a")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode
