"""Training of ncleaner: counts, bits, tables from pages and from texts, and the command."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk import Page, extract
from dehusk.errors import DehuskError, InputError, UsageError
from dehusk.gold.pages import GoldPage
from dehusk.methods.ncleaner import OTHERWISE, Ncleaner
from dehusk.methods.ncleaner.alphabet import folding
from dehusk.methods.ncleaner.table import NgramTable
from dehusk.training.examples import NO_GOLD, UNALIGNED
from dehusk.training.ncleaner.bits import ALPHABET_SIZE, Model, ngram_bits
from dehusk.training.ncleaner.counts import CodeCounts, CodeStream
from dehusk.training.ncleaner.examples import NcleanerExample, TextPage, make_examples
from dehusk.training.ncleaner.fit import (
    PAPER,
    NcleanerRecipe,
    as_table,
    best_bias,
    count_ngrams,
    fit_bits,
    fold_of,
    held_out,
    word_figures,
)
from dehusk.training.ncleaner.tables import TableOptions, by_language
from tests.helpers import train_command

CLEAN = ("the hens had gone to roost before the rain came over the hill", "nobody had shut the gate to the lower field")
train = partial(train_command.train, "ncleaner")
WORDS = st.text("abc", max_size=6)
DIRTY = ("LOGIN", "BUY NOW 50% OFF", "SHARE TWEET PIN")


def counts(texts: Sequence[str], order: int = 3) -> CodeCounts:
    return CodeCounts.of(CodeStream.of(texts, folding()), order)


def page(number: int) -> GoldPage:
    body = "".join(f"<p>{text} {number}</p>" for text in CLEAN)
    menu = "".join(f"<li>{text}</li>" for text in DIRTY)
    gold = "\n".join(f"{text} {number}" for text in CLEAN)
    return GoldPage("mine", f"p{number}", "all", f"<ul>{menu}</ul>{body}<ul>{menu}</ul>", gold)


def examples(count: int) -> list[NcleanerExample]:
    return [make_examples(page(number))[0][0] for number in range(count)]


def papers(texts: Sequence[str], known: str, order: int, q: float) -> float:
    """Return the paper's formula 1 for the last character after those before it, count_ngrams in strings."""
    lines = [f"\1{text}\1" for text in texts]
    total = 0.0
    longest = min(order, len(known))
    for length in range(longest, 1, -1):
        gram = known[-length:]
        before = sum(line.startswith(gram[:-1], place) for line in lines for place in range(len(line) - length + 1))
        after = sum(line.startswith(gram, place) for line in lines for place in range(len(line) - length + 1))
        total += q ** (longest - length) * (after / before if before else 0)
    guessed = "".join(line[1:] for line in lines)
    total += q ** (longest - 1) * (guessed.count(known[-1]) + 1) / (len(guessed) + ALPHABET_SIZE)
    return (1 - q) / (1 - q**longest) * total


def bits_by_hand(clean: Sequence[str], raw: Sequence[str], segment: str, n: int = 3, q: float = 0.5) -> float:
    """Return the bits per character of a segment by the paper alone: tildes, counts that are subtracted, formula 1."""

    def tildes(text: str) -> str:
        return f"\1{''.join(each if each.isascii() else '~' for each in text)}\1"

    def grams(texts: Sequence[str]) -> Counter[str]:
        lines = [tildes(text) for text in texts]
        sizes = range(1, n + 1)
        return Counter(
            line[end - size : end] for line in lines for size in sizes for end in range(max(2, size), len(line) + 1)
        )

    def probability(counts: Counter[str], known: str) -> float:
        longest = min(n, len(known))
        everything = sum(number for gram, number in counts.items() if len(gram) == 1)
        total = q ** (longest - 1) * (counts[known[-1]] + 1) / (everything + ALPHABET_SIZE)
        for size in range(2, longest + 1):
            gram = known[-size:]
            history = sum(number for each, number in counts.items() if len(each) == size and each[:-1] == gram[:-1])
            total += q ** (longest - size) * (counts[gram] / history if history else 0)
        return total

    models = grams(clean), grams(raw) - grams(clean)  # what would be below 0 is dropped
    line = tildes(segment)
    ratios = [
        probability(models[0], line[:end]) / probability(models[1], line[:end]) for end in range(2, len(line) + 1)
    ]
    return float(np.mean(np.log2(ratios)))


