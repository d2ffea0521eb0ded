"""Corpora: parts, samples, hashes, errors, and the project's sets."""

import os
from pathlib import Path

import pytest

from dehusk.errors import InputError, UsageError
from dehusk.gold.corpora import SETS, Corpus, open_corpus
from dehusk.gold.readers import plain_gold
from dehusk.gold.yardstick import in_yardstick
from tests.helpers.json_lines import row, write_lines

needs_data = [pytest.mark.data, pytest.mark.skipif(not os.environ.get("DEHUSK_DATA"), reason="DEHUSK_DATA is not set")]

PAGES = {
    "wcxb-dev": 1358,
    "cleaneval": 739,
    "googletrends2017": 180,
    "canola": 208,
    "newspaper4k": 421,
    "fundus": 257,
    "daniel-dev": 836,
    "l3s-gn1": 621,
    "cleanportaleval": 71,
    "snippets-dev": 497,
}
# Locked: a page that changed sides would make every published figure incomparable.
TRAIN_AND_YARDSTICK = {
    "wcxb-dev": (1081, 277),
    "cleaneval": (46, 9),
    "googletrends2017": (61, 18),
    "canola": (169, 39),
    "newspaper4k": (339, 82),
    "fundus": (217, 40),
    "daniel-dev": (665, 171),
}
NEVER = [name for name, (_, train_splits) in SETS.items() if not train_splits]


def test_a_sample_depends_on_ids_and_seed_alone(tmp_path: Path) -> None:
    rows = [row(number) for number in range(50)]
    one = open_corpus(write_lines(tmp_path / "a.jsonl", *rows))
    two = open_corpus(write_lines(tmp_path / "b.jsonl", *reversed(rows)))

    def sample(corpus: Corpus, size: int, seed: int = 0) -> list[str]:
        return [page.id for page in corpus.pages(sample=size, seed=seed)]

    assert sample(one, 10) == sample(two, 10) == sample(one, 20)[:10]
    assert sample(one, 10) != sample(one, 10, seed=1)
    assert len(set(sample(one, 10))) == 10
    assert sorted(sample(one, 99)) == sorted(f"p{number}" for number in range(50))


def test_the_user_s_own_pages_have_a_yardstick_too(tmp_path: Path) -> None:
    corpus = open_corpus(write_lines(tmp_path / "a.jsonl", *map(row, range(200)), row(200, split="test")))
    counts = corpus.counts()
    assert counts["all"] == 201
    assert counts["never"] == 1
    assert 24 <= counts["yardstick"] <= 56
    assert [page.id for page in corpus.pages("test")] == ["p200"]
    assert len(list(corpus.pages("heldout"))) == counts["yardstick"] + counts["never"]
    assert all(in_yardstick(page.site) for page in corpus.pages("yardstick"))


