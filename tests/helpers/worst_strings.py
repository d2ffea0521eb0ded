"""Worst strings: what makes a regular expression backtrack, worked out from the expression itself."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice, product
from math import log
from time import process_time
from typing import Any, Final, NamedTuple

# The parser of the standard library is not public; whether mypy finds its types depends on what it has cached.
codes: Final = import_module("re._constants")
parser: Final = import_module("re._parser")

# Small ones first, since an exponential expression would never end at the larger ones.
SIZES: Final = (14, 20, 26, 500, 2000, 8000, 32_000)
MAX_SECONDS: Final = 0.25  # CPU time for the largest; ten times what the slowest of ours needs
MEASURABLE: Final = 0.02
MAX_EXPONENT: Final = 1.4
TAILS: Final = ("", "\x00", "!\n", "oops", " x\n!")
CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: "7", codes.CATEGORY_SPACE: " \n", codes.CATEGORY_WORD: "a_",
    codes.CATEGORY_NOT_DIGIT: "a", codes.CATEGORY_NOT_SPACE: "a", codes.CATEGORY_NOT_WORD: " -",
}  # fmt: skip
METHODS: Final = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")
MAX_FORMS: Final = 6  # of one piece
MAX_STRINGS: Final = 120


class Finding(NamedTuple):
    """A string on which an expression takes too long."""

    method: str
    head: str
    pump: str
    tail: str
    size: int
    seconds: float
    exponent: float


def worst(pattern: "re.Pattern[Any]", methods: tuple[str, ...], most: int | None = None) -> Finding | None:
    """Return a string on which one of the methods takes more than linear time, None if none was found.

    Strings are at most so long as `most`, or 32,000 characters.
    """
    sizes = [size for size in SIZES if most is None or size <= most]
    for method, parts in product(_distinct_methods(methods), worst_strings(pattern)):
        if finding := _measured(pattern, method, parts, sizes):
            return finding
    return None


def worst_strings(pattern: "re.Pattern[Any]") -> list[tuple[str, str, str]]:
    """Return heads, pieces to repeat and tails: every piece that the expression repeats, after whatever precedes it."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    found = set()
    for head, pump in _pumps(list(tree)):
        for first, tail in product({head, ""}, TAILS):
            found.add((first, pump, tail))
            found.add(("", first + pump, tail))
    strings = sorted(triple for triple in found if triple[1])
    short = [triple for triple in strings if len(triple[1]) <= 2]
    # Long lists of alternatives have thousands, which hardly differ.
    return [*short[:: 1 + len(short) // MAX_STRINGS], *strings[:: 1 + len(strings) // MAX_STRINGS]]


def _pumps(items: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield each repeatable piece of a sequence with the shortest text that comes before it."""
    head = before
    for place, (code, value) in enumerate(items):
        inner = _inside(code, value)
        repeats = code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
        for part in inner:
            if repeats:
                yield from ((head, form) for form in _forms(part))
                # Two repeats in a row may share what they repeat.
                following = list(islice(_forms(items[place + 1 : place + 2]), 2))
                yield from ((head, form + after) for form in islice(_forms(part), 2) for after in following)
            yield from _pumps(part, head)
        if not inner:
            yield from ((head, form) for form in _forms([(code, value)]))
        head += next(_forms([(code, value)]), "")


def _inside(code: Any, value: Any) -> list[list[Any]]:
    """Return the sequences inside an item."""
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [list(value[2])]
    if code is codes.SUBPATTERN:
        return [list(value[3])]
    if code is codes.BRANCH:
        return [list(branch) for branch in value[1]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [list(value[1])]
    return [list(value)] if code is codes.ATOMIC_GROUP else []


def _forms(items: list[Any]) -> Iterator[str]:
    """Yield short texts that a sequence matches: one per alternative and per sort of character."""
    choices = [list(islice(_forms_of(code, value), MAX_FORMS)) or [""] for code, value in items]
    yield "".join(choice[0] for choice in choices)
    for place, choice in enumerate(choices):
        for form in choice[1:]:
            yield "".join(form if index == place else each[0] for index, each in enumerate(choices))


def _forms_of(code: Any, value: Any) -> Iterator[str]:
    if code is codes.LITERAL:
        yield chr(value)
    elif code is codes.NOT_LITERAL:
        yield "b" if chr(value) == "a" else "a"
    elif code is codes.ANY:
        yield from "a "
    elif code is codes.IN:
        yield from _characters(value)
    elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        yield from (form * min(max(value[0], 1), 40) for form in _forms(list(value[2])))
    elif code in (codes.SUBPATTERN, codes.BRANCH, codes.ATOMIC_GROUP):
        for part in _inside(code, value):
            yield from _forms(part)


def _characters(items: list[Any]) -> Iterator[str]:
    """Yield a character of each sort in a class."""
    if items[0][0] is codes.NEGATE:
        taken = set(_characters(items[1:])) if len(items) > 1 else set()
        test = re.compile("[^" + "".join(map(re.escape, taken)) + "]") if taken else re.compile(".")
        yield from (letter for letter in "a 7-x\n\"'<{[(&$_" if test.match(letter))
        return
    for code, value in items:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])
        elif code is codes.CATEGORY:
            yield from CATEGORIES[value]


def _distinct_methods(methods: tuple[str, ...]) -> tuple[str, ...]:
    """Return the methods that differ in where they begin: at every place, or at the first alone."""
    anchored = tuple(method for method in methods if method in ("match", "fullmatch"))
    return (*anchored, *(("finditer",) if len(anchored) < len(methods) else ()))


def _measured(pattern: "re.Pattern[Any]", method: str, parts: tuple[str, str, str], sizes: list[int]) -> Finding | None:
    run: Callable[[Any], Any] = getattr(pattern, method)
    head, pump, tail = parts
    before = 0.0
    for size in sizes:
        if size == SIZES[-1] and before <= MEASURABLE / 16:
            break  # no power below the fourth could take too long; most time would go into this size
        text = head + pump * (size // len(pump) or 1) + tail
        data: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
        start = process_time()
        found = run(data)
        if method == "finditer":
            for _ in found:
                pass
        seconds = process_time() - start
        exponent = log(seconds / before) / log(4) if before > MEASURABLE / 16 else 0.0
        if seconds > MAX_SECONDS or (seconds > MEASURABLE and exponent > MAX_EXPONENT):
            return Finding(method, head, pump, tail, size, seconds, exponent)
        before = seconds
    return None
