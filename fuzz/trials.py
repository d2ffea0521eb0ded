"""Trials of the command line: batches that are interrupted, disks that are full, streams that are closed, odd commands.

A trial is a function of a `Scene`: a random generator, a folder of its own, and commands that are run and watched. It
raises `InvariantError` where the command line does not do what it promises.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from fuzz import snippets
from fuzz.invariants import check
from fuzz.mutations import make

COMMAND: Final = (sys.executable, "-m", "dehusk")
DOCUMENTED: Final = (0, 1, 2)
INTERRUPTED: Final = 130
TIMEOUT: Final = 300.0
FORMATS: Final = ("text", "markdown", "html", "json", "xml", "tei", "cleaneval")
MARKER: Final = re.compile(r"marker(\d+)z")
PAGES: Final = (12, 40)
SMALL_DISK: Final = 64  # KB
TROUBLE: Final = (b"Traceback (most recent call last)", b"Exception ignored")


@dataclass(slots=True)
class Scene:
    """What a trial works with; `log` has the commands that were run."""

    random: Random
    folder: Path
    pages: Sequence[bytes]
    log: list[str] = field(default_factory=list)
    seconds: float = 1.0  # that an undisturbed batch takes

    @property
    def inputs(self) -> Path:
        """The folder of pages."""
        return self.folder / "pages"

    def run(
        self, *arguments: str, stdin: bytes = b"", before: Callable[[], None] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run dehusk to its end, and check that it ends as documented and without a traceback."""
        self.log.append(" ".join(arguments))
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            # Without real pages, which `evaluate` would take minutes for.
            env={name: value for name, value in os.environ.items() if name != "DEHUSK_DATA"},
            timeout=TIMEOUT,
            check=False,
            preexec_fn=before,
        )
        self.seen(done.returncode, done.stderr, DOCUMENTED)
        return done

    def seen(self, status: int, errors: bytes, allowed: Sequence[int]) -> None:
        """Check how a command ended, and what it said."""
        command = self.log[-1]
        for trouble in TROUBLE:
            check(trouble not in errors, f"{command}: {errors[-600:].decode('utf-8', 'replace')}")
        check(status in allowed, f"{command}: exit status {status}, expected one of {allowed}: {errors[-300:]!r}")


def write_pages(scene: Scene, numbers: range, suffix: str = ".html") -> None:
    """Write pages that can be told apart: each has its number as a word of its own."""
    scene.inputs.mkdir(exist_ok=True)
    for number in numbers:
        # With another suffix, beside an earlier page of the same name.
        name = f"page{number if suffix == '.html' else number - PAGES[0]}{suffix}"
        (scene.inputs / name).write_bytes(_page(scene, number))


def _page(scene: Scene, number: int) -> bytes:
    filler = b"<p>It rained all day, and it rained all night.</p>" * scene.random.randrange(400)
    return f"<h1>Page</h1><p>This is marker{number}z of the trial.</p>".encode() + filler


