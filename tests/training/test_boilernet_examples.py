"""Training of boilernet without torch: examples, inputs, thresholds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dehusk import Page
from dehusk.errors import InputError
from dehusk.gold.pages import GoldPage
from dehusk.methods.boilernet.features import BoilernetVocabulary, boilernet_features, cut
from dehusk.training.boilernet import recipe, tuning
from dehusk.training.boilernet.examples import NO_LABELS, labels_from_nodes, make_examples
from dehusk.training.boilernet.inputs import choose_vocabulary, inputs
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.examples import NO_BLOCKS, UNALIGNED
from tests.helpers.boilernet import example, packed, pages


class TestExamples:
    def test_gold_text_labels_leaves(self) -> None:
        found = example(pages(1)[0])
        assert found.labels.tolist() == [1] * 5 + [0] * 5 + [1]
        assert found.chains[0] == "html body ul li a"
        assert found.words[5][0] == "the"

    def test_labelled_nodes_label_leaves(self) -> None:
        page = Page.from_html("<p>One two <b>three</b> four<p>five")
        labelled = labels_from_nodes(cut(page), [("One two", 0), ("three four", 0), ("gone", 0), ("five", 1)])
        assert labelled.labels[[0, 3]].tolist() == [0, 1]
        assert labelled.nodes.sum() == 3
        assert (labelled.lost_boilerplate, labelled.lost_content) == (0, 1)

    def test_equal_texts_keep_the_labels_of_their_own_nodes(self) -> None:
        nodes = [("Snow in town", 1), ("Menu", 1), ("Snow in town", 0), ("It fell all night", 0)]
        leaves = cut(Page.from_html("".join(f"<p>{text}" for text, _ in nodes)))
        assert labels_from_nodes(leaves, nodes).labels.tolist() == [1, 1, 0, 0]

    @pytest.mark.parametrize(
        ("html", "gold", "reason"),
        [("<p>x", None, NO_LABELS), ("", "x", NO_BLOCKS), ("<p>One two three", "Not of this page at all", UNALIGNED)],
    )
    def test_pages_left_out_have_a_reason(self, html: str, gold: str | None, reason: str) -> None:
        assert make_examples(GoldPage("mine", "1", "all", html, gold)) == ([], reason)

    def test_a_page_without_main_text_is_all_boilerplate(self) -> None:
        found = example(pages(1)[0] | {"gold": ""})
        assert set(found.labels.tolist()) == {1.0}


class TestInputs:
    def test_a_file_contains_what_was_packed(self, tmp_path: Path) -> None:
        whole = packed(3)
        whole.save(tmp_path / "features.npz")
        read = BoilernetPacked.load(tmp_path / "features.npz")
        assert (read.info, read.words, read.chains) == (whole.info, whole.words, whole.chains)
        np.testing.assert_array_equal(read.word, whole.word)
        (tmp_path / "features.npz").write_bytes(b"no zip")
        with pytest.raises(InputError, match="does not contain boilernet's examples"):
            BoilernetPacked.load(tmp_path / "features.npz")

    def test_nothing_to_train_on_is_an_error(self) -> None:
        with pytest.raises(InputError, match=r"no page can be trained on \(3 pages: no text on the page\);"):
            BoilernetPacked.of([], {}, {NO_BLOCKS: 3})

    def test_words_are_those_of_the_training_pages_alone(self) -> None:
        whole = packed(2)
        _, words = choose_vocabulary(whole, [0])
        first = Page.from_html(pages(1)[0]["html"]).text.lower()
        assert set(words) - {"."} <= set(first.replace(".", " ").split())

    def test_training_and_use_count_alike(self) -> None:
        whole = packed(3)
        tags, words = choose_vocabulary(whole, [0])
        data, vocabulary = inputs(whole, tags[:4], words[:5]), BoilernetVocabulary.of(tags[:4], words[:5])
        for number, page in enumerate(pages(3)):
            found = boilernet_features(cut(Page.from_html(page["html"])), vocabulary)
            ours = np.zeros((found.leaves, data.width), np.float32)
            ours[found.rows, found.columns] = found.values
            theirs = np.zeros_like(ours)
            for row in range(found.leaves):
                entries = slice(*data.entries[data.start[number] + row :][:2])
                theirs[row, data.column[entries]] = data.value[entries]
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)

    def test_counts_may_stay_as_they_are(self) -> None:
        whole = packed(2)
        vocabulary = choose_vocabulary(whole, [0])
        counts, logs = inputs(whole, *vocabulary, "counts"), inputs(whole, *vocabulary)
        np.testing.assert_allclose(np.log1p(counts.value), logs.value, rtol=1e-6)
        assert counts.value.max() > 1
        assert set(counts.value.tolist()) <= set(range(100))

    def test_leaves_may_be_left_out(self) -> None:
        whole = packed(3)
        lists = np.array(["li" in tags.split() for tags in whole.chains])[whole.chain]
        part = whole.only(~lists)
        assert part.size.tolist() == [6, 6, 6]  # of eleven, five are in lists
        assert part.start[-1] == len(part.chain) == len(part.labels)
        assert part.distinct.sum() == len(part.word) == len(part.count)
        tags, words = choose_vocabulary(whole, [0])
        all_leaves, some = inputs(whole, tags, words), inputs(part, tags, words)
        np.testing.assert_array_equal(some.value, all_leaves.value[np.repeat(~lists, np.diff(all_leaves.entries))])
        assert whole.only(np.zeros(len(lists), np.bool_)).size.tolist() == [0, 0, 0]


class TestTuning:
    def test_no_site_is_trained_and_checked_on(self) -> None:
        assert len(tuning.check_pages(packed(10))) == 1
        assert tuning.check_pages(packed(10)) == tuning.check_pages(packed(10))

    @pytest.mark.parametrize("large", ["a.example.org", "b.example.org", "c.example.org"])
    def test_there_is_always_a_site_to_train_on(self, large: str) -> None:
        whole = packed(20)
        sites = ["s.example.org", *[large] * 19]
        info = tuple(replace(each, site=site) for each, site in zip(whole.info, sites, strict=True))
        assert 0 < len(tuning.check_pages(replace(whole, info=info))) < 20

    def test_the_threshold_separates_the_leaves(self) -> None:
        whole = packed(4)
        scores = np.where(whole.labels > 0.5, 0.4, 0.2).astype(np.float32)
        assert 0.2 < tuning.best_threshold(whole, range(4), scores) <= 0.4
        assert tuning.figures_by_set(whole, range(4), scores < 0.3) == {"mine": 1.0}


@pytest.mark.parametrize("shipped", [recipe.LARGE, recipe.SMALL])
def test_the_shipped_networks_are_the_best_of_all_epochs(shipped: recipe.BoilernetRecipe) -> None:
    assert shipped.chosen_from >= shipped.epochs
    assert not shipped.averaged
    assert recipe.PAPER.chosen_from < recipe.PAPER.epochs
