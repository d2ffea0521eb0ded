"""The experiment on ncleaner: its cross-entropy, its tests, and all of it on invented pages."""

from pathlib import Path

import numpy as np
import pytest

from dehusk.evaluation.metrics import MatchCounts, micro
from dehusk.extractor import Extractor
from dehusk.gold.corpora import Corpus, open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.methods.ncleaner.alphabet import folding
from dehusk.training.ncleaner.bits import Model
from dehusk.training.ncleaner.counts import CodeCounts, CodeStream
from dehusk.training.ncleaner.examples import NcleanerExample, make_examples
from research import ncleaner
from research.ncleaner import paired, paper, runs
from research.ncleaner.entropy import QS, cross_entropies
from research.ncleaner.runs import Heuristics, Task, compared, measured

STORY = (
    "The first frost came in the night of the ninth, and the dahlias, which stood until then, were black by noon.",
    "We had meant to lift them on Sunday. Nobody had looked at the sky, and the forecast said nothing of it.",
)


def page(number: int) -> GoldPage:
    menu = "".join(f"<li>{word}</li>" for word in ("Home", "Login", f"Cart ({number})", *["Contact us"] * (number % 4)))
    body = f"<h1>Frost, part {number}</h1><p>{STORY[0]} It was day {number}.</p><p>{STORY[1]}</p>"
    gold = f"Frost, part {number}\n{STORY[0]} It was day {number}.\n{STORY[1]}"
    marked = f"<h>Frost, part {number}\n<p>{STORY[0]} It was day {number}.\n<p>{STORY[1]}"
    html = f"<html lang=en><p>Home | News | Sport</p><ul>{menu}</ul>{body}<ul>{menu}</ul>"
    return GoldPage("mine", f"p{number}", "test", html, gold, gold_marked=marked, language="en")


def example(number: int) -> NcleanerExample:
    found = make_examples(page(number))[0][0]
    assert isinstance(found, NcleanerExample)
    return found


class TestEntropy:
    def test_what_repeats_costs_little_and_longer_histories_help(self) -> None:
        bits = cross_entropies([example(number) for number in range(12)], 4)
        assert bits.shape == (4, len(QS))
        assert np.isfinite(bits).all()
        assert bits[3].min() < 1 < bits[0].min()
        assert np.allclose(bits[0], bits[0, 0]), "with single characters there is nothing to mix"

    def test_probabilities_add_up_to_one(self) -> None:
        # Histories that were seen: what all codes cost together is what a distribution costs.
        stream = CodeStream.of(["abab"], folding())
        model = Model.of(CodeCounts.of(stream, 2))
        codes = np.arange(256, dtype=np.uint64)
        q = 0.5
        shares = model.sums(np.uint64(ord("a") << 8) | codes, 2, q) * (1 - q) / (1 - q**2)
        assert shares.sum() == pytest.approx(1)


@pytest.mark.slow
def test_a_paired_test_sees_what_is_beyond_chance() -> None:
    worse = [MatchCounts(10, 10 + number % 3, 0) for number in range(20)]
    better = [MatchCounts(10, 2 + number % 3, 0) for number in range(20)]
    t, size = paired(better, worse, "precision")
    assert t > 10
    assert size > 5
    assert paired(worse, better, "precision")[0] == pytest.approx(-t)


def test_the_heuristics_alone_drop_fields_between_bars_only() -> None:
    text = Extractor(Heuristics()).extract(str(page(1).html)).text
    assert "Sport" not in text
    assert "Login" in text


def test_workers_measure_what_the_process_does() -> None:
    tasks = [Task(page(number), "ncleaner", True, text) for number in range(2) for text in ("", "ours")]
    assert measured(tasks) == [compared(task)[0] for task in tasks]


def test_the_papers_tables_are_whole() -> None:
    assert {len(row) for row in paper.INTERNAL.values()} == {9}
    for f1, precision, recall in [row[:3] for row in paper.INTERNAL.values()] + [*paper.WORDS.values()]:
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.02)


@pytest.mark.slow
def test_the_whole_experiment_on_invented_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    data = tmp_path / "mine.jsonl"
    data.write_text("{}")
    monkeypatch.setattr(runs, "open_corpus", lambda name: _Invented("mine", data, "ours", ("test",)))
    monkeypatch.setattr(runs, "SIZES", (2, 5))
    monkeypatch.setattr(runs, "FEW_LANGUAGES", ("en",))
    # Without workers, which take longer to start than to work here; another test has them.
    monkeypatch.setattr(runs, "measured", lambda tasks: [compared(task)[0] for task in tasks])
    monkeypatch.setattr(runs, "examples", lambda pages, _: ([example(int(each.id[1:])) for each in pages], None))
    monkeypatch.setattr(ncleaner, "WORK", tmp_path / "work")
    messages: list[str] = []
    tables = list(ncleaner.tables(messages.append))
    titles = [table.title.partition(":")[0] for table in tables]
    assert titles[:5] == ["Figure 2", "Table 2", "Table 2", "Table 2", "Paired t-tests across pages"]
    assert titles[5:] == ["Table 3", "Table 4", "Figure 4", "A new language from few pages"]
    assert [line.name for line in tables[-1].lines] == ["English"]
    words = {line.name: line.ours for line in tables[5].lines}
    baseline, full = words["Baseline"][1], words["NCleaner (HTML)"][1]
    assert baseline is not None
    assert full is not None
    assert full > baseline
    assert {path.name for path in (tmp_path / "work").glob("*.png")} == {f"figure-{n}.png" for n in (2, 3, 4)}
    # Cached results are used.
    again: list[str] = []
    assert [table.lines for table in ncleaner.tables(again.append)] == [table.lines for table in tables]
    assert not any(what.startswith(("internal", "external", "cross")) for what in again)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("text", ["", "ours"])
def test_words_and_marks_of_test_pages_are_as_good_as_the_papers(text: str) -> None:
    pages = open_corpus("cleaneval").pages("ncleaner674", sample=150)
    found = [compared(Task(page, "ncleaner", True, text))[0] for page in pages]
    words, marks = micro(each.words for each in found), micro(each.marks for each in found)
    assert words.f1 > 0.9273
    assert words.precision > 0.92
    assert words.recall > 0.90
    assert marks.f1 > 0.6085


class _Invented(Corpus):
    """A corpus of a few pages, the same in every part."""

    def pages(self, part: str = "all", *_: object, **__: object):  # type: ignore[no-untyped-def]
        return iter([page(number) for number in range(14)])