def write_lines(scene: Scene, numbers: Sequence[int]) -> None:
    """Write the pages as JSON lines, in that order."""
    scene.inputs.mkdir(exist_ok=True)
    lines = [json.dumps({"html": f"<p>This is marker{number}z of the trial.</p>", "id": number}) for number in numbers]
    (scene.inputs / "pages.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def markers(folder: Path) -> Counter[int]:
    """Return how many files each page is in; no file may be half written."""
    found: Counter[int] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix != ".part":
            text = path.read_text(encoding="utf-8")
            check(text.endswith("\n"), f"{path.name} is not whole")
            found.update({int(number) for number in MARKER.findall(text)})
    return found


def check_complete(folder: Path, expected: int) -> None:
    """Check that each page is there once, and nothing is left over."""
    found = markers(folder)
    lost = sorted(set(range(expected)) - set(found))
    check(not lost, f"{len(lost)} of {expected} pages are lost: {lost[:10]}")
    doubled = sorted(number for number, count in found.items() if count > 1)
    check(not doubled, f"{len(doubled)} pages are doubled: {doubled[:10]}")
    parts = [path.name for path in folder.rglob("*.part")]
    check(not parts, f"left over: {parts[:5]}")


def interrupted_batch(scene: Scene) -> None:
    """Interrupt a batch again and again, add pages in between, and resume: nothing is lost or doubled."""
    random, count = scene.random, scene.random.randint(*PAGES)
    lines = random.random() < 0.3
    numbers = list(range(count))
    write_lines(scene, numbers) if lines else write_pages(scene, range(count))
    options = _batch_options(random)
    for _ in range(random.randint(1, 3)):
        _interrupt(scene, options)
        if random.random() < 0.6:
            count = _add_pages(scene, numbers, count, lines=lines)
    scene.run(*options, "--resume", "pages")
    check_complete(scene.folder / "out", count)


def _batch_options(random: Random) -> list[str]:
    options = ["extract", "--method", "alltext", "--output", "out", "--jobs", str(random.randint(1, 3))]
    return [*options, "--format", random.choice(FORMATS), *random.choice(([], ["--quiet"], ["--verbose"]))]


def _add_pages(scene: Scene, numbers: list[int], count: int, *, lines: bool) -> int:
    """Add pages: beside ones of the same name, or as lines between the others; return how many there are now."""
    more = count + scene.random.randint(1, 6)
    if lines:
        for number in range(count, more):
            numbers.insert(scene.random.randrange(len(numbers) + 1), number)
        write_lines(scene, numbers)
    else:
        write_pages(scene, range(count, more), scene.random.choice((".html", ".htm", ".xhtml")))
    return more


def _interrupt(scene: Scene, options: Sequence[str]) -> None:
    """Begin a batch and end it at some moment, by a signal to it, to all of its processes or to one worker."""
    random = scene.random
    how = random.choice(("kill", "kill all", "interrupt", "terminate"))
    delay = random.uniform(0, 1.3 * scene.seconds)
    scene.log.append(f"{' '.join(options)} --resume pages  ({how} after {delay:.2f} s)")
    process = subprocess.Popen(
        [*COMMAND, *options, "--resume", "pages"],
        cwd=scene.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    children: list[int] = []
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        children = _children(process.pid) if how == "kill all" else []
        number = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM}.get(how, signal.SIGKILL)
        process.send_signal(number)
        for child in children:
            _signal(child, signal.SIGKILL)
    _, errors = process.communicate(timeout=TIMEOUT)
    allowed = (*DOCUMENTED, INTERRUPTED, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT)
    # An interrupt before Python is ready shows its own traceback, which no program can prevent.
    early = how == "interrupt" and delay < scene.seconds / 2
    scene.seen(process.returncode, b"" if early else errors, allowed)


def _children(parent: int) -> list[int]:
    path = Path(f"/proc/{parent}/task/{parent}/children")
    try:
        return [int(number) for number in path.read_text().split()]
    except OSError:
        return []


def _signal(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


def killed_worker(scene: Scene) -> None:
    """Kill workers of a batch now and then: their pages are reported as failed, all others are written."""
    count = scene.random.randint(*PAGES)
    write_pages(scene, range(count))
    options = _batch_options(scene.random)
    scene.log.append(f"{' '.join(options)} pages  (workers killed)")
    process = subprocess.Popen(
        [*COMMAND, *options, "pages"], cwd=scene.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    killed = 0
    for _ in range(scene.random.randint(1, 4)):
        time.sleep(scene.random.uniform(0, scene.seconds / 2))
        for child in _children(process.pid)[:1]:
            _signal(child, signal.SIGKILL)
            killed += 1
    _, errors = process.communicate(timeout=TIMEOUT)
    scene.seen(process.returncode, errors, (0, 1))
    found = markers(scene.folder / "out")
    lost = count - len(found)
    check(lost <= killed, f"{lost} pages are lost after {killed} workers were killed: {errors[-300:]!r}")
    check((process.returncode == 1) == (lost > 0), f"exit status {process.returncode} with {lost} pages lost")
    scene.run(*options, "--resume", "pages")
    check_complete(scene.folder / "out", count)


@contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    """Mount a small disk on a folder; where that is not allowed, say so."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}k", "none", str(folder)]
    mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def full_disk(scene: Scene) -> None:
    """Fill the disk: what is there is whole, nothing half is left over, and with more room the rest is written."""
    count = scene.random.randint(*PAGES)
    write_pages(scene, range(count))
    options = _batch_options(scene.random)
    with _small_disk(scene.folder / "out") as mounted:
        if mounted:
            scene.run(*options, "pages")
            parts = [path.name for path in (scene.folder / "out").rglob("*.part")]
            check(not parts, f"a full disk left {len(parts)} parts")
            markers(scene.folder / "out")
            subprocess.run(["mount", "-o", "remount,size=64m", str(scene.folder / "out")], check=True)
        else:
            scene.run(*options, "pages", before=_limit_files)
            markers(scene.folder / "out")
        scene.run(*options, "--resume", "pages")
        check_complete(scene.folder / "out", count)


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def closed_streams(scene: Scene) -> None:
    """Close standard output or error, at once or early: no traceback, and what goes to files is whole."""
    random, count = scene.random, scene.random.randint(3, 12)
    write_pages(scene, range(count))
    with_files = random.random() < 0.6
    options = ["extract", "--method", "alltext", "--format", random.choice(FORMATS)]
    options += ["--output", "out"] if with_files else []
    closing = random.choice(
        (">&-", "2>&-", ">&- 2>&-", "> /dev/full", "2> /dev/full", "| head -c 10 > /dev/null", "<&-")
    )
    line = f"{' '.join(COMMAND)} {' '.join(options)} pages {closing}"
    scene.log.append(line)
    script = line if "2>" in closing else f"({line}) 2> errors"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], cwd=scene.folder, timeout=TIMEOUT, check=False, capture_output=True
    )
    errors = (scene.folder / "errors").read_bytes() if (scene.folder / "errors").exists() else done.stderr
    # Without a file and without standard output there is nowhere to write to.
    nowhere = closing.startswith(">&-") and not with_files
    scene.seen(done.returncode, errors, (2,) if nowhere else (0, 1))
    if with_files:
        check_complete(scene.folder / "out", count)
        # A stream that cannot take what is written to it is an error of its own.
        right = done.returncode == 0 or "/dev/full" in closing
        check(right, f"{line}: exit status {done.returncode} although every page was written")


def odd_commands(scene: Scene) -> None:
    """Give random commands random options, pages and input: an answer or a message, never a traceback."""
    random = scene.random
    scene.inputs.mkdir()
    for number in range(random.randint(1, 3)):
        case = make(scene.pages, random.randrange(10**9), number)
        (scene.inputs / random.choice(("a.html", "b.htm", "c.txt", "d.jsonl", "e.html.gz", "f.xml"))).write_bytes(
            case.data
        )
    command = random.choice(
        ("extract", "extract", "annotate", "strip", "models", "perplexity", "completion", "evaluate", "x")
    )
    options = random.choices(ODD_OPTIONS, k=random.randint(0, 3))
    places = random.choices(ODD_PLACES, k=random.randint(0, 2))
    arguments = [command, *(part for option in options for part in option), *places]
    stdin = make(scene.pages, random.randrange(10**9), 0).data if random.random() < 0.5 else b""
    scene.run(*arguments, stdin=stdin)


ODD_OPTIONS: Final[tuple[tuple[str, ...], ...]] = (
    *(("--format", name) for name in (*FORMATS, "report", "md", "pdf", "")),
    *(("--method", name) for name in ("kernel", "bte", "texrex", "boilernet-small", "ncleaner", "pyplexity", "no")),
    *(("--threshold", value) for value in ("0", "1", "0.3", "50", "nan", "inf", "-1", "x")),
    *(("--url", value) for value in ("https://example.org/", "example.org", "http://[", "javascript:x", "")),
    *(("--jobs", value) for value in ("1", "2", "0", "-1", "x")),
    *(("--min-length", value) for value in ("0", "100", "-1", "99999999999999999999")),
    *(("--output", value) for value in ("out", "out.md", "out/", "pages", "/dev/full", "/nowhere/x", "a\tb")),
    *((flag,) for flag in ("--links", "--images", "--no-formatting", "--with-metadata", "--explain", "--comments")),
    *((flag,) for flag in ("--no-tables", "--resume", "--quiet", "--verbose", "--bogus", "--help", "-h", "--")),
    *(("--headline", value) for value in ("auto", "keep", "drop", "x")),
    *(("--favour", value) for value in ("precision", "recall", "x")),
    *(("--input", value) for value in ("html", "text", "x")),
    ("--beside", "bte"),
)
ODD_PLACES: Final = (
    *("pages", "pages/*.html", "pages/a.html", "nothing.html", "-", "", ".", "pages/d.jsonl", "http://[", "ftp://x/y"),
    *("file:///etc/hostname", "https://", "/dev/null", "\u00e9\u2028.html", *(text for text in snippets.TEXTS[:10])),
)
TRIALS: Final[dict[str, Callable[[Scene], None]]] = {
    "interrupted batch": interrupted_batch,
    "killed worker": killed_worker,
    "full disk": full_disk,
    "closed streams": closed_streams,
    "odd commands": odd_commands,
}
