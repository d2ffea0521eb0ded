import errno
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dehusk import Extractor, Limits, ModelError, UsageError
from dehusk.methods.alltext import AllText
from dehusk.pool import AHEAD, NoWorkerError, Pool, QueueFullError
from dehusk.reasons import Reason
from tests.helpers.methods import Obedient
from tests.helpers.trouble import DiesAtFirst, DiesUnlessFirst, SlowStart, answer, fork_and_answer

ROOT = Path(__file__).parent.parent


def pool(
    jobs: int = 1,
    state: object = None,
    *,
    seconds: float = 9999,
    memory: int = 3_000_000_000,
    waiting: int | None = None,
) -> Any:
    return Pool(partial(answer, state), jobs, Limits(seconds=seconds, memory=memory), waiting)


def answers(workers: Any, *tasks: str) -> list[Any]:
    """Run the tasks and return the answers; of those that succeeded, the first part."""
    with workers:
        return [str(found) if isinstance(found, Reason) else found[0] for _, found in workers.map(tasks)]


def is_running(process: object) -> bool:
    assert isinstance(process, int)
    return Path(f"/proc/{process}").exists()  # a zombie has its folder too


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    before = open_files()
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "dehusk"]
    assert open_files() <= before


def test_answers_keep_the_order_of_the_tasks() -> None:
    tasks = ("wait 0.3", "a", "b", "wait 0.1", "c")
    assert answers(pool(2), *tasks) == list(tasks)


def test_two_jobs_are_two_processes(tmp_path: Path) -> None:
    with pool(2) as workers:
        # Two that wait for each other would wait for ever in one process.
        processes = {process for _, (_, process) in workers.map([f"meet {tmp_path} {number}" for number in (0, 1)])}
        assert len(processes) == 2


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ("exit 7", "its worker died (exit status 7), perhaps over 3 GB of memory"),
        ("killed", "its worker died (exit status -9), perhaps over 3 GB of memory"),
        ("raise why", "failed: ValueError: why"),
        ("swell 5000000000", "out of memory"),
    ],
)
def test_a_task_that_goes_wrong_is_reported_and_the_next_ones_are_answered(task: str, reason: str) -> None:
    assert answers(pool(), "a", task, "b") == ["a", reason, "b"]


def test_a_task_over_the_time_limit_is_reported_and_the_next_ones_are_answered() -> None:
    # Three seconds for tasks that take a millisecond, so that a busy machine does not exceed the limit.
    assert answers(pool(seconds=3), "a", "wait 9999", "b") == ["a", "took longer than 3 s", "b"]


def test_what_a_task_prints_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert answers(pool(), "print noise", "a") == ["print noise", "a"]
    assert capfd.readouterr() == ("", "noise\n")


def test_a_task_that_reads_standard_input_finds_nothing_there() -> None:
    assert answers(pool(), "read", "a") == ["", "a"]


def test_the_time_limit_is_for_each_task_and_leaves_out_the_start() -> None:
    assert answers(pool(state=SlowStart(4), seconds=3), *["wait 1"] * 4) == ["wait 1"] * 4


def test_tasks_are_read_only_as_far_ahead_as_needed() -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        for number in itertools.count():
            read = number
            yield str(number)

    with pool() as workers:
        assert [task for task, _ in itertools.islice(workers.map(endless()), 20)] == [str(n) for n in range(20)]
    assert read <= 20 + AHEAD


def test_an_error_in_the_input_comes_through_and_ends_the_workers() -> None:
    seen: list[int] = []

    def broken() -> Iterator[str]:
        yield from ["a"] * AHEAD
        raise RuntimeError("the disk is on fire")

    def run() -> None:
        with pool() as workers:
            seen.extend(process for _, (_, process) in workers.map(broken()))

    with pytest.raises(RuntimeError, match="on fire"):
        run()
    assert seen
    assert not any(map(is_running, seen))


def test_a_consumer_that_stops_early_leaves_no_process() -> None:
    with pool(2) as workers:  # which would wait for hours if it did not end them
        tasks = ["wait 0.2"] * 2 + ["wait 9999"] * 9
        processes = [process for _, (_, process) in itertools.islice(workers.map(tasks), 2)]
    assert not any(map(is_running, processes))


