"""Files and functions stay small enough to read: `python benchmarks/sizes.py` prints the figures."""

from benchmarks.sizes import files, functions, offenders


def test_no_file_and_no_function_is_over_a_limit() -> None:
    assert offenders() == []


def test_functions_of_every_language_are_counted() -> None:
    seen = {path.suffix for path in files() if any(True for _ in functions(path))}
    assert {".py", ".pyx", ".h", ".js", ".mjs"} <= seen
