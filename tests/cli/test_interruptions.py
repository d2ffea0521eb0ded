"""Runs that are interrupted at random moments and resumed, with pages added in between, lose and double no page."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from testing.seeds import new_seed

RUNS = 20
SEED = new_seed()
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
COMMAND = [sys.executable, "-m", "dehusk", "extract", "-m", "alltext", "-j", "2", "-o", "out", "--resume", "pages"]


class Corpus:
    """A folder of pages, each with a text of its own, to which more are added in every way that could go wrong."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.texts = chance, list[str]()
        for number in range(60):
            self._file(f"pages/{number}.html")
        Path("pages/lines.jsonl").touch()
        for _ in range(40):
            self._line()

    def grow(self) -> None:
        """Add a few pages: beside others, in new folders, and lines anywhere, also some that are there already."""
        number = len(self.texts)
        stem = self.chance.randrange(60)
        for name in (
            f"{stem}.htm",
            f"{stem}.htm.html",
            f"{stem}.html.html",
            f"a{number}/{stem}.html",
            f"0{number}.xhtml",
        ):
            if not Path("pages", name).exists():
                self._file(f"pages/{name}")
        for _ in range(3):
            self._line()
        if self.chance.random() < 0.5:
            self._line(twice=True)

    def _text(self) -> str:
        self.texts.append(f"page number {len(self.texts)}")
        return self.texts[-1]

    def _file(self, name: str) -> None:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<p>{self._text()}")

    def _line(self, *, twice: bool = False) -> None:
        """Insert a line at the front or in the middle; half of them share an id with others."""
        path = Path("pages/lines.jsonl")
        lines = path.read_text().splitlines()
        if twice:
            line = self.chance.choice(lines)
            self.texts.append(json.loads(line)["html"].removeprefix("<p>"))
        else:
            line = json.dumps({"id": self.chance.choice([7, None]), "html": f"<p>{self._text()}"})
        lines.insert(self.chance.choice([0, len(lines) // 2]), line)
        path.write_text("".join(f"{line}\n" for line in lines))


def outputs() -> "Counter[str]":
    return Counter(path.read_text().strip() for path in Path("out").rglob("*.txt"))


def interrupted(chance: random.Random, pages: int) -> int:
    """Start a run, end it by a signal after some outputs or some time, and return its status."""
    # Most runs end while they write, the others whenever: while they start, or at the end.
    done = sum(outputs().values())
    target, moment = done + chance.randint(1, max(1, (pages - done) // 2)), time.monotonic() + chance.random() * 1.5
    by_count = chance.random() < 0.7
    with subprocess.Popen(
        COMMAND, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while process.poll() is None:
            if len(list(Path("out").rglob("*.txt"))) >= target if by_count else time.monotonic() > moment:
                os.killpg(process.pid, chance.choice(SIGNALS))
                break
            time.sleep(0.002)
        process.communicate()
    return process.returncode


@pytest.mark.slow
def test_no_page_is_lost_or_doubled_by_interruptions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    print(f"DEHUSK_SEED={SEED}")  # noqa: T201  (pytest shows it if the test fails)
    chance = random.Random(SEED)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test in the background ignores it
    corpus, statuses = Corpus(chance), Counter[int]()
    for _ in range(RUNS):
        statuses[interrupted(chance, len(corpus.texts))] += 1
        assert not outputs() - Counter(corpus.texts), "doubled"
        if chance.random() < 0.5:
            # Work is left for the next interruption.
            for path in chance.sample(done := sorted(Path("out").rglob("*.txt")), len(done) // 2):
                path.unlink()
        corpus.grow()
    signal.signal(signal.SIGINT, before)
    ended = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    assert (ended.returncode, outputs()) == (0, Counter(corpus.texts)), ended.stderr
    assert not [path for path in Path("out").rglob("*") if path.is_file() and path.suffix != ".txt"]
    assert statuses.total() - statuses[0] > RUNS // 3, statuses  # or the runs were hardly interrupted