def test_closing_the_results_ends_the_workers() -> None:
    limits = Limits(seconds=9999)
    results = Extractor(Obedient(), limits=limits).extract_many(["<p>a", "<p>wait 9999", "<p>b"], jobs=1)
    assert next(results).output == "a"
    results.close()  # which would wait for hours if it did not end them


def test_pools_run_in_several_threads_at_once() -> None:
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda names: answers(pool(), *names), ["abc", "def"])
    assert (first, second) == (["a", "b", "c"], ["d", "e", "f"])


def test_a_method_that_cannot_be_pickled_is_refused_with_the_remedy() -> None:
    class Local(AllText):
        pass

    with pytest.raises(ModelError, match=r"cannot be sent to worker processes .* top level of a module"):
        list(Extractor(Local()).extract_many(["<p>a"], jobs=1))


def test_a_method_that_a_worker_cannot_import_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("notebook")
    module.Mine = type("Mine", (AllText,), {"__module__": "notebook"})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "notebook", module)
    with pytest.raises(ModelError, match="No module named 'notebook'; a method of your own must live in a module"):
        list(Extractor(module.Mine()).extract_many(["<p>a"], jobs=1))


def test_a_python_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(ModelError, match=r"could not start: .*No such file"):
        answers(pool(), "a")


def test_a_function_that_forks_and_returns_twice_answers_once() -> None:
    with Pool(fork_and_answer, 1, Limits()) as pool:
        assert [answer for _, answer in pool.map(range(20))] == list(range(20))


