"""A campaign: inputs through child processes, failures minimised and saved, counts kept."""

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dehusk import formats
from fuzz import failures, seeds
from fuzz.child import WORKER, Child
from fuzz.execution import Failure, Request, requests
from fuzz.failures import Saved
from fuzz.minimise import minimised
from fuzz.mutations import Case, make
from fuzz.state import State
from fuzz.tasks import Answer, Given, Made

ROOT: Final = Path(__file__).parents[1]
SAVE_SECONDS: Final = 1.0
REPORT_SECONDS: Final = 30.0
MINIMISE_SECONDS: Final = 60.0  # of CPU time, for each failure
COSTS: Final = ("time_is_bounded", "memory_is_bounded", "output_is_bounded")
FORMATS: Final = frozenset(formats.names())


@dataclass(frozen=True, slots=True)
class Budget:
    """When a run ends: whichever comes first."""

    seconds: float = float("inf")
    executions: float = float("inf")


@dataclass(frozen=True, slots=True)
class Places:
    """Where a campaign keeps what it knows."""

    folder: Path = ROOT / "build" / "fuzz"

    @property
    def state(self) -> Path:
        """The counts."""
        return self.folder / "state.json"

    @property
    def seeds(self) -> Path:
        """The pages that mutations begin with."""
        return self.folder / "seeds.pickle"

    @property
    def failures(self) -> Path:
        """The inputs that failed."""
        return self.folder / "failures"


class Campaign:
    """Runs inputs in `jobs` threads, each with a child process of its own."""

    def __init__(
        self, state: State, pages: Sequence[bytes], places: Places, jobs: int = 1, command: Sequence[str] = WORKER
    ) -> None:
        self.state, self.distinct = (
            state,
            {failures.load(path).failure.key for path in failures.saved_pages(places.failures)},
        )
        self._pages, self._places, self._jobs, self._command = pages, places, jobs, command
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._commit = commit()
        self._stop = threading.Event()
        self._small: dict[tuple[str, str, str], Case] = {}  # the minimised input of a fault, whatever the method
        self._error: BaseException | None = None
        seeds.write(pages, places.seeds)
        if (name := seeds.fingerprint(pages)) not in state.pages:
            state.pages.append(name)

    def run(self, budget: Budget) -> None:
        """Run until the budget is spent or Ctrl-C is pressed, and leave the state saved."""
        threads = [threading.Thread(target=self._serve, args=(str(number),)) for number in range(self._jobs)]
        start = reported = time.monotonic()
        before, executed = self.state.wall_seconds, self.state.executions
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads) and not self._stop.wait(SAVE_SECONDS):
                now = time.monotonic()
                with self._lock:
                    self.state.wall_seconds = before + now - start
                    self.state.save(self._places.state)
                    executions = self.state.executions - executed
                if now - start >= budget.seconds or executions >= budget.executions:
                    break
                if now - reported >= REPORT_SECONDS:
                    reported = now
                    _progress(self.state, len(self.distinct), executions / (now - start))
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()
            self.state.wall_seconds = before + time.monotonic() - start
            self.state.save(self._places.state)
        if self._error:
            raise self._error

    def _serve(self, name: str) -> None:
        before = self.state.cpu_seconds.get(name, 0.0)
        try:
            with Child(self._places.seeds, self._command) as child:
                while not self._stop.is_set():
                    index = self._claimed()
                    answer = self._completed(index, child.ask(Made(self.state.seed, index)))
                    answer = self._confirmed(index, answer, child)
                    self._record(index, answer)
                    self._keep_new(index, answer, child)
                    self.state.cpu_seconds[name] = before + child.seconds
        except BaseException as error:
            self._error = error
            self._stop.set()

    def _claimed(self) -> int:
        """Return the next input that is neither done nor running."""
        with self._lock:
            index = self.state.next
            taken = self._running.union(self.state.done)
            while index in taken:
                index += 1
            self._running.add(index)
            return index

    def _completed(self, index: int, answer: Answer) -> Answer:
        """Return the answer with the size of the input, which a child that died did not tell."""
        size = answer.size or len(make(self._pages, self.state.seed, index).data)
        return answer._replace(size=size)

    def _confirmed(self, index: int, answer: Answer, child: Child) -> Answer:
        """Return the answer without costs that are not seen again: other processes disturb the clock."""
        outcomes = []
        for outcome in answer.outcomes:
            costs = [failure for failure in outcome.failures if failure.invariant in COSTS]
            if costs:
                case, wanted = make(self._pages, self.state.seed, index), requests(self.state.seed, index)
                gone = {each.key for each in costs if not _fails(child, case, _narrowed(wanted, each), each)}
                kept = [failure for failure in outcome.failures if failure.key not in gone]
                outcome = replace(outcome, failures=kept)  # noqa: PLW2901
            outcomes.append(outcome)
        return answer._replace(outcomes=outcomes)

    def _record(self, index: int, answer: Answer) -> None:
        with self._lock:
            self._running.discard(index)
            self.state.finished(index)
            self.state.inputs += 1
            self.state.bytes += answer.size
            for outcome in answer.outcomes:
                self.state.count(outcome, answer.size, self._commit)
            for request in requests(self.state.seed, index)[: len(answer.outcomes)]:
                for name in request.formats:
                    self.state.formats[name] = self.state.formats.get(name, 0) + 1

    def _keep_new(self, index: int, answer: Answer, child: Child) -> None:
        """Minimise and save failures of a key that was not seen before."""
        for failure in (failure for outcome in answer.outcomes for failure in outcome.failures):
            with self._lock:
                if failure.key in self.distinct:
                    continue
                self.distinct.add(failure.key)
            case = make(self._pages, self.state.seed, index)
            request = _narrowed(requests(self.state.seed, index), failure)
            saved = Saved(failure, case, request, self.state.seed, index, self._commit)
            failures.save(saved, self._places.failures)  # before the minimiser, which may be interrupted
            small = self._small_already(child, saved) or smallest(child, saved, self._stop)
            self._small[failure.fault] = small.case
            path = failures.save(small, self._places.failures)
            _say(f"{failure.invariant} {failure.method} {failure.format}: {small.failure.message[:160]}\n  {path}")

    def _small_already(self, child: Child, saved: Saved) -> Saved | None:
        """Return the failure with the small input that another method failed on, if this one does too."""
        case = self._small.get(saved.failure.fault)
        small = replace(saved, case=case) if case else None
        found = still_fails(child, small) if small else None
        return replace(small, failure=found) if small and found else None