class TestPaper:
    CLEAN, RAW = ("the cat sat", "a café"), ("the cat sat", "a café", "BUY", "LOG IN")

    def table(self) -> NgramTable:
        gold = "\n".join(self.CLEAN)
        example = make_examples(TextPage("mine", "1", "all", "\n\n".join(self.RAW), gold))[0][0]
        return as_table(fit_bits([count_ngrams([example], PAPER)], PAPER), PAPER)

    @pytest.mark.parametrize("segment", ["the cat", "BUY IN", "LOG", "näive", "zebra 7"])
    def test_the_papers_recipe_by_hand(self, segment: str) -> None:
        spans = np.array([[0], [len(segment)]], np.int32)
        found = self.table().bits(segment, *spans)[0]
        assert found == pytest.approx(bits_by_hand(self.CLEAN, self.RAW, segment), abs=1e-5)

    def test_a_character_unknown_to_both_is_worth_what_the_formula_says(self) -> None:
        clean, dirty = (sum(len(text) + 1 for text in texts) for texts in (self.CLEAN, self.RAW))
        expected = np.log2((dirty - clean + ALPHABET_SIZE) / (clean + ALPHABET_SIZE))
        made = ngram_bits(counts(self.CLEAN, 1), counts(("BUY", "LOG IN"), 1), 1, 0.5)
        unknown = made.bits[made.keys == ord("%")]
        assert unknown == pytest.approx([expected])

    def test_the_command_makes_such_a_table(self, tmp_path: Path) -> None:
        data = own_pages(tmp_path / "mine", 12)
        ended = train(
            "--corpus", str(data), "--one", "--recipe", "paper", "--output", str(tmp_path / "model"), "--jobs", "1"
        )
        assert ended.exit_code == 0, ended.output
        about = json.loads((tmp_path / "model" / "model.json").read_text())
        facts = about["tables"]["all"]
        chosen = {name: facts[name] for name in ("n", "q", "mode", "differential", "neighbours", "bias")}
        assert chosen == {"n": 3, "q": 0.5, "mode": 1, "differential": True, "neighbours": 0.0, "bias": 0.0}
        assert about["command"].endswith("--recipe paper --one")
        assert CLEAN[0] in extract(str(page(3).html), method=tmp_path / "model").text

    def test_the_originals_modes(self, tmp_path: Path) -> None:
        data = own_pages(tmp_path / "mine", 12)
        for mode in ("0", "2", "3"):
            folder = tmp_path / f"mode{mode}"
            ended = train("--corpus", str(data), "--one", "--mode", mode, "--output", str(folder), "--jobs", "1")
            assert ended.exit_code == 0, ended.output
            assert Ncleaner.load(folder).tables[OTHERWISE].mode == int(mode)
            assert CLEAN[0] in extract(str(page(3).html), method=folder).text


class TestCounts:
    def test_an_order_counts_what_its_histories_hold(self) -> None:
        (_, ones), (_, twos), (_, threes) = counts(["abc"]).orders
        # a, b, c and the edge are predicted; each has a history of one code; three have one of two.
        assert (ones.sum(), twos.sum(), threes.sum()) == (4, 4, 3)

    def test_segments_do_not_reach_into_each_other(self) -> None:
        assert {key & 0xFFFF for key in counts(["ab", "cd"]).orders[1][0].tolist()}.isdisjoint({0x6263})

    @settings(deadline=None, max_examples=40)
    @given(st.lists(st.text("ab c", max_size=8), max_size=6), st.lists(st.text("ab c", max_size=8), max_size=6))
    def test_parts_add_up_to_the_whole_and_subtract_again(self, first: list[str], second: list[str]) -> None:
        whole, parts = counts(first + second), (counts(first), counts(second))
        for left, right in zip(CodeCounts.total(parts).orders, whole.orders, strict=True):
            assert [column.tolist() for column in left] == [column.tolist() for column in right]
        for left, right in zip(whole.less(parts[0]).orders, parts[1].orders, strict=True):
            assert [column.tolist() for column in left] == [column.tolist() for column in right]

    def test_counts_are_never_negative(self) -> None:
        assert all(len(keys) == 0 for keys, _ in counts(["ab"]).less(counts(["ab", "ab"])).orders)


