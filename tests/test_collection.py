"""What collecting tests does and does not: it builds nothing, and finds the same tests in every process."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from testing import growth, parameter_ids

ROOT = Path(__file__).parents[1]
PLUGIN = "tests.helpers.strict_collection"


def collected(seed: int, clock: int) -> "subprocess.Popen[str]":
    """Collect all tests with another order of sets and another time of day, and fail where one builds a model."""
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "--collect-only"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed), "COLLECTION_CLOCK": str(clock)},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_two_processes_collect_the_same_tests_and_build_no_model_for_it() -> None:
    processes = [collected(1, 0), collected(2, 100_000)]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs[0][-2000:]
    first, second = ([line for line in output.splitlines() if "::" in line] for output in outputs)
    assert first == second
    assert any(line.startswith("tests/test_collection.py::test_two_processes_collect") for line in first)


@pytest.mark.parametrize(
    ("test_id", "fault"),
    [
        ("deflate without its frame", ""),
        ("\\u6728 0x7f000001 1700000000", ""),
        ("<Page object at 0x7f1c2a3b4c5d>", "holds an address in memory"),
        ("gzip-b'\\x1f\\x8b'", "holds bytes"),
        ("x" * 201, "is longer than 200 characters or not printable"),
        ("a\nb", "is longer than 200 characters or not printable"),
    ],
    ids=["words", "escaped", "address", "bytes", "long", "two lines"],
)
def test_ids_that_may_differ_between_processes_are_noticed(test_id: str, fault: str) -> None:
    assert parameter_ids.fault(test_id) == fault


def test_ids_that_hold_the_time_are_noticed() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    for text in (f"{now.timestamp() - 5:.0f}", "from 2026-03-01 on"):
        assert parameter_ids.fault(text, now) == "holds the time of collection"
        assert parameter_ids.fault(text, datetime(2027, 3, 1, tzinfo=UTC)) == ""


def test_an_unstable_id_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_it.py").write_text(
        "import pytest\n@pytest.mark.parametrize('x', [object()], ids=repr)\ndef test_it(x): pass\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "--rootdir", "."],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "its id holds an address in memory" in ended.stderr


def test_growth_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(growth, "process_time", lambda: now)

    def take(seconds: float) -> Any:
        def run() -> None:
            nonlocal now
            now += seconds

        return run

    assert growth.exponent(take(0.1), take(0.8)) == pytest.approx(1)
    assert growth.exponent(take(0.1), take(6.4)) == pytest.approx(2)
    assert growth.exponent(take(0.0001), take(0.02)) <= growth.LINEAR  # too little to be measured
