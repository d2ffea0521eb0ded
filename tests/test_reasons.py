"""Reasons: the closed list, its sentences and its page in the docs; and no program text that reads a sentence."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from dehusk.reasons import SENTENCES, Code, Reason, cut_off, joined, reason_fields

ROOT = Path(__file__).parents[1]
# What sentences are called in the program text, alone or in a longer name, and what would read one.
CALLED = "(?<![a-z])(?:reason|problem|notice|message|error|failure|warning|exception|exc|detail)s?(?![a-z])"
SENTENCE = re.compile(rf"{CALLED}(?!\.(?:code|errno|limit|seen|option_name|media_type)\b|_code\b)")
READERS = {
    *("startswith", "endswith", "partition", "rpartition", "split", "rsplit", "find", "rfind", "index", "rindex"),
    *("count", "removeprefix", "removesuffix", "replace"),
}
TYPE = re.compile(r"^type\(\w+\)|\['type'\]$")  # of an error, or of a message to the server: no sentence
PATTERNS = {"match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "contains", "fnmatch"}
AS_TEXT = re.compile(rf"^(?:str|repr)\(.*{CALLED}|^\w*{CALLED}(?:\.\w+\(\))*$")  # str(error), message, reason.lower()


def test_every_code_is_documented_once() -> None:
    page = (ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE) == [code.value for code in Code]


@pytest.mark.parametrize("code", list(Code), ids=str)
def test_every_reason_has_a_sentence_and_survives_a_pipe(code: Code) -> None:
    reason = Reason(code, "a detail", limit=3, seen=4)
    assert str(reason)
    assert "{" not in str(reason)
    assert pickle.loads(pickle.dumps(reason)) == reason
    assert reason_fields(reason) == {"reason": str(reason), "reason_code": code.value}


@pytest.mark.parametrize("code", SENTENCES, ids=str)
@pytest.mark.parametrize("figure", [None, "many"], ids=str)
def test_a_figure_that_the_sentence_needs_is_missed_at_once(code: Code, figure: Any) -> None:
    needed = [name for name in ("limit", "seen") if f"{{{name}" in SENTENCES[code]]
    for name in ("limit", "seen"):
        figures = {"limit": 3.0, "seen": 4.0, name: figure}
        if name in needed:
            with pytest.raises(ValueError, match=rf"^expected a number for `{name}` of {code} \("):
                Reason(code, "a detail", **figures)
        else:
            assert str(Reason(code, "a detail", **figures))


def test_a_detail_may_hold_braces() -> None:
    assert str(Reason(Code.FAILED, "KeyError: {x}")) == "failed: KeyError: {x}"


def test_two_reasons_are_one_with_the_code_of_the_first() -> None:
    first, second, third = Reason(Code.NO_MAIN_TEXT), cut_off(7, "blocks"), Reason(Code.NOT_RENDERED, "not rendered")
    both = joined(joined(first, second), third)
    assert both is not None
    assert (both.code, str(both)) == (Code.NO_MAIN_TEXT, "no main text; cut off after 7 blocks; not rendered")
    assert joined(None, second) is second
    assert joined(first, None) is first
    assert joined(None, None) is None


def read_sentences(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a program text that look into the text of a reason, an error or a message."""
    for node in ast.walk(ast.parse(source)):
        for text in texts_read(node):
            if SENTENCE.search(text) or text == "answer":
                yield cast(ast.expr, node).lineno, ast.unparse(node)


def texts_read(node: ast.AST) -> Iterator[str]:
    """Yield the expressions whose text a node reads, if they are strings."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in READERS:
            yield ast.unparse(node.func.value)
        if node.func.attr in PATTERNS or (
            isinstance(node.func.value, ast.Name) and node.func.value.id in {"str", "re"}
        ):
            yield from map(ast.unparse, node.args)
        elif node.func.attr == "get":
            yield from filter(AS_TEXT.search, map(ast.unparse, node.args[:1]))
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
        first, second = map(ast.unparse, node.args)
        yield first if second == "str" and re.search("answer|reason|problem", first) else ""
    elif isinstance(node, ast.Match):
        yield from filter(AS_TEXT.search, [ast.unparse(node.subject)] if string_patterns(node) else [])
    elif isinstance(node, ast.Compare):
        for operator, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False):
            yield from texts_compared(operator, left, right)


def string_patterns(node: ast.Match) -> list[ast.Constant]:
    """Return the strings that a match statement compares with."""
    constants = (each for case in node.cases for each in ast.walk(case.pattern) if isinstance(each, ast.Constant))
    return [constant for constant in constants if isinstance(constant.value, str)]


def texts_compared(operator: ast.cmpop, left: ast.expr, right: ast.expr) -> Iterator[str]:
    """Yield the sides of a comparison whose text is read."""
    sides = left, right
    if isinstance(operator, ast.In | ast.NotIn):
        if AS_TEXT.search(ast.unparse(left)) and not isinstance(left, ast.Name):
            yield ast.unparse(left)
        if not isinstance(right, ast.Tuple | ast.Set | ast.List):
            yield ast.unparse(right)
    elif isinstance(operator, ast.Eq | ast.NotEq):
        strings = [side for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
        others = [ast.unparse(side) for side in sides if side not in strings]
        yield from (text for text in others if (strings and not TYPE.search(text)) or re.match(r"(?:str|repr)\(", text))


@pytest.mark.parametrize(
    "line",
    [
        'result.reason.startswith("too large")',
        '"No space left" in str(error)',
        'str(page.problem).partition(":")',
        're.match("took longer", message)',
        "isinstance(answer, str)",
        "key in message",
        'error.message.splitlines()[0] == "Timeout"',
        '"Timeout" in error_text',
        'last_error.startswith("took")',
        'exc.args[0].rfind("space")',
        'reason.detail == "a PDF"',
        'str(error) in ("gone", "late")',
        "str(reason) in KNOWN",
        "str(error) == NO_SPACE",
        '0 < size == str(error) == "x"',
        'str.startswith(message, "took")',
        're.split("took", message)',
        'operator.contains(message, "took")',
        "HINTS.get(str(error))",
        'match str(error):\n    case "gone" | "late": pass',
    ],
)
def test_the_check_finds_what_it_is_for(line: str) -> None:
    assert list(read_sentences(line))


def test_nothing_reads_the_text_of_a_reason_or_an_error() -> None:
    places = [
        f"{path.relative_to(ROOT)}:{line}: {code}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for line, code in read_sentences(path.read_text(encoding="utf-8"))
    ]
    assert places == []