class TestDeathWhileStarting:
    """Workers that die before they are ready, as the out-of-memory killer would have it."""

    @pytest.fixture(autouse=True)
    def _briefly(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("dehusk.pool.PAUSES", (0.01, 0.01, 0.01))

    def test_another_is_started(self, tmp_path: Path) -> None:
        assert answers(pool(2, DiesAtFirst(str(tmp_path), 3)), *"abcdef") == list("abcdef")
        assert len(list(tmp_path.iterdir())) == 3

    def test_after_some_attempts_every_page_is_answered_with_the_reason(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "executable", "/bin/false")
        reason = (
            "no worker process could start: it ended before its first page (exit status 1); use fewer jobs, or make "
            "more memory available"
        )
        assert answers(pool(2), *map(str, range(40))) == [reason] * 40

    def test_the_others_take_the_tasks(self, tmp_path: Path) -> None:
        # One worker starts, all later ones die: the only one left does the rest.
        with pool(3, DiesUnlessFirst(str(tmp_path))) as workers:
            processes = {process for _, (_, process) in workers.map(["wait 0.05"] * 20)}
        assert processes == {int((tmp_path / "first").read_text())}

    def test_a_shortage_of_processes_is_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        refused = iter([BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")] * 2)
        start = subprocess.Popen.__init__

        def popen(self: Any, *arguments: Any, **options: Any) -> None:
            for error in refused:
                raise error
            start(self, *arguments, **options)

        monkeypatch.setattr(subprocess.Popen, "__init__", popen)
        assert answers(pool(), "a") == ["a"]

    def test_a_worker_that_is_killed_between_tasks_costs_no_page(self) -> None:
        with pool() as workers:
            ((_, (_, first)),) = workers.map(["a"])
            os.kill(first, signal.SIGKILL)
            os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
            ((_, (_, second)),) = workers.map(["b"])
        assert first != second


def test_a_page_that_cannot_be_sent_is_refused() -> None:
    page: Any = memoryview(b"<p>a")
    with pytest.raises(UsageError, match="must be bytes or str"):
        list(Extractor("alltext").extract_many([page], jobs=1))


def test_files_in_the_current_folder_are_no_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('this is not numpy')")
    monkeypatch.chdir(tmp_path)
    assert answers(pool(), "a") == ["a"]


@pytest.mark.slow
def test_a_program_ends_at_once_with_a_run_still_open() -> None:
    program = """
from dehusk import Extractor, Limits
from dehusk.reasons import Reason
from tests.helpers.methods import Obedient
results = Extractor(Obedient(), limits=Limits(seconds=9999)).extract_many(["<p>a", "<p>wait 9999"], jobs=1)
print(next(results).output)
raise SystemExit(3)
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "a\n", "")


@pytest.mark.slow
def test_many_pools_one_after_the_other_leave_nothing_open() -> None:
    for _ in range(20):  # the fixture counts what is open afterwards
        assert answers(pool(), "exit 1", "a")[1] == "a"


class TestSubmit:
    """Tasks one by one, as a service has them."""

    def test_each_answer_is_that_of_its_task(self) -> None:
        with pool(2) as workers:
            futures = [workers.submit(str(number)) for number in range(50)]
            assert [future.result()[0] for future in futures] == [str(number) for number in range(50)]
            assert workers.unanswered == 0

    def test_beyond_the_bound_tasks_are_refused_until_one_is_answered(self, tmp_path: Path) -> None:
        with pool(waiting=2) as workers:
            running = workers.submit(f"meet {tmp_path} 0")
            waiting = [workers.submit("a"), workers.submit("b")]
            with pytest.raises(QueueFullError):
                workers.submit("c")
            assert workers.unanswered == 3
            (tmp_path / "1").touch()
            assert [future.result()[0] for future in (running, *waiting)][1:] == ["a", "b"]
            assert workers.submit("c").result()[0] == "c"

    def test_a_task_that_is_cancelled_while_it_waits_is_not_run_and_frees_its_place(self, tmp_path: Path) -> None:
        with pool(waiting=1) as workers:
            running = workers.submit(f"meet {tmp_path} 0")
            while not (tmp_path / "0").exists():
                time.sleep(0.01)
            waiting = workers.submit(f"meet {tmp_path} 2")
            assert waiting.cancel()
            assert not running.cancel()
            last = workers.submit("last")
            (tmp_path / "1").touch()
            assert last.result()[0] == "last"
        assert not (tmp_path / "2").exists()

    def test_a_task_that_kills_or_hangs_its_worker_costs_that_task_alone(self) -> None:
        with pool(2, seconds=3) as workers:
            bad = [workers.submit(task) for task in ("killed", "wait 9999", "exit 7", "swell 5000000000")]
            good = [workers.submit(str(number)) for number in range(9)]
            assert [future.result()[0] for future in good] == [str(number) for number in range(9)]
            assert all(isinstance(future.result(), Reason) for future in bad)
            # At once, since one worker alone could answer one after the other.
            again = [workers.submit("wait 0.2") for _ in range(4)]
            assert [future.result()[0] for future in again] == ["wait 0.2"] * 4
            assert workers.living == 2

    def test_a_pool_whose_workers_could_not_start_heals(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("dehusk.pool.PAUSES", (0.01,))
        monkeypatch.setattr("dehusk.pool.REST", 0.05)
        python = sys.executable
        with pool(2) as workers:
            monkeypatch.setattr(sys, "executable", "/bin/false")
            for future in [workers.submit("a") for _ in range(6)]:
                with pytest.raises(NoWorkerError, match="make more memory available"):
                    future.result()
            monkeypatch.setattr(sys, "executable", python)
            time.sleep(0.1)
            assert workers.submit("b").result()[0] == "b"
            assert [future.result()[0] for future in [workers.submit("wait 0.2") for _ in range(4)]] == ["wait 0.2"] * 4
            assert workers.living == 2

    def test_closing_cancels_what_waits(self) -> None:
        with pool() as workers:
            futures = [workers.submit("wait 9999"), workers.submit("a"), workers.submit("b")]
        assert all(future.done() for future in futures)
        assert futures[1].cancelled()
        with pytest.raises(UsageError, match="closed"):
            workers.submit("c")


@pytest.mark.parametrize("jobs", [0, -1])
def test_a_pool_has_at_least_one_job(jobs: int) -> None:
    with pytest.raises(UsageError, match="jobs must be at least 1"):
        pool(jobs)
