"""Child processes: whatever one does in place of an answer has its reason, and leaves no process."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from dehusk import Limits, forked
from dehusk.child import Child, EndedError
from dehusk.evaluation.node import JsonChild
from dehusk.pool import Pool
from dehusk.processes import descendants
from dehusk.reasons import Code, Reason
from testing.processes import wait_for_end
from tests.helpers.trouble import CountsItsLoads, Unreadable, answer

BEGIN = "from dehusk.child import *; import os, signal, time; tasks, answers = own_streams(); read_task(tasks)\n"
READY = BEGIN + "send_answer(answers, None); read_task(tasks)\n"
# A grandchild with all pipes of its parent, in the session of its parent.
FORKS = "if not os.fork(): time.sleep(600)\n"
PROGRAMS = {
    "dies before its set-up": "import os; os._exit(7)",
    "dies in the middle of an answer": READY + "os.write(answers, encode('x' * 999)[:100]); os._exit(7)",
    "writes garbage": READY + "os.write(answers, b'Hello, this is no message'); time.sleep(600)",
    "writes garbage before its set-up": "import time; print('Hello from a library', flush=True); time.sleep(600)",
    "writes a message that cannot be read": READY + "os.write(answers, HEADER.pack(MARK, 3) + b'abc'); time.sleep(600)",
    "answers twice": READY + "os.write(answers, 2 * encode('a')); time.sleep(600)",
    "closes its output and lives on": READY + "os.close(answers); time.sleep(600)",
    "dies, and its child holds the pipe": READY + FORKS + "os._exit(7)",
    "dies before its set-up, and its child holds the pipe": "import os, time\n" + FORKS + "os._exit(7)",
    "is killed": READY + "os.kill(os.getpid(), signal.SIGKILL)",
}
STOPS = READY + "os.kill(os.getpid(), signal.SIGSTOP); send_answer(answers, 'late')"
STOPS_HALFWAY = (
    READY + "os.write(answers, encode('x' * 999)[:100]); os.kill(os.getpid(), signal.SIGSTOP); time.sleep(600)"
)
SLOW = READY + "time.sleep(1.5); send_answer(answers, 'late')"


class Watched(Child):
    has_clock = False


@contextmanager
def started(program: str, kind: type[Child] = Child) -> Iterator[Child]:
    """Yield a child, and assert that afterwards nothing of its session is left, and no file open."""
    files = open_files()
    child = kind.start([sys.executable, "-c", program])
    session = child.pid
    try:
        yield child
    finally:
        child.end()
    deadline = time.monotonic() + 30  # for those that are waited for by the system
    while (left := living_in(session)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == []
    assert open_files() <= files


def open_files() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir() if path.exists()}


def living_in(session: int) -> list[int]:
    processes = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, own_session = path.read_text(errors="replace").rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(own_session) == session and state != "Z":
            processes.append(int(path.parent.name))
    return processes


def ended(child: Child, seconds: float = 600.0) -> EndedError:
    """Set the child up and ask it; return the error."""
    with pytest.raises(EndedError) as caught:
        assert child.ask("set-up", seconds, 2_000_000_000) or child.ask("task", seconds, 2_000_000_000)
    assert not child.is_alive
    return caught.value


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_child_that_does_not_answer_has_died(name: str) -> None:
    with started(PROGRAMS[name]) as child:
        reason = ended(child).reason
    assert reason.code is Code.WORKER_DIED
    assert reason.seen == (7 if "dies" in name else -signal.SIGKILL)


@pytest.mark.parametrize("program", [STOPS, STOPS_HALFWAY], ids=["before its answer", "in the middle of it"])
def test_a_child_that_is_stopped_is_too_slow(program: str) -> None:
    with started(program) as child:
        assert ended(child, 1.0).reason.code is Code.TOO_SLOW


def test_a_child_that_is_stopped_and_does_not_read_is_too_slow() -> None:
    with started(BEGIN + "send_answer(answers, None); os.kill(os.getpid(), signal.SIGSTOP)") as child:
        assert child.ask("set-up", 600) is None
        with pytest.raises(EndedError) as caught:
            child.ask("x" * 5_000_000, 0.5)  # more than a pipe holds
    assert caught.value.reason.code is Code.TOO_SLOW


def test_a_child_that_is_continued_answers() -> None:
    with started(STOPS) as child, ThreadPoolExecutor(1) as threads:
        assert child.ask("set-up", 600) is None
        continued = threads.submit(continue_when_stopped, child.pid)
        assert child.ask("task", 600) == "late"
        continued.result()


def continue_when_stopped(process: int) -> None:
    while os.waitid(os.P_PID, process, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
    os.kill(process, signal.SIGCONT)


def test_the_clock_of_the_parent_is_for_children_without_one() -> None:
    with started(SLOW) as child:  # whose own clock it is to say what a task takes, as in parts of a corpus
        assert child.ask("set-up", 600) is None
        assert child.ask("task", 0.1) == "late"
    with started(SLOW, Watched) as child:
        assert child.ask("set-up", 600) is None
        with pytest.raises(EndedError, match=r"took longer than 0\.1 s"):
            child.ask("task", 0.1)


class TestTree:
    """A child whose children lead sessions of their own, as those of a browser do."""

    LEAVES = READY + "if not os.fork(): os.setsid(); data = b'x' * 300_000_000; time.sleep(600)\n"

    class Tree(Child):
        has_clock = False
        starts_sessions = True

    def test_the_memory_of_all_processes_counts(self) -> None:
        with started(self.LEAVES + "time.sleep(600)", self.Tree) as child:
            assert child.ask("set-up", 600, 10**12) is None
            with pytest.raises(EndedError, match=r"out of memory: more than 0\.2 GB") as caught:
                child.ask("task", 600, 200_000_000)
        assert caught.value.reason.code is Code.OUT_OF_MEMORY

    def test_nothing_is_left_of_another_session(self) -> None:
        with started(self.LEAVES + "send_answer(answers, 'done'); time.sleep(600)", self.Tree) as child:
            assert child.ask("set-up", 600, 10**12) is None
            assert child.ask("task", 600, 10**12) == "done"
            below = descendants(child.pid)
            assert len(below) == 2
        wait_for_end(below)


def test_what_a_child_prints_or_reads_is_no_message(capfd: pytest.CaptureFixture[str]) -> None:
    program = READY + "print('noise'); import sys; sys.stdout.flush(); send_answer(answers, sys.stdin.read())"
    with started(program) as child:
        assert child.ask("set-up", 600) is None
        assert child.ask("task", 600) == ""
    assert capfd.readouterr() == ("", "noise\n")


def test_ctrl_c_in_the_middle_of_a_task_ends_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(child: Child, *_: object) -> None:
        raise KeyboardInterrupt

    with started(READY + "time.sleep(600)") as child:
        assert child.ask("set-up", 600) is None
        monkeypatch.setattr(Child, "_read", interrupt)
        with pytest.raises(KeyboardInterrupt):
            child.ask("task", 600)
        assert not child.is_alive


def test_a_child_ends_with_its_input() -> None:
    with started(READY) as child:
        assert child.ask("set-up", 600) is None
        child.close(600)
        assert child.end() != -signal.SIGKILL


def test_lines_of_json_are_messages_too() -> None:
    program = "import sys\nfor line in sys.stdin: print(line.upper().strip() if 'a' in line else 'no JSON', flush=True)"
    with started(program, JsonChild) as child:
        assert child.ask({"a": "b"}, 600) == {"A": "B"}
        with pytest.raises(EndedError) as caught:
            child.ask("other", 600)
    assert caught.value.reason.code is Code.WORKER_DIED


@pytest.mark.parametrize(
    ("task", "code"), [("stop", Code.TOO_SLOW), ("fork", Code.WORKER_DIED)], ids=["stopped", "held open"]
)
class TestCallers:
    def test_a_worker_of_the_pool_is_replaced(self, task: str, code: Code) -> None:
        with Pool(partial(answer, None), 1, Limits(seconds=3)) as workers:
            first, bad, last = (found for _, found in workers.map(["a", task, "b"]))
            assert workers.living == 1
        assert isinstance(bad, Reason)
        assert bad.code is code
        assert (first[0], last[0]) == ("a", "b")  # type: ignore[index]

    def test_the_copy_of_a_process_is_ended(self, task: str, code: Code, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(forked, "is_safe", lambda: True)
        before = set(descendants(os.getpid()))
        outcome = forked.run(partial(answer, None), task, Limits(seconds=3))
        assert isinstance(outcome, Reason)
        assert outcome.code is code
        wait_for_end(set(descendants(os.getpid())) - before)


def test_a_task_that_a_worker_cannot_read_is_answered_with_its_error_and_the_worker_lives() -> None:
    with Pool[object, object](partial(answer, None), 1, Limits()) as workers:
        (_, first), (_, bad), (_, last) = workers.map(["a", Unreadable(), "b"])
    assert isinstance(bad, Reason)
    assert str(bad) == "failed: ValueError: unreadable"
    assert first[1] == last[1]  # type: ignore[index] # the process


def test_the_function_is_pickled_once_and_loaded_once_per_worker(tmp_path: Path) -> None:
    state = CountsItsLoads(str(tmp_path))
    with Pool(partial(answer, state), 2, Limits()) as workers:
        assert len(list(workers.map(["wait 0.05"] * 20))) == 20
        living = workers.living
    assert state.pickled == 1
    assert len(list(tmp_path.iterdir())) == living