class TestBits:
    def test_the_sum_is_the_papers_formula(self) -> None:
        model, q = Model.of(counts(["ab", "ac"])), 0.5
        single = (1 + 1) / (6 + ALPHABET_SIZE)
        # b after a and the edge: once in two; b after a: once in two; b at all: one of six codes, one added to each.
        key = np.array([0x016162], np.uint64)
        assert model.sums(key, 3, q).tolist() == pytest.approx([0.5 + q * (0.5 + q * single)])

    @settings(deadline=None, max_examples=30)
    @given(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, max_size=5), WORDS, st.booleans())
    def test_bits_are_the_difference_of_the_papers_two_probabilities(
        self, clean: list[str], dirty: list[str], text: str, differential: bool
    ) -> None:
        order, q = 3, 0.6
        # Every letter is in both, since the table has nothing for one that neither has seen.
        clean, dirty = [*clean, "abc"], [*dirty, "cba"]
        found = counts([*clean, *dirty]).less(counts(clean)) if differential else counts(dirty)
        table = ngram_bits(counts(clean), found, order, q)
        scored = NgramTable.of(table.keys, table.bits, order, lexical=True, bias=0, slope=1, neighbours=0)
        line = f"\1{text}\1"
        expected = [
            np.log2(papers(clean, line[:end], order, q) / papers(dirty, line[:end], order, q))
            for end in range(2, len(line) + 1)
        ]
        bits = scored.bits(text, np.array([0], np.int32), np.array([len(text)], np.int32))
        assert bits.tolist() == pytest.approx([np.mean(expected)], abs=1e-5)

    def test_rare_and_useless_n_grams_are_left_out(self) -> None:
        clean, dirty = counts(CLEAN), counts(DIRTY)
        sizes = [len(ngram_bits(clean, dirty, 3, 0.6, count, gain).keys) for count, gain in ((1, 0), (1, 2.0), (3, 0))]
        assert sizes[0] > sizes[1] > 0
        assert sizes[0] > sizes[2] > 0


class TestFit:
    @pytest.mark.parametrize("differential", [False, True])
    @pytest.mark.parametrize("lexical", [False, True])
    def test_clean_and_dirty_are_told_apart(self, differential: bool, lexical: bool) -> None:
        recipe = NcleanerRecipe(
            order=3, min_count=1, min_gain=0, lexical=lexical, differential=differential, neighbours=0
        )
        found, rest = examples(8)[:6], examples(8)[6:]
        table = as_table(fit_bits([count_ngrams(found, recipe)], recipe), recipe)
        bits = [table.bits(each.text, each.start, each.end) for each in rest]
        assert word_figures(rest, bits, 0.0).f1 == 100

    def test_no_page_is_judged_by_a_table_that_has_seen_it(self) -> None:
        recipe = NcleanerRecipe(order=3, min_count=1, min_gain=0)
        pages = examples(10)
        for each, bits in zip(pages, held_out(pages, recipe), strict=True):
            others = [other for other in pages if fold_of(other.site) != fold_of(each.site)]
            assert 0 < len(others) < len(pages)
            table = as_table(fit_bits([count_ngrams(others, recipe)], recipe), recipe)
            assert bits.tolist() == table.bits(each.text, each.start, each.end).tolist()

    def test_pages_of_a_single_site_are_split_by_page(self) -> None:
        pages = [replace(each, site="example.org") for each in examples(10)]
        bits = held_out(pages, NcleanerRecipe(order=3, min_count=1, min_gain=0, neighbours=0))
        assert word_figures(pages, bits, 0.0).f1 == 100

    def test_the_bias_is_where_f1_is_best(self) -> None:
        each = examples(1)[0]
        bits = np.where(each.shares > 0.5, 0.5, 0.3)
        bias = best_bias([([each], [bits])])
        assert bias == 0.3, "the nearest to 0 of those between 0.3 and 0.5, where all are as good"
        assert word_figures([each], [bits], bias).f1 == 100
        assert word_figures([each], [bits], 1.0).recall == 0

    def test_pages_left_out_have_a_reason(self) -> None:
        assert make_examples(GoldPage("mine", "a", "all", "<p>x", None)) == ([], NO_GOLD)
        unaligned = GoldPage("mine", "a", "all", "<p>x y z", "other words on this page")
        assert make_examples(unaligned) == ([], UNALIGNED)

    def test_languages_with_enough_pages_of_enough_sites_have_tables(self) -> None:
        one = examples(1)[0]
        many = [replace(one, language="fi", site=f"s{number % 12}") for number in range(40)]
        alike = [replace(one, language="el", site="one") for _ in range(40)]
        few = [replace(one, language="tr", site=f"s{number}") for number in range(29)]
        unknown = [replace(one, language="und", site=f"s{number}") for number in range(40)]
        assert {name: len(pages) for name, pages in by_language(many + alike + few + unknown).items()} == {
            "fi": 40,
            OTHERWISE: 149,
        }

    def test_impossible_options_are_refused(self) -> None:
        for order, q in ((0, 0.5), (8, 0.5), (3, 0.0), (3, 1.0)):
            with pytest.raises(UsageError):
                TableOptions(order, q)


