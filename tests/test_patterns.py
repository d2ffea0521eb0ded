"""Every regular expression of the package takes linear time, on the worst strings that can be derived from it."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import dehusk
from tests.helpers.worst_strings import METHODS, worst

ROOT: Final = Path(dehusk.__file__).parent
SOURCES: Final = sorted(ROOT.rglob("*.py"))
# The folders and files of the package, by which the slow test is divided: finding the expressions takes seconds.
PARTS: Final = sorted({path.relative_to(ROOT).parts[0].partition(".")[0] for path in SOURCES})
# Where an expression is compiled in a function, its instances are module-level objects.
MAY_COMPILE_IN_FUNCTIONS: Final = {"metadata/line_prefixes.py"}
# Expressions for strings that cannot be long, such as names of files, and how long these can be.
BOUNDED: Final = {"dehusk.gold.readers.GOLD_ENDINGS": 255}
# Expressions that were mended, with the method that was used.
MENDED: Final = {
    "JSON-LD": (r'"author"\s*:[\s\[]*(?:\{[^{}]{0,500}?"name"\s*:)?\s*"((?:[^"\\]|\\.){1,500})"', "search"),
    "names": (r"://|^www\.|^[/@#{\[<]|@\w|^\S+\.\S+\.\S+$|[{}<>=]", "search"),
    "separators": (r"\s*[,;|/•·、]\s*", "split"),
    "exponential": (r"(?:a+)+b", "match"),
    "two repeats": (r"a*a*b", "match"),
}


class Expression(NamedTuple):
    """A compiled expression, where it is, and the methods that are called on it."""

    place: str
    pattern: "re.Pattern[Any]"
    methods: tuple[str, ...]


def module_name(source: Path) -> str:
    return ".".join(("dehusk", *source.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


@cache
def parsed(source: Path) -> ast.Module:
    return ast.parse(source.read_text(encoding="utf-8"))


class MethodUse(NamedTuple):
    """A method of regular expressions that is called on a name, or on an attribute of something."""

    owner: str
    by_name: bool
    method: str


@cache
def method_uses(source: Path) -> frozenset[MethodUse]:
    found = set()
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            if isinstance(node.value, ast.Name):
                found.add(MethodUse(node.value.id, True, node.attr))
            elif isinstance(node.value, ast.Attribute):
                found.add(MethodUse(node.value.attr, False, node.attr))
    return frozenset(found)


@cache
def imported(source: Path) -> frozenset[tuple[str | None, str]]:
    """The names that a source imports, each with its module."""
    nodes = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.ImportFrom)]
    return frozenset((node.module, each.name) for node in nodes for each in node.names)


@cache
def uses(module: str, name: str) -> tuple[str, ...]:
    """The methods of a module's expression that are used: in the module, and wherever it is imported."""
    methods = set()
    for source in SOURCES:
        known = module_name(source) == module or (module, name) in imported(source)
        methods |= {use.method for use in method_uses(source) if use.owner == name and (known or not use.by_name)}
    return tuple(sorted(methods)) or METHODS


def in_value(value: object, place: str, depth: int = 0) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """Yield the expressions in a value: itself, in a container, or in an object of ours."""
    if isinstance(value, re.Pattern):
        yield place, value
    elif depth == 3:
        return
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from in_value(each, f"{place}[{key!r}]", depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for number, each in enumerate(value):
            yield from in_value(each, f"{place}[{number}]", depth + 1)
    elif type(value).__module__.startswith("dehusk"):
        for name in (*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", ())):
            yield from in_value(getattr(value, name, None), f"{place}.{name}", depth + 1)


def modules() -> Iterator[Any]:
    """Import all modules; those that need torch, onnx or Ray, which `make check` does without, have no expressions."""
    for found in pkgutil.walk_packages(dehusk.__path__, "dehusk."):
        if found.name == "dehusk.__main__":
            continue
        try:
            yield importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if error.name not in ("torch", "onnx", "ray"):
                raise
            source = ROOT.joinpath(*found.name.split(".")[1:]).with_suffix(".py")
            assert "re" not in {name.name for node in ast.walk(parsed(source)) for name in getattr(node, "names", ())}


def assigned(module: Any) -> set[str]:
    """The names that a module assigns itself, and does not import."""
    path = Path(module.__file__)
    source = path if path.suffix == ".py" else path.with_name(f"{path.name.partition('.')[0]}.py")
    if not source.exists():  # written in Cython alone
        return {name for name in vars(module) if not name.startswith("__")}
    nodes = parsed(source).body
    targets = [target for node in nodes for target in getattr(node, "targets", [getattr(node, "target", None)])]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def compiled() -> Iterator[Expression]:
    for module in modules():
        for name in sorted(assigned(module) & set(vars(module))):
            for place, pattern in in_value(vars(module)[name], f"{module.__name__}.{name}"):
                yield Expression(place, pattern, uses(module.__name__, place.rpartition(".")[2]))


def calls(source: Path) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls of functions of `re`, with their names."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr in (*METHODS, "compile"):
                yield node, node.func.attr


def literal() -> Iterator[Expression]:
    """The expressions that are given to functions such as `re.sub`."""
    for source in SOURCES:
        for call, method in calls(source):
            if method != "compile" and isinstance(call.args[0], ast.Constant):
                place = f"{module_name(source)}:{call.lineno}"
                yield Expression(place, re.compile(call.args[0].value), (method,))


@cache
def all_expressions() -> list[Expression]:
    return [*compiled(), *literal()]


def part_of(place: str) -> str:
    return re.split("[.:[]", place)[1]


def test_no_expression_escapes_the_test() -> None:
    for source in SOURCES:
        tree, name = parsed(source), source.relative_to(ROOT).as_posix()
        functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
        inside = {id(node) for function in functions for node in ast.walk(function)}
        for call, method in calls(source):
            if method == "compile":
                assert id(call) not in inside or name in MAY_COMPILE_IN_FUNCTIONS, f"{name}:{call.lineno}"
            else:
                assert isinstance(call.args[0], ast.Constant), f"{name}:{call.lineno}"
        functions_of_re = {each for module, each in imported(source) if module == "re"}
        assert not functions_of_re, f"{name} imports functions of re, which this test would not see"
    places = [expression.place for expression in all_expressions()]
    assert len(places) > 100
    assert {part_of(place) for place in places} <= set(PARTS)
    assert {"dehusk.metadata.jsonld.AUTHOR", "dehusk.formats.fast_markup.FORBIDDEN"} <= set(places)
    assert any(place.endswith("._pattern") for place in places)
    for source in SOURCES:
        for node in parsed(source).body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value in {call for call, _ in calls(source)}:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                assert isinstance(target, ast.Name)
                assert f"{module_name(source)}.{target.id}" in places


@pytest.mark.parametrize("name", MENDED)
def test_expressions_that_backtrack_are_found(name: str) -> None:
    source, method = MENDED[name]
    assert worst(re.compile(source), (method,)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_no_expression_backtracks(part: str) -> None:
    expressions = [expression for expression in all_expressions() if part_of(expression.place) == part]
    findings = {each.place: worst(each.pattern, each.methods, BOUNDED.get(each.place)) for each in expressions}
    assert {place: finding for place, finding in findings.items() if finding} == {}
