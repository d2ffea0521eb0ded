"""How large files and functions are. Prints the figures, and what is over a limit.

Counts Python, Cython, C, JavaScript and CSS, tests included. A docstring counts as part of its function; a decorator
does not, and neither do `self` and `cls` as parameters.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
SUFFIXES: Final = frozenset({".py", ".pxd", ".pyx", ".pyi", ".h", ".js", ".mjs", ".ts", ".css"})
LONGEST_FILE: Final = 400
LONGEST_FUNCTION: Final = 60
MOST_PARAMETERS: Final = 7
# Not Python: a function begins at the start of its line or one level in, and ends where a line closes that level.
BEGINNINGS: Final = {
    ".pyx": re.compile(r"(?P<indent>\s*)(?:def|cdef|cpdef)\b[^=]*?(?P<name>\w+)\("),
    ".h": re.compile(r"(?P<indent>)(?:static|[A-Z_]+_INLINE)\b[^;=]*?(?P<name>\w+)\([^;]*$"),
    ".js": re.compile(r"(?P<indent>\s*)(?:async )?function\*? (?P<name>\w+)\("),
}
BEGINNINGS[".mjs"] = re.compile(r"(?P<indent>\s*)(?:export )?(?:async )?function\*? (?P<name>\w+)\(")


class Function(NamedTuple):
    """One function and its size."""

    place: str
    lines: int
    parameters: int


def files() -> list[Path]:
    """Return the files of the repository that count, golden pages left out."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = (Path(line) for line in listed.splitlines())
    return [path for path in paths if path.suffix in SUFFIXES and "pages" not in path.parts and (ROOT / path).exists()]


def functions(path: Path) -> Iterator[Function]:
    """Yield the functions of a file."""
    source = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _python_functions(path, source)
    elif path.suffix in BEGINNINGS:
        yield from _other_functions(path, source.splitlines())


def _python_functions(path: Path, source: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            count = len(given) - (given[:1] in (["self"], ["cls"]))
            yield Function(f"{path}:{node.lineno} {node.name}", (node.end_lineno or 0) - node.lineno + 1, count)


def _other_functions(path: Path, lines: list[str]) -> Iterator[Function]:
    for number, line in enumerate(lines):
        if begin := BEGINNINGS[path.suffix].match(line):
            depth = len(begin["indent"])
            end = next(
                (at for at in range(number + 1, len(lines)) if _closes(lines[at], depth, path.suffix)), len(lines)
            )
            yield Function(f"{path}:{number + 1} {begin['name']}", end - number + (path.suffix != ".pyx"), 0)


def _closes(line: str, depth: int, suffix: str) -> bool:
    indent = len(line) - len(line.lstrip())
    if suffix == ".pyx":
        return bool(line.strip()) and indent <= depth and not line.lstrip().startswith(")")
    return indent == depth and line.lstrip().startswith("}")


def too_many_parameters(function: Function) -> bool:
    """Return whether a function takes too much; commands and compiled loops may."""
    path = Path(function.place.partition(":")[0])
    exempt = path.name.startswith("fast_") or "cli" in path.parts
    return function.parameters > MOST_PARAMETERS and not exempt


def offenders() -> list[str]:
    """Return every file and function that is over a limit."""
    lengths = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in files()}
    every = [function for path in lengths for function in functions(path)]
    return [
        *(f"{path}: {count} lines" for path, count in lengths.items() if count > LONGEST_FILE),
        *(f"{each.place}: {each.lines} lines" for each in every if each.lines > LONGEST_FUNCTION),
        *(f"{each.place}: {each.parameters} parameters" for each in every if too_many_parameters(each)),
    ]


def main() -> None:
    """Print the figures of each folder, then what is over a limit."""
    print(f"{'':12}{'files':>7}{'lines':>8}{'functions':>11}{'median':>8}{'longest':>9}")
    folders = ("src", "research", "testing", "tests", "benchmarks", "fuzz", "web", "")
    for folder in folders:
        paths = [path for path in files() if str(path).startswith(folder)]
        sizes = [function.lines for path in paths for function in functions(path)]
        lines = sum(len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in paths)
        figures = f"{median(sizes):8g}{max(sizes):9}" if sizes else ""
        print(f"{folder or 'all':12}{len(paths):7}{lines:8,}{len(sizes):11,}{figures}")
    for each in offenders():
        print(f"over a limit: {each}")


if __name__ == "__main__":
    main()
