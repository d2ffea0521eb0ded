"""Language models: words as hashes, tables in files, sentences and what they cost."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from dehusk.errors import ModelError
from dehusk.lm import shipped
from dehusk.lm.model import MOST_BITS, LanguageModel
from dehusk.lm.sentences import split
from dehusk.lm.table import ProbabilityTable
from dehusk.lm.tokens import BATCH, batches, grams, tokens

NAMES = ["de", "en", "en-science", "es", "fr", "it", "pl", "pt", "sv"]
BUDGETS = {"en": 15e6, "en-science": 8e6}


def same(one: str, other: str) -> bool:
    return np.array_equal(tokens([one]).key, tokens([other]).key)


class TestTokens:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("The CAT", "the cat"),
            ("in 1984", "in 2024"),
            ("don’t", "don't"),
            ("“so”", '"so"'),
            ("cafe\u0301", "café"),
            ("a\u0323\u0302", "ậ"),
            ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"),
            ("Donau\u00addampf", "Donaudampf"),
            ("a\u00a0b", "a  b"),
            ("a\nb", "a b"),
        ],
    )
    def test_what_is_written_in_two_ways_is_one_word(self, one: str, other: str) -> None:
        assert same(one, other)

    @pytest.mark.parametrize(
        ("one", "other"), [("cat", "act"), ("ab", "a b"), ("été", "ete"), ("I", "1"), ("x.", "x!")]
    )
    def test_what_differs_is_another_word(self, one: str, other: str) -> None:
        assert not same(one, other)

    @pytest.mark.parametrize(("text", "count"), [("", 0), ("   ", 0), ("Hi, you!", 4), ("東京 is 3.5", 6), ("😀x", 2)])
    def test_words_are_counted(self, text: str, count: int) -> None:
        assert len(tokens([text])) == count

    def test_the_letters_of_a_long_word_all_count(self) -> None:
        assert not same("a" * 100_000, "a" * 99_999 + "b")

    def test_a_word_is_the_same_whatever_stands_beside_it(self) -> None:
        angstrom, neighbour = "5 \u212b", "cafe\u0301"  # the neighbour has a letter in two parts
        assert tokens([angstrom, neighbour]).key[:3].tolist() == tokens([angstrom]).key[:3].tolist()

    @pytest.mark.timeout(10)
    def test_a_letter_with_any_number_of_marks_takes_no_longer_than_others(self) -> None:
        assert len(tokens(["a" + "\u0300\u0323" * 200_000])) == 1

    def test_sentences_are_looked_at_together_up_to_a_limit(self) -> None:
        many = ["x"] * (2 * BATCH[0] + 1)
        assert [len(batch) for batch in batches(many)] == [BATCH[0], BATCH[0], 1]
        assert [len(batch) for batch in batches(["x" * BATCH[1]] * 5)] == [2, 2, 1]
        assert list(batches([])) == []

    def test_no_n_gram_goes_over_a_sentences_edge(self) -> None:
        apart, alone = tokens(["x y", "a b"]), tokens(["a b"])
        for order in (1, 2, 3):
            assert grams(apart, order)[3:].tolist() == grams(alone, order).tolist()

    def test_a_trigram_is_of_three_words(self) -> None:
        # The original looks up (b, c, c) where (a, b, c) is meant.
        one, two = tokens(["a b c"]), tokens(["x b c"])
        assert grams(one, 2)[2] == grams(two, 2)[2]
        assert grams(one, 3)[2] != grams(two, 3)[2]

    def test_no_sentences_are_no_words(self) -> None:
        assert len(tokens([])) == 0


class TestTable:
    def test_every_key_is_found_and_others_are_not(self) -> None:
        random = np.random.default_rng(0)
        keys = np.unique(random.integers(0, 2**63, 50_000).astype(np.uint64) << np.uint64(1))
        values = random.uniform(1e-6, 1, len(keys))
        table = ProbabilityTable.of(keys[::2], values[::2])
        assert np.allclose(np.log2(table.probability(keys[::2])), np.log2(values[::2]), atol=0.0501)
        assert np.count_nonzero(table.probability(keys[1::2])) <= 5

    def test_a_table_comes_back_from_its_bytes(self) -> None:
        keys = np.arange(7, dtype=np.uint64) << np.uint64(40)
        table = ProbabilityTable.of(keys, np.linspace(0.1, 1, 7))
        read, rest = ProbabilityTable.read(np.concatenate([table.bytes(), np.ones(8, np.uint8)]), len(table))
        assert read.probability(keys).tolist() == table.probability(keys).tolist()
        assert rest.tolist() == [1] * 8

    def test_an_empty_table_has_nothing(self) -> None:
        empty = ProbabilityTable.of(np.zeros(0, np.uint64), np.zeros(0))
        assert empty.probability(np.arange(3, dtype=np.uint64)).tolist() == [0, 0, 0]


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("", []),
            (" \n ", []),
            ("No stop at all", ["No stop at all"]),
            ("Mr. Smith left. He was late.", ["Mr. Smith left.", "He was late."]),
            ("It cost 3.50 euros. Cheap!", ["It cost 3.50 euros.", "Cheap!"]),
            ("Am 3. Oktober kam er. Dann ging er.", ["Am 3. Oktober kam er.", "Dann ging er."]),
            ("So z. B. hier, d. h. dort. Und da.", ["So z. B. hier, d. h. dort.", "Und da."]),
            ("Mme. Brun est venue. « Oui », dit-elle.", ["Mme. Brun est venue.", "« Oui », dit-elle."]),
            ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
            ("What?! Really... yes.", ["What?!", "Really... yes."]),
            ("See No. 7 and no. Then more.", ["See No. 7 and no.", "Then more."]),
            ("你好。再见！走吧", ["你好。", "再见！", "走吧"]),
            ("「雨だ。」帰ろう。", ["「雨だ。」", "帰ろう。"]),
            ("See www.example.org. Now.", ["See www.example.org.", "Now."]),
        ],
    )
    def test_where_sentences_end(self, text: str, parts: list[str]) -> None:
        assert split(text) == parts

    def test_nothing_but_white_space_is_lost(self) -> None:
        text = "One. Two!  Three?\nFour... 五。六。 (Seven.) End"
        assert "".join("".join(split(text)).split()) == "".join(text.split())

    @pytest.mark.timeout(20)
    @pytest.mark.parametrize("text", ["." * 300_000, ". " * 200_000, "a. " * 100_000, ".)" * 200_000, " " * 400_000])
    def test_hostile_text_takes_no_longer_than_other(self, text: str) -> None:
        assert "".join("".join(split(text)).split()) == "".join(text.split())


class TestShipped:
    def test_the_models_are_these(self) -> None:
        assert shipped.names() == NAMES

    @pytest.mark.parametrize("name", NAMES)
    def test_a_model_keeps_its_budget_and_says_where_it_comes_from(self, name: str) -> None:
        folder = shipped.folder() / name
        assert sum(file.stat().st_size for file in folder.iterdir()) <= BUDGETS.get(name, 4e6)
        about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        assert about["command"].startswith("dehusk train lm")
        assert all(source["licence"] and source["words"] > 0 for source in about["sources"])

    def test_a_model_is_mapped_not_read(self) -> None:
        rest = shipped.model("en").tables[1].rest
        while isinstance(rest.base, np.ndarray):
            rest = rest.base
        assert not rest.flags.writeable
        assert not rest.flags.owndata

    def test_a_model_travels_by_its_folder(self) -> None:
        model = shipped.model("de")
        assert len(pickle.dumps(model)) < 500
        assert pickle.loads(pickle.dumps(model)) is model

    def test_a_language_without_a_model_is_reported(self) -> None:
        with pytest.raises(ModelError, match="no language model for 'tlh'; there are de, en"):
            shipped.model("tlh")

    @pytest.mark.parametrize("name", NAMES)
    def test_noise_costs_more_than_a_sentence(self, name: str) -> None:
        plain = {
            "de": "Das ist nicht wahr.",
            "en": "This is not true.",
            "en-science": "The results of this study are shown.",
            "es": "Esto no es verdad.",
            "fr": "Ce n’est pas vrai.",
            "it": "Questo non è vero.",
            "pl": "To nie jest prawda.",
            "pt": "Isto não é verdade.",
            "sv": "Det är inte sant.",
        }
        perplexities, scores = shipped.model(name).measured([plain[name], "Xq Zvb |» kkw"])
        assert 10 * perplexities[0] < perplexities[1] <= 2**MOST_BITS * 1.001
        assert scores[0] < scores[1]


class TestScores:
    model = shipped.model("en")

    def test_the_first_word_is_modelled(self) -> None:
        # The original gives every first word 20 bits, so that one word costs a million.
        assert self.model.measured(["The"])[0][0] < 1000

    def test_the_word_after_an_inner_stop_counts(self) -> None:
        _, one = self.model.sums(["He left. Then he came back."])
        assert one[0] == 9  # eight tokens and the end

    def test_scores_lie_between_0_and_1_and_grow_with_perplexity(self) -> None:
        lines = ["We will go there.", "We will zxq there.", "Vv zxq there qqj", "Vv zxq wwwk qqj"]
        perplexities, scores = self.model.measured(lines)
        assert (np.diff(perplexities) > 0).all()
        assert (np.diff(scores) > 0).all()
        assert 0 <= scores[0] < 0.5 < scores[-1] <= 1

    def test_the_cut_off_is_at_a_half(self) -> None:
        costs, words = self.model.sums(["We will go there."])
        bits = (costs[0] + 8 * MOST_BITS) / (words[0] + 8)
        model = LanguageModel("en", self.model.tables, float(2**bits), 8.0)
        assert model.measured(["We will go there."])[1][0] == pytest.approx(0.5)

    def test_no_sentences_have_no_scores(self) -> None:
        assert [len(column) for column in self.model.measured([])] == [0, 0]


class TestDamage:
    def copied(self, folder: Path, **changes: object) -> Path:
        about = json.loads((shipped.folder() / "es" / "model.json").read_text(encoding="utf-8"))
        (folder / "model.json").write_text(json.dumps({**about, **changes}))
        (folder / "ngrams.npy").write_bytes((shipped.folder() / "es" / "ngrams.npy").read_bytes())
        return folder

    @pytest.mark.parametrize(
        ("field", "values"),
        [
            ("entries", ([5, 10**9], [-1, 5], "x", [7], [0, 2**62], [float("inf"), 5], [60982, 738547])),
            ("cutoff", (0, None, float("inf"), float("nan"))),
            ("doubt", (-1,)),
            ("format", (99,)),
        ],
    )
    def test_a_wrong_description_is_reported(self, tmp_path: Path, field: str, values: tuple[object, ...]) -> None:
        for value in values:
            with pytest.raises(ModelError):
                LanguageModel.load(self.copied(tmp_path, **{field: value}))

    @pytest.mark.parametrize("data", [b"", b"no numbers", b"\x93NUMPY\x01\x00"])
    def test_a_damaged_file_is_reported(self, tmp_path: Path, data: bytes) -> None:
        (self.copied(tmp_path) / "ngrams.npy").write_bytes(data)
        with pytest.raises(ModelError, match=r"not what `dehusk train lm` writes|cannot be read"):
            LanguageModel.load(tmp_path)

    def test_a_file_that_ends_too_early_is_reported(self, tmp_path: Path) -> None:
        path = self.copied(tmp_path) / "ngrams.npy"
        for size in (path.stat().st_size - 1, 300_000, 200):
            with path.open("r+b") as file:
                file.truncate(size)
            with pytest.raises(ModelError, match="not what `dehusk train lm` writes"):
                LanguageModel.load(tmp_path)

    @pytest.mark.parametrize(
        "data", [np.zeros(10**6), np.zeros((1000, 1000), np.uint8), np.zeros(0, np.uint8), np.ones(10**7, np.uint8)]
    )
    def test_arrays_of_another_kind_are_reported(self, tmp_path: Path, data: np.ndarray) -> None:
        np.save(self.copied(tmp_path) / "ngrams.npy", data)
        with pytest.raises(ModelError):
            LanguageModel.load(tmp_path)

    def test_a_description_that_is_none_is_reported(self, tmp_path: Path) -> None:
        path = self.copied(tmp_path) / "model.json"
        for text in ("", "[]", "[" * 100_000, '{"format": 1}', "\udcff"):
            path.write_text(text, encoding="utf-8", errors="surrogateescape")
            with pytest.raises(ModelError):
                LanguageModel.load(tmp_path)

    def test_a_missing_folder_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="cannot be read: No such file"):
            LanguageModel.load(tmp_path / "none")