def smallest(child: Child, saved: Saved, stop: threading.Event) -> Saved:
    """Return a failure with its input minimised, and with the message that goes with that."""
    end = child.seconds + MINIMISE_SECONDS
    wall = time.monotonic() + 4 * MINIMISE_SECONDS

    def fails(data: bytes) -> bool:
        if child.seconds > end or time.monotonic() > wall or stop.is_set():
            return False
        return _fails(child, replace(saved.case, data=data), saved.request, saved.failure)

    small = replace(saved, case=replace(saved.case, data=minimised(saved.case.data, fails)))
    return replace(small, failure=still_fails(child, small) or saved.failure)


def _fails(child: Child, case: Case, request: Request, failure: Failure) -> bool:
    answer = child.ask(Given(case, (request,)))
    return any(found.key == failure.key for outcome in answer.outcomes for found in outcome.failures)


def _narrowed(wanted: Sequence[Request], failure: Failure) -> Request:
    """Return the request that a failure came from, without what has nothing to do with it."""
    request = next((each for each in wanted if each.method == failure.method), wanted[0])
    written = (failure.format,) if failure.format in FORMATS else ()
    return request._replace(
        formats=written,
        chunk_words=request.chunk_words if failure.format == "chunks" else 0,
        again=request.again and failure.invariant == "same_result",
    )


def still_fails(child: Child, saved: Saved) -> Failure | None:
    """Return the failure of a saved input if it can still be seen."""
    answer = child.ask(Given(saved.case, (saved.request,)))
    found = [failure for outcome in answer.outcomes for failure in outcome.failures]
    return next((failure for failure in found if failure.key == saved.failure.key), None)


def commit() -> str:
    """Return the commit that runs, with a plus if files were changed since."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    return f"{git('rev-parse', '--short', 'HEAD') or 'unknown'}{'+' if git('status', '--porcelain', '-uno') else ''}"


def _progress(state: State, distinct: int, rate: float) -> None:
    minutes = state.wall_seconds / 60
    _say(f"{minutes:6.1f} min  {state.executions:,} executions  {rate:.0f}/s  {distinct} distinct failures")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
