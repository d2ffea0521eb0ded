"""Diff: gold against output word by word, cut down to what a reader needs in order to see what went wrong."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from markupsafe import Markup

from dehusk.evaluation.charts import text
from dehusk.evaluation.metrics import lcs_pairs
from dehusk.gold.word_sequences import SINGLE, words

WORD: Final = re.compile(rf"(?<!\s)(\s*)([{SINGLE}]|[^\s{SINGLE}]+)")
MAX_ALIGNED: Final = 20_000  # words of either text that are aligned: one second at most
MAX_SHOWN: Final = 4_000  # words of a page that are shown
MAX_CHARACTERS: Final = 60  # of a word that are shown
# A match of one or two words by chance amid changes ("of the") would tear both sides to shreds.
CHANCE: Final = 2
# What remains of a long run: words at its beginning and at its end.
COMMON_ENDS: Final = (12, 12)
CHANGED_ENDS: Final = (140, 20)
SAME, MISSING, EXTRA = "same", "missing", "extra"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, the form that is compared, and whether a line break or a space precedes it."""

    shown: str
    key: str
    breaks: bool
    spaced: bool


@dataclass(frozen=True, slots=True)
class DiffRun:
    """Consecutive words that are in both texts, only in the gold (missing) or only in the output (extra)."""

    kind: str
    words: tuple[Word, ...]


def split_words(string: str) -> list[Word]:
    r"""Return the words between white space; single characters in scripts without spaces.

    >>> [word.key for word in split_words("It Rained.\n東京 |")]
    ['it', 'rained', '東', '京', '|']
    """
    split = []
    for match in WORD.finditer(string):
        space, shown = match.groups()
        split.append(Word(shown, "".join(words(shown[:MAX_CHARACTERS])) or shown, "\n" in space, bool(space)))
        if len(split) == MAX_ALIGNED:
            break
    return split


def diff_runs(gold: str, output: str) -> list[DiffRun]:
    """Return both texts as one list of runs.

    >>> [(run.kind, [word.shown for word in run.words]) for run in diff_runs("Rain fell here.", "Menu Rain fell")]
    [('extra', ['Menu']), ('same', ['Rain', 'fell']), ('missing', ['here.'])]
    """
    expected, extracted = split_words(gold), split_words(output)
    indices, partners = lcs_pairs([word.key for word in extracted], [word.key for word in expected])
    steps: list[tuple[str, Word]] = []
    here = there = 0
    for index, partner in [*zip(indices.tolist(), partners.tolist(), strict=True), (len(extracted), len(expected))]:
        steps += [(MISSING, word) for word in expected[there:partner]]
        steps += [(EXTRA, word) for word in extracted[here:index]]
        steps += [(SAME, word) for word in expected[partner : partner + 1]]
        here, there = index + 1, partner + 1
    runs = [DiffRun(kind, tuple(word for _, word in inside)) for kind, inside in groupby(steps, key=itemgetter(0))]
    return _gather_changes(_split_chance_matches(runs))


def _split_chance_matches(runs: Sequence[DiffRun]) -> list[DiffRun]:
    """Return the runs with chance matches, surrounded by longer changes, as missing and extra."""
    split: list[DiffRun] = []
    for index, run in enumerate(runs):
        neighbours = (*runs[max(0, index - 2) : index], *runs[index + 1 : index + 3])
        changed = sum(len(neighbour.words) for neighbour in neighbours)
        inside = 0 < index < len(runs) - 1
        if run.kind == SAME and inside and len(run.words) <= CHANCE and changed > 4 * len(run.words):
            split += [DiffRun(MISSING, run.words), DiffRun(EXTRA, run.words)]
        else:
            split.append(run)
    return split


def _gather_changes(runs: Sequence[DiffRun]) -> list[DiffRun]:
    """Return the runs with all missing words between two common runs in one run, followed by all extra words."""
    ordered: list[DiffRun] = []
    changes: dict[str, list[Word]] = {MISSING: [], EXTRA: []}
    for run in [*runs, DiffRun(SAME, ())]:
        if run.kind != SAME:
            changes[run.kind].extend(run.words)
            continue
        ordered += [DiffRun(kind, tuple(inside)) for kind, inside in changes.items() if inside]
        ordered += [run] if run.words else []
        changes = {MISSING: [], EXTRA: []}
    return ordered


def diff_markup(gold: str, output: str) -> Markup:
    """Return the runs as HTML, long ones shortened, the whole no longer than `MAX_SHOWN` words.

    >>> print(diff_markup("Rain fell", "Rain <b>"))
    <span>Rain</span> <del>fell</del> <ins>&lt;b&gt;</ins>
    """
    parts: list[str] = []
    room = MAX_SHOWN
    runs = diff_runs(gold, output)
    for index, run in enumerate(runs):
        if room <= 0:
            left = sum(len(rest.words) for rest in runs[index:])
            parts.append(f"<i>not shown: {left:,} more word{'s' * (left != 1)}</i>")
            break
        first, last = COMMON_ENDS if run.kind == SAME else CHANGED_ENDS
        room -= min(len(run.words), first + last)
        parts.append(_run_markup(run, first, last))
    return Markup(" ".join(parts))


def _run_markup(run: DiffRun, first: int, last: int) -> str:
    tag = {SAME: "span", MISSING: "del", EXTRA: "ins"}[run.kind]
    left_out = len(run.words) - first - last
    # Hiding a handful of words would take more room than they do.
    if left_out < 20:
        return f"<{tag}>{_joined(run.words)}</{tag}>"
    name = {SAME: "in common", MISSING: "missing", EXTRA: "too many"}[run.kind]
    hidden = f"<i>{left_out:,} more words {name}</i>"
    return f"<{tag}>{_joined(run.words[:first])} {hidden} {_joined(run.words[-last:])}</{tag}>"


def _joined(run_words: Sequence[Word]) -> str:
    pieces = []
    for index, word in enumerate(run_words):
        before = "¶ " if word.breaks else ""
        pieces.append(f"{' ' * bool(index and (word.breaks or word.spaced))}{before}{text(word.shown, MAX_CHARACTERS)}")
    return "".join(pieces)
