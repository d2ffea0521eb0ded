"""The archive fuzzer itself: its cases are what they say, it sees what was planted, and some hundred cases are well."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from dehusk.reasons import Code, Reason
from dehusk.sources.account import Account, Gap
from fuzz import archive_checks, archives
from fuzz.archive_cases import KINDS, ArchiveCase, Frame, warc_case
from fuzz.archive_changes import CHANGES, changed, make
from fuzz.archive_checks import Reading, Seen, reference
from fuzz.invariants import InvariantError
from testing.made_archives import PACKS, WARC, WARCINFO, Known

KNOWN = Known("https://site.example/1", b"<p>One", "One")
FRAME = Frame(WARC.response(KNOWN), (KNOWN,))
SOUND = ArchiveCase("warc", "", "crawl.warc", (FRAME,))
TOUCHED = replace(SOUND, frames=(replace(FRAME, is_touched=True),), changes=("flip",))
SIZE = len(FRAME.data)
SEEN = Seen(KNOWN.url, KNOWN.body, None, "response", 0)


def reading(*records: Seen, gaps: tuple[Gap, ...] = (), record_bytes: int = SIZE, end: int = SIZE) -> Reading:
    return Reading(records, Account(0, end, len(records), record_bytes, 0, list(gaps)))


def gap(start: int, end: int) -> Gap:
    return Gap(start, end, Reason(Code.DAMAGED, "here"))


VIOLATIONS = {
    "sound_archives_are_read_as_they_are": (SOUND, reading(SEEN._replace(code=Code.DAMAGED))),
    "required_pages_are_there": (SOUND, reading()),
    "no_record_appears_from_nowhere": (TOUCHED, reading(SEEN, SEEN)),
    "no_loss_is_silent": (TOUCHED, reading()),
    "sums_are_checked": (replace(TOUCHED, pack=".gz"), reading(SEEN._replace(body=b"<p>Two"))),
    "bytes_add_up": (SOUND, reading(SEEN, record_bytes=SIZE - 1)),
    "gaps_are_in_order": (TOUCHED, reading(gaps=(gap(5, 9), gap(7, 10)))),
    "untouched_bytes_are_records": (SOUND, reading(SEEN, record_bytes=9)),
    "warcio_reads_no_more": (SOUND, reading()),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_each_check_sees_a_planted_violation(name: str) -> None:
    case, seen = VIOLATIONS[name]
    with pytest.raises(InvariantError):
        getattr(archive_checks, name)(case, seen)


def test_every_check_has_a_planted_violation_and_lets_a_good_reading_pass() -> None:
    assert {check.__name__ for check in archive_checks.INVARIANTS} == set(VIOLATIONS)
    for check in archive_checks.INVARIANTS:
        check(SOUND, reading(SEEN))


def test_cases_are_a_function_of_seed_and_index() -> None:
    assert [make(1, index).data for index in range(40)] == [make(1, index).data for index in range(40)]
    assert make(1, 0).data != make(2, 0).data


def test_every_change_applies_to_something() -> None:
    random = Random(1)
    cases = [make(random) for make in KINDS.values() for _ in range(20)]
    done = {change for case in cases for _ in range(20) for change in changed(case, random).changes}
    assert done == set(CHANGES)


def test_warcio_reads_the_sound_files_that_it_can_read() -> None:
    records = [WARCINFO, *(WARC.response(replace(KNOWN, url=f"https://site.example/{number}")) for number in range(5))]
    assert len(list(reference(b"".join(PACKS[".gz"](records))))) == len(list(reference(b"".join(records)))) == 6


def test_a_change_spares_the_frames_that_it_does_not_touch() -> None:
    random = Random(3)
    for _ in range(50):
        case = warc_case(random)
        damaged = changed(case, random)
        untouched = [frame for frame in damaged.frames if not frame.is_touched]
        assert all(frame in case.frames or not frame.known for frame in untouched)


def test_some_hundred_cases_are_well(tmp_path: Path) -> None:
    found = []
    for index in range(300):
        case = make(35, index)
        problem, message = archives.problem_of(case, tmp_path, Random(index))
        if problem:
            found.append(f"{index}: {archives.described(case)}: {problem}: {message}")
    assert not found


def test_a_process_runs_many_cases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sizes: list[int] = []

    def run_block(seed: int, start: int, count: int) -> archives.Block:
        sizes.append(count)
        return archives.Block(start, count)

    monkeypatch.setattr(archives, "run_block", run_block)
    archives.campaign(archives.State(1), tmp_path, 1, seconds=0.01, executions=float("inf"))
    archives.campaign(archives.State(1), tmp_path, 2, seconds=60.0, executions=1_500)
    assert set(sizes[:-2]) == {archives.BLOCK}
    assert sizes[-2:] == [750, 750]


@pytest.mark.slow
def test_a_campaign_counts_resumes_and_prints_its_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for count in (30, 60):
        archives.main(["--seed", "35", "--executions", "30", "--folder", str(tmp_path)])
        assert f"{count} executions, seed 35" in capsys.readouterr().out
