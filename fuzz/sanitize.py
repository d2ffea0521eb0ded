"""The compiled modules under AddressSanitizer and UndefinedBehaviorSanitizer: `python -m fuzz.sanitize --minutes 3`.

They are built in a copy, build/sanitize, so that the usual ones stay as they are. A child process then runs the golden
pages, every shape, hostile pages and the page fuzzer with them; any report of a sanitizer is a failure.
"""

import argparse
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from fuzz import seeds
from fuzz.campaign import COSTS, ROOT
from fuzz.execution import METHODS, Request, Runner, requests
from fuzz.mutations import Case, make
from fuzz.shapes import SHAPES
from testing.hostile_inputs import HOSTILE, REASONS

FOLDER: Final = ROOT / "build" / "sanitize"
FLAGS: Final = "-fsanitize=address,undefined -fno-omit-frame-pointer"
REPORT: Final = re.compile(r"runtime error:|ERROR: AddressSanitizer|SUMMARY: \w+Sanitizer")
COPIED: Final = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE", "MANIFEST.in", "CHANGELOG.md")
SHAPE_BYTES: Final = 4_000
HOSTILE_BYTES: Final = 20_000


def build() -> None:
    """Compile the modules of a copy of the sources with the sanitizers."""
    shutil.copytree(
        ROOT / "src", FOLDER / "src", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    )
    for name in COPIED:
        shutil.copy(ROOT / name, FOLDER / name)
    environment = {**os.environ, "CFLAGS": FLAGS, "LDFLAGS": FLAGS}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=FOLDER, env=environment, check=True)
    modules = list((FOLDER / "src").rglob("*.so"))
    plain = [path.name for path in modules if b"__asan_init" not in path.read_bytes()]
    if not modules or plain:
        raise SystemExit(f"no module was built with the sanitizers: {plain}")


def run(minutes: float, seed: int) -> int:
    """Run the checks in a child process with the sanitizers, and return 1 if they report anything."""
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = {
        **os.environ,
        "LD_PRELOAD": library.stdout.strip(),
        "PYTHONMALLOC": "malloc",  # else Python's own allocator hides what is allocated where
        "PYTHONPATH": os.pathsep.join([str(FOLDER / "src"), str(ROOT)]),
        "ASAN_OPTIONS": "detect_leaks=0:exitcode=99",  # Python itself never frees some of what it has at the end
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "fuzz.sanitize", "--inside", "--minutes", str(minutes), "--seed", str(seed)]
    log = FOLDER / "report.txt"
    with log.open("w", encoding="utf-8") as file:
        status = subprocess.run(command, env=environment, stderr=file, check=False).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    reports = sorted({line.strip() for line in text.splitlines() if REPORT.search(line)})
    print("\n".join(reports) or "No sanitizer reported anything.")
    if status or reports:
        print(f"exit status {status}, last input: {(FOLDER / 'current').read_text()}; see {log}\n{text[-2000:]}")
    return 1 if status or reports else 0


def inputs(minutes: float, seed: int) -> Iterator[tuple[str, Case, Sequence[Request]]]:
    """Yield what is run: each input with its name and what is done with it."""
    golden = seeds.golden_pages()
    for number, data in enumerate(golden):
        # Over all pages, each method comes by each format.
        yield f"golden page {number}", Case(data, "https://example.org/"), requests(seed, number)
    for number, (name, shape) in enumerate(SHAPES.items()):
        page = shape.page(SHAPE_BYTES).encode("utf-8", "surrogatepass")
        yield f"shape {name}", Case(page, "https://example.org/"), some_requests(seed, number)
    for number, (name, data) in enumerate(_hostile()):
        yield f"hostile {name}", Case(data), some_requests(seed, number)
    end, index = time.monotonic() + minutes * 60, 0
    while time.monotonic() < end:
        yield f"fuzz seed {seed}, index {index}", make(golden, seed, index), requests(seed, index)
        index += 1


def some_requests(seed: int, number: int) -> list[Request]:
    """Return the requests of every third method, in rotation: the sanitizers take their time."""
    return requests(seed, number)[number % 3 :: 3]


def _hostile() -> Iterator[tuple[str, bytes]]:
    """Yield the hostile pages of the tests, each as long as its beginning and its end."""
    for name, source in {**HOSTILE, **{name: source for name, (source, _) in REASONS.items()}}.items():
        page = source()
        data = page.encode("utf-8", "surrogatepass") if isinstance(page, str) else page
        yield name, data[:HOSTILE_BYTES] + data[-100:]


def inside(minutes: float, seed: int) -> int:
    """Run all inputs in this process, which has the sanitizers loaded; print what was run."""
    runner, executions, failed = Runner(), 0, set()
    current = (FOLDER / "current").open("w", encoding="utf-8")
    count = 0
    for name, case, wanted in inputs(minutes, seed):
        current.seek(0)
        current.write(f"{name:<80}")
        current.flush()
        outcomes = runner.run(case, wanted)
        executions += len(outcomes)
        count += 1
        found = (failure for outcome in outcomes for failure in outcome.failures)
        failed |= {failure.key for failure in found if failure.invariant not in COSTS}  # sanitizers are slow
    names = ", ".join(sorted({key[0] for key in failed})) or "none"
    print(f"{executions:,} executions of {count:,} inputs by {len(METHODS)} methods; invariants that failed: {names}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and run; the exit status is 1 if a sanitizer reports anything."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.sanitize", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="of fuzzing, after the other pages")
    parser.add_argument("--seed", type=int, help="drawn if not given")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    if options.inside:
        return inside(options.minutes, seed)
    print(f"seed {seed}")
    build()
    return run(options.minutes, seed)


if __name__ == "__main__":
    sys.exit(main())
