"""Files and functions stay small enough to read: `python benchmarks/sizes.py` prints the figures."""

from pathlib import Path
from statistics import median

from benchmarks.sizes import MEDIAN_FUNCTION, files, functions, offenders


def test_no_file_and_no_function_is_over_a_limit() -> None:
    assert offenders() == []


def test_half_of_the_functions_of_the_package_are_short() -> None:
    package = [path for path in files() if path.is_relative_to(Path("src"))]
    assert median(function.lines for path in package for function in functions(path)) <= MEDIAN_FUNCTION


def test_functions_of_every_language_are_counted() -> None:
    seen = {path.suffix for path in files() if any(True for _ in functions(path))}
    assert {".py", ".pyx", ".h", ".js", ".mjs"} <= seen
