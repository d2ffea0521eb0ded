"""A single task runs under the limits of the pool, in a copy of the process."""

import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dehusk import Limits, forked
from dehusk.pool import Pool
from dehusk.reasons import Code, Reason
from tests.helpers.trouble import answer

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of other tests' threads


def found(task: str, *, seconds: float = 9999, memory: int = 3_000_000_000) -> Any:
    return forked.run(partial(answer, None), task, Limits(seconds=seconds, memory=memory))


@pytest.fixture
def _copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "is_safe", lambda: True)


@pytest.mark.usefixtures("_copied")
class TestCopy:
    def test_the_answer_comes_from_another_process(self) -> None:
        task, process = found("a")
        assert task == "a"
        assert process != os.getpid()
        assert not Path(f"/proc/{process}").exists()

    @pytest.mark.parametrize(
        ("task", "reason"),
        [
            ("wait 1000", "took longer than 1 s"),
            ("swell 10000000000", "out of memory"),
            ("exit 7", "its worker died (exit status 7), perhaps over 3 GB of memory"),
            ("killed", "its worker died (exit status -9), perhaps over 3 GB of memory"),
            ("raise why", "failed: ValueError: why"),
        ],
    )
    def test_a_task_that_goes_wrong_has_a_reason(self, task: str, reason: str) -> None:
        assert str(found(task, seconds=1 if "wait" in task else 9999)) == reason

    @pytest.mark.parametrize("status", ["0", "3", "-1", "message"])
    def test_a_task_that_exits_has_failed_as_in_a_worker_of_the_pool(self, status: str) -> None:
        with Pool(partial(answer, None), 1, Limits()) as pool:
            ((_, reason),) = pool.map([f"sys.exit {status}"])
        assert found(f"sys.exit {status}") == reason == Reason(Code.FAILED, f"SystemExit: {status}")

    def test_a_long_answer(self) -> None:
        assert len(found("x" * 5_000_000)[0]) == 5_000_000

    def test_no_more_processes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse() -> int:
            raise BlockingIOError(11, "Resource temporarily unavailable")

        before = len(list(Path("/proc/self/fd").iterdir()))
        monkeypatch.setattr(os, "fork", refuse)
        assert found("a") == Reason(Code.NO_WORKER, "Resource temporarily unavailable")
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_beside_other_threads_a_worker_runs_in_place_of_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", None)
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    assert not forked.is_safe()
    assert found("a")[0] == "a"
    done.set()
    thread.join()


PROGRAM = """
import sys
from functools import partial
from dehusk import Limits, forked
from tests.helpers.trouble import answer
print("before")
for task in sys.argv[1:]:
    print(forked.run(partial(answer, None), task, Limits())[0])
"""


def program(*tasks: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONUNBUFFERED": "", "OPENBLAS_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", PROGRAM, *tasks]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def test_nothing_is_printed_twice_and_what_a_method_prints_goes_to_standard_error() -> None:
    out, err = program("print noise", "read", "a").communicate("input")
    assert (out, err) == ("before\nprint noise\n\na\n", "noise\n")


def test_ctrl_c_ends_the_copy(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test in the background ignores it
    with program(f"meet {tmp_path} 0") as process:
        signal.signal(signal.SIGINT, before)
        while not (tmp_path / "0").exists():
            assert process.poll() is None
        (child,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait() == -signal.SIGINT
        assert process.stderr
        assert process.stderr.read().strip().endswith("KeyboardInterrupt")
    assert not Path(f"/proc/{child}").exists()
