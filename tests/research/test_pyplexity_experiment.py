"""The experiment on pyplexity: separation, choice of cut-offs, counting, and its figures on real pages."""

from pathlib import Path

import numpy as np
import pytest

from dehusk.evaluation.metrics import edit_similarity
from dehusk.evaluation.peers import find_peer
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.lm import shipped
from dehusk.lm.model import LanguageModel
from dehusk.training.lm.build import tables
from dehusk.training.lm.counts import NgramCounts
from research import pyplexity
from research.pyplexity import charts, paper, runs, tuning
from research.pyplexity.judged_pages import JudgedPage
from research.pyplexity.program import program_perplexities, remaining
from research.pyplexity.separation import auc, separation

CLEAN = "The road to the village was under water for nine days. Nobody had seen the postman since Monday morning."
DIRTY = ("Home", "Login | FAQ", "Imprint © 2024")


def page(number: int) -> GoldPage:
    html = f"<ul>{''.join(f'<li>{word}' for word in DIRTY)}</ul><p>{CLEAN}"
    return GoldPage("made-up", f"{number}", "train", html, CLEAN, url=f"https://{number}.example/", unwanted=DIRTY)


class TestSeparation:
    def test_auc(self) -> None:
        assert auc(np.array([3.0, 4.0]), np.array([1.0, 2.0])) == 1
        assert auc(np.array([1.0]), np.array([1.0])) == 0.5
        assert auc(np.array([0.0]), np.array([1.0, -1.0])) == 0.5

    def test_boilerplate_is_separated(self) -> None:
        found = separation([page(number) for number in range(3)], shipped.model("en"))
        assert (found.snippets, found.sentences) == (9, 6)
        assert found.score == found.length == 1
        assert found.pairs == 0


class TestJudged:
    judged = JudgedPage.of(page(0), shipped.model("en"))

    def test_a_high_cut_off_keeps_all_a_low_one_nothing(self) -> None:
        assert self.judged.below(10**6 + 1).all()
        assert not self.judged.below(1.01).any()
        assert self.judged.f1(self.judged.below(1.01)) == 0

    def test_the_shipped_cut_off_is_right_here(self) -> None:
        model = shipped.model("en")
        kept = self.judged.below(model.cutoff, model.doubt)
        assert self.judged.text(kept) == CLEAN
        assert self.judged.f1(kept) == 1
        assert self.judged.similarity(kept) == 100
        assert self.judged.similarity(kept) > self.judged.similarity(np.ones_like(kept))

    def test_a_cut_off_is_chosen_by_f1(self) -> None:
        found = tuning.chosen([JudgedPage.of(page(number), shipped.model("en")) for number in range(6)])
        assert (found.pages, found.best, found.crossed) == (6, 1, 1)
        assert found.everything < 1
        assert 2.0**12 <= found.cutoff < 2.0**18


class TestProgram:
    def test_the_programs_formula_by_hand(self, tmp_path: Path) -> None:
        counts = NgramCounts(tmp_path, 2)
        counts.add(["the cat sat", "the dog sat", "the cat ran"])
        model = LanguageModel("en", tuple(tables(counts, 10**6)[0]), cutoff=5.0, doubt=8.0)
        # The first word costs 20 bits; cat follows the in 2 of 3 places, and P(the) = 3/12 stands for P(cat).
        expected = [1e6, (1e-6 * (0.8 * 2 / 3 + 0.2 * 3 / 12)) ** -0.5]
        assert program_perplexities(model, ["the", "the cat"]) == pytest.approx(expected, rel=0.03)
        assert len(program_perplexities(model, [])) == 0

    def test_what_remains_is_a_share_of_text_and_source(self) -> None:
        found = remaining([page(0)], shipped.model("en"), 8000)
        assert found.source > found.text > found.kept > len(CLEAN) // 2


def test_carbon_is_what_the_paper_says() -> None:
    assert paper.carbon(paper.CPU_HOURS) == pytest.approx(paper.KILOGRAMS, abs=0.01)


def test_tables_and_figures_come_out_of_made_up_pages(tmp_path: Path) -> None:
    pages = [page(number) for number in range(3)]
    judged = runs.judged(pages, shipped.model("en"))
    sweep: pyplexity.Sweep = {
        (kind, order): pyplexity._sweep_of(judged) for kind in ("general", "science") for order in (2, 3)
    }
    assert [len(line.ours) for line in pyplexity._similarities(sweep).lines] == [8] * 4
    assert all(0 < share <= 100 for line in pyplexity._sizes(sweep).lines for share in line.ours if share is not None)
    costs = pyplexity._costs(pages)
    assert all(ours is not None and ours > 0 for line in costs.lines for ours in line.ours)
    charts.draw(sweep, tmp_path / "new")
    assert (tmp_path / "new" / "sweep.png").read_bytes().startswith(b"\x89PNG")
    table = {line.name: line.ours[0] for line in pyplexity._table_7(pages).lines}
    assert table["`pyplexity`, tuned on training pages"] == 100


@pytest.mark.slow
@pytest.mark.data
def test_boilerplate_is_distinguished_from_sentences_of_the_same_length() -> None:
    found = separation(open_corpus("wcxb-dev").pages("yardstick"), shipped.model("en"))
    assert found.matched >= 0.85
    assert found.score >= found.length + 0.02


@pytest.mark.slow
@pytest.mark.data
def test_cleaneval_is_cleaned_better_than_by_justext_and_than_not_at_all() -> None:
    pages = [page for page in open_corpus("cleaneval").pages("test", 200) if page.gold]
    model, justext = shipped.model("en"), find_peer("justext")
    judged = runs.judged(pages, model)
    ours = np.mean([page.similarity(page.below(model.cutoff, model.doubt)) for page in judged])
    theirs = np.mean([edit_similarity(pyplexity._run(justext, page), page.gold or "") for page in pages])
    everything = np.mean([page.similarity(page.everything) for page in judged])
    assert ours >= theirs + 2  # 3.7 on all pages
    assert ours >= everything + 1