def own_pages(folder: Path, count: int = 12) -> Path:
    folder.mkdir()
    for number in range(count):
        source = page(number)
        (folder / f"{number}.html").write_text(str(source.html))
        (folder / f"{number}.txt").write_text(str(source.gold))
    return folder


@pytest.mark.training
class TestCommand:
    def test_a_table_from_a_users_pages(self, tmp_path: Path) -> None:
        data, output = own_pages(tmp_path / "mine", 16), tmp_path / "model"
        result = train("--corpus", str(data), "--one", "--n", "3", "--q", "0.5", "--output", str(output), "--jobs", "1")
        assert result.exit_code == 0, result.output
        about = json.loads((output / "model.json").read_text())
        assert about["tables"][OTHERWISE]["n"] == 3
        assert about["tables"][OTHERWISE]["lexical"] is True
        assert "--one" in about["command"]
        text = extract(str(page(99).html), method=Ncleaner.load(output)).text
        assert CLEAN[0] in text
        assert "LOGIN" not in text

    def test_a_table_from_raw_and_clean_texts(self, tmp_path: Path) -> None:
        for name in ("raw", "clean"):
            (tmp_path / name).mkdir()
        for number in range(12):
            source = page(number)
            raw = "\n\n".join((*DIRTY, str(source.gold).replace("\n", "\n\n"), *DIRTY))
            (tmp_path / "raw" / f"{number}.txt").write_text(raw)
            (tmp_path / "clean" / f"{number}.txt").write_text(str(source.gold))
        (tmp_path / "raw" / "alone.txt").write_text("a text that nobody has cleaned")
        folders = "--raw", str(tmp_path / "raw"), "--clean", str(tmp_path / "clean")
        result = train(*folders, "--one", "--differential", "--output", str(tmp_path / "model"), "--jobs", "1")
        assert result.exit_code == 0, result.output
        assert f"1 pages: {NO_GOLD}" in result.output
        dump = Page.from_text("\n\n".join((*DIRTY, *CLEAN)))
        text = extract(dump, method=Ncleaner.load(tmp_path / "model")).text
        assert CLEAN[1] in text
        assert "TWEET" not in text

    @pytest.mark.parametrize(
        ("gold", "reason"), [("", ""), ("words that this page has not " * 5, f"3 pages: {UNALIGNED}")]
    )
    def test_pages_without_main_text_are_refused_with_the_reason(self, tmp_path: Path, gold: str, reason: str) -> None:
        data = own_pages(tmp_path / "mine", 3)
        for path in data.glob("*.txt"):
            path.write_text(gold)
        result = train("--corpus", str(data), "--one", "--output", str(tmp_path / "model"), "--jobs", "1")
        assert isinstance(result.exception, InputError)
        assert reason in str(result.exception)
        assert not (tmp_path / "model").exists()

    def test_wrong_usage_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "file").touch()
        (tmp_path / "bare").mkdir()
        for arguments, kind in (
            (["--output", str(tmp_path / "full")], UsageError),
            (["--raw", str(tmp_path)], UsageError),
            (["--raw", str(tmp_path / "bare"), "--clean", str(tmp_path / "full")], InputError),
            (["--raw", str(tmp_path / "nowhere"), "--clean", str(tmp_path / "full")], InputError),
            (["--raw", str(tmp_path / "full"), "--clean", str(tmp_path / "full" / "file")], InputError),
            (["--n", "9"], UsageError),
        ):
            result = train("--output", str(tmp_path / "new"), *arguments)
            assert isinstance(result.exception, DehuskError)
            assert isinstance(result.exception, kind)