def test_without_the_data_folder_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DEHUSK_DATA", raising=False)
    with pytest.raises(InputError, match="DEHUSK_DATA is not set; set it to"):
        open_corpus("wcxb-dev")
    monkeypatch.setenv("DEHUSK_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"wcxb-dev\.jsonl\.zst is missing; found no set at all; put"):
        open_corpus("wcxb-dev")


@pytest.mark.parametrize("name", ["nowhere", "nowhere/else.jsonl"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match=r"is neither a corpus .*cleaneval.* nor a file or folder"):
        open_corpus(name)


def test_wrong_arguments_are_named_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    with pytest.raises(UsageError, match="file of an unknown kind"):
        open_corpus(tmp_path / "a.csv")
    corpus = open_corpus(write_lines(tmp_path / "a.jsonl", row(1)))
    for part in ("training", "ncleaner674"):
        with pytest.raises(UsageError, match="has no part"):
            corpus.pages(part)
    with pytest.raises(UsageError, match="at least 1 page"):
        corpus.pages(sample=0)


def test_the_hash_follows_the_content(tmp_path: Path) -> None:
    one = open_corpus(write_lines(tmp_path / "a.jsonl", row(1))).sha256
    same = open_corpus(write_lines(tmp_path / "b.jsonl", row(1))).sha256
    other = open_corpus(write_lines(tmp_path / "c.jsonl", row(2))).sha256
    folder = open_corpus(tmp_path).sha256
    assert one == same != other
    assert len(folder) == 64
    assert folder not in (one, other)


class TestProjectSets:
    pytestmark = needs_data

    @pytest.mark.parametrize("name", SETS)
    def test_every_page_is_read_and_in_one_part(self, name: str) -> None:
        counts = open_corpus(name).counts()
        assert counts["all"] == PAGES[name]
        assert counts.total() == 2 * counts["all"]
        assert (counts["train"], counts["yardstick"]) == TRAIN_AND_YARDSTICK.get(name, (0, 0))

    @pytest.mark.parametrize(("train", "yardstick"), TRAIN_AND_YARDSTICK.values(), ids=TRAIN_AND_YARDSTICK)
    def test_about_a_fifth_is_yardstick(self, train: int, yardstick: int) -> None:
        assert 0.12 < yardstick / (train + yardstick) < 0.28

    def test_no_site_is_in_both_train_and_yardstick_of_any_sets(self) -> None:
        sites: dict[str, set[str]] = {"train": set(), "yardstick": set()}
        for corpus in map(open_corpus, TRAIN_AND_YARDSTICK):
            for page in corpus.pages():
                sites.setdefault(corpus.part_of(page), set()).add(page.site)
        assert len(sites["train"]) > 1000
        assert len(sites["yardstick"]) > 200
        assert not sites["train"] & sites["yardstick"]

    @pytest.mark.parametrize("name", NEVER)
    def test_sets_for_measuring_have_no_train_part(self, name: str) -> None:
        corpus = open_corpus(name)
        assert not corpus.trainable
        assert next(corpus.pages("train"), None) is None
        assert next(corpus.pages("yardstick"), None) is None

    @pytest.mark.parametrize(
        ("name", "split", "pages"),
        [
            ("cleaneval", "dev", 58),
            ("cleaneval", "test", 681),
            ("cleaneval", "ncleaner674", 674),
            ("googletrends2017", "split:train", 50),
            ("googletrends2017", "dev", 30),
            ("googletrends2017", "test", 100),
            ("googletrends2017", "never", 100),
        ],
    )
    def test_the_sets_own_splits_can_be_had(self, name: str, split: str, pages: int) -> None:
        assert sum(1 for _ in open_corpus(name).pages(split)) == pages

    def test_test_splits_and_their_twins_are_never_trained_on(self) -> None:
        cleaneval = open_corpus("cleaneval")
        assert all(page.split == "dev" and page.id != "dev/60" for page in cleaneval.pages("train"))
        assert all(page.split != "test" for page in open_corpus("googletrends2017").pages("train"))

    def test_known_empty_golds_are_empty_and_no_others(self) -> None:
        for name in ("cleaneval", "cleanportaleval"):
            for page in open_corpus(name).pages():
                assert page.gold is not None
                assert (not page.gold.strip()) == (page.defect == "the gold is empty"), page.id

    def test_plain_gold_is_what_the_set_says_it_is(self) -> None:
        for page in open_corpus("cleaneval").pages():
            assert page.gold is not None
            assert plain_gold(page.gold_marked or "").split() == page.gold.split(), page.id

    def test_labels_of_content_agree_with_the_gold(self) -> None:
        for page in open_corpus("googletrends2017").pages(sample=20):
            assert page.gold is not None
            assert page.labels is not None
            words = set(page.gold.split())
            kept = [word for text, boilerplate in page.labels if not boilerplate for word in text.split()]
            assert sum(word in words for word in kept) >= 0.9 * len(kept)

    def test_a_copy_keeps_the_rules_of_its_set(self) -> None:
        original = open_corpus("l3s-gn1")
        assert open_corpus(original.path) == original
