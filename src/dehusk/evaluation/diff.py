"""Diff: gold against output word by word, cut down to what a reader needs in order to see what went wrong."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dehusk.evaluation.charts import text
from dehusk.evaluation.metrics import lcs_pairs
from dehusk.gold.word_sequences import SINGLE, words

UNIT: Final = re.compile(rf"(\s*)([{SINGLE}]|[^\s{SINGLE}]+)")
READ: Final = 20_000  # words of either text that are aligned: a second at most
SHOWN: Final = 4_000  # words of a page that are written out
LONGEST: Final = 60  # characters of a word that are written out
# A word or two that match by chance amid changes ("of the") would tear both sides into shreds.
CHANCE: Final = 2
# What stays of a long run: words at its beginning and at its end.
COMMON_ENDS: Final = (12, 12)
CHANGED_ENDS: Final = (140, 20)
SAME, MISSING, EXTRA = "same", "missing", "extra"


@dataclass(frozen=True, slots=True)
class Unit:
    """A word as it stands in the text, with what is compared, and whether a new line begins before it."""

    shown: str
    key: str
    breaks: bool
    spaced: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Words one after the other that are in both texts, in the gold alone (missing) or in the output alone (extra)."""

    kind: str
    units: tuple[Unit, ...]


def units(string: str) -> list[Unit]:
    r"""Return the words of a text between white space; single characters where a script has no spaces.

    >>> [unit.key for unit in units("It Rained.\n東京 |")]
    ['it', 'rained', '東', '京', '|']
    """
    found = []
    for match in UNIT.finditer(string):
        space, shown = match.groups()
        found.append(Unit(shown, "".join(words(shown[:LONGEST])) or shown, "\n" in space, bool(space)))
        if len(found) == READ:
            break
    return found


def runs(gold: str, output: str) -> list[Run]:
    """Return both texts as one list of runs.

    >>> [(run.kind, [unit.shown for unit in run.units]) for run in runs("Rain fell here.", "Menu Rain fell")]
    [('extra', ['Menu']), ('same', ['Rain', 'fell']), ('missing', ['here.'])]
    """
    wanted, came = units(gold), units(output)
    places, partners = lcs_pairs([unit.key for unit in came], [unit.key for unit in wanted])
    steps: list[tuple[str, Unit]] = []
    here = there = 0
    for place, partner in [*zip(places.tolist(), partners.tolist(), strict=True), (len(came), len(wanted))]:
        steps += [(MISSING, unit) for unit in wanted[there:partner]]
        steps += [(EXTRA, unit) for unit in came[here:place]]
        steps += [(SAME, unit) for unit in wanted[partner : partner + 1]]
        here, there = place + 1, partner + 1
    return _ordered(_without_chance(_grouped(steps)))


def _grouped(steps: Sequence[tuple[str, Unit]]) -> list[Run]:
    found: list[tuple[str, list[Unit]]] = []
    for kind, unit in steps:
        if not found or found[-1][0] != kind:
            found.append((kind, []))
        found[-1][1].append(unit)
    return [Run(kind, tuple(inside)) for kind, inside in found]


def _without_chance(found: Sequence[Run]) -> list[Run]:
    """Return the runs with matches by chance, between changes that are longer, told as missing and as extra."""
    parted: list[Run] = []
    for place, run in enumerate(found):
        around = sum(len(near.units) for near in (*found[max(0, place - 2) : place], *found[place + 1 : place + 3]))
        inside = 0 < place < len(found) - 1
        if run.kind == SAME and inside and len(run.units) <= CHANCE and around > 4 * len(run.units):
            parted += [Run(MISSING, run.units), Run(EXTRA, run.units)]
        else:
            parted.append(run)
    return parted


def _ordered(found: Sequence[Run]) -> list[Run]:
    """Return the runs with all that is missing between two common runs in one, and then all that is extra."""
    ordered: list[Run] = []
    missing: list[Unit] = []
    extra: list[Unit] = []
    for run in [*found, Run(SAME, ())]:
        if run.kind != SAME:
            (missing if run.kind == MISSING else extra).extend(run.units)
            continue
        changed = [Run(kind, tuple(inside)) for kind, inside in ((MISSING, missing), (EXTRA, extra)) if inside]
        ordered += [*changed, *([run] if run.units else [])]
        missing, extra = [], []
    return ordered


def markup(gold: str, output: str) -> str:
    """Return the runs as HTML, long ones shortened, the whole no longer than `SHOWN` words.

    >>> markup("Rain fell", "Rain <b>")
    '<span>Rain</span> <del>fell</del> <ins>&lt;b&gt;</ins>'
    """
    parts: list[str] = []
    room = SHOWN
    found = runs(gold, output)
    for place, run in enumerate(found):
        if room <= 0:
            left = sum(len(rest.units) for rest in found[place:])
            parts.append(f"<i>{left:,} more words are not shown</i>")
            break
        first, last = COMMON_ENDS if run.kind == SAME else CHANGED_ENDS
        room -= min(len(run.units), first + last)
        parts.append(_run(run, first, last))
    return " ".join(parts)


def _run(run: Run, first: int, last: int) -> str:
    tag = {SAME: "span", MISSING: "del", EXTRA: "ins"}[run.kind]
    left_out = len(run.units) - first - last
    # To hide a handful of words would take more room than they do.
    if left_out < 20:
        return f"<{tag}>{_joined(run.units)}</{tag}>"
    name = {SAME: "in common", MISSING: "missing", EXTRA: "too many"}[run.kind]
    hidden = f"<i>{left_out:,} more words {name}</i>"
    return f"<{tag}>{_joined(run.units[:first])} {hidden} {_joined(run.units[-last:])}</{tag}>"


def _joined(found: Sequence[Unit]) -> str:
    return "".join(_pieces(found))


def _pieces(found: Sequence[Unit]) -> Iterator[str]:
    for place, unit in enumerate(found):
        if unit.breaks:
            yield " ¶ " if place else "¶ "
        elif place and unit.spaced:
            yield " "
        yield text(unit.shown, LONGEST)
