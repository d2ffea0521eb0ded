import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from dehusk.errors import InputError, UsageError
from dehusk.gold.corpora import SETS, Corpus, in_yardstick, open_corpus, plain_gold, site_of

needs_data = [
    pytest.mark.data,
    pytest.mark.skipif(not os.environ.get("DEHUSK_DATA"), reason="DEHUSK_DATA is not set"),
]

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
YARDSTICK_OF_40 = [4, 6, 16, 17, 20, 24, 26, 29, 30, 34, 39]
NEVER = [name for name, (_, train_splits) in SETS.items() if not train_splits]


def write_lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(page_id: int, **more: object) -> dict[str, object]:
    return {"id": f"p{page_id}", "url": f"http://site{page_id}.org/", "html": f"<p>{page_id}", "gold": "x", **more}


# ── JSON lines ──


def test_json_lines_give_every_field(tmp_path: Path) -> None:
    fields = {
        "id": 7,
        "split": "dev",
        "url": "http://a.org/x",
        "lang": "en-US",
        "page_type": "forum",
        "title": "T",
        "author": ["Ada", "Bo"],
        "date": "2024-01-02",
        "html": "<p>It rained.</p>",
        "gold": "It rained.",
        "gold_marked": "<p>It rained.",
        "with": ["rained"],
        "without": ["Home"],
    }
    (page,) = open_corpus(write_lines(tmp_path / "mine.jsonl", fields)).pages()
    assert (page.corpus, page.id, page.split, page.url, page.site) == ("mine", "7", "dev", "http://a.org/x", "a.org")
    assert (page.language, page.kind, page.title, page.author) == ("en", "forum", "T", "Ada, Bo")
    assert (page.date, page.html, page.gold) == ("2024-01-02", "<p>It rained.</p>", "It rained.")
    assert (page.gold_marked, page.wanted, page.unwanted) == ("<p>It rained.", ("rained",), ("Home",))


def test_gold_may_be_called_text(tmp_path: Path) -> None:
    (page,) = open_corpus(write_lines(tmp_path / "a.jsonl", {"html": "<p>a", "text": "a"})).pages()
    assert page.gold == "a"


def test_labels_are_turned_round_so_that_1_is_boilerplate(tmp_path: Path) -> None:
    labels = [["Home", 0], ["It rained.", 1], ["All day.", 1]]
    (page,) = open_corpus(write_lines(tmp_path / "a.jsonl", {"html": "<p>", "block_labels": labels})).pages()
    assert page.labels == (("Home", 1), ("It rained.", 0), ("All day.", 0))
    assert page.gold == "It rained.\nAll day."


def test_pages_with_snippets_alone_have_no_gold(tmp_path: Path) -> None:
    (page,) = open_corpus(write_lines(tmp_path / "a.jsonl", {"html": "<p>", "with": ["a"], "without": []})).pages()
    assert page.gold is None
    assert page.wanted == ("a",)


def test_an_empty_gold_is_a_gold(tmp_path: Path) -> None:
    (page,) = open_corpus(write_lines(tmp_path / "a.jsonl", {"html": "<p>", "gold": ""})).pages()
    assert page.gold == ""


def test_packed_files_read_like_plain_ones(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    plain = write_lines(tmp_path / "a.jsonl", row(1), row(2, gold="Zeile\u2028zwei"))
    data = plain.read_bytes()
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(data))
    halves = data.splitlines(keepends=True)
    (tmp_path / "a.jsonl.zst").write_bytes(b"".join(zstandard.compress(half) for half in halves))
    expected = list(open_corpus(plain).pages())
    assert len(expected) == 2
    assert list(open_corpus(tmp_path / "a.jsonl.gz").pages()) == expected
    assert list(open_corpus(tmp_path / "a.jsonl.zst").pages()) == expected


def test_lines_that_cannot_be_used_are_counted_by_reason(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "a.jsonl"
    good = [json.dumps(row(number)) for number in (1, 2)]
    bad_labels = json.dumps({"html": "<p>", "block_labels": [["a", 2]]})
    bad = ["", "{half", "[" * 100_000, "3", '{"gold": "no page"}', '{"html": "no gold"}', good[0], bad_labels]
    path.write_text("\n".join([good[0], *bad, good[1]]), encoding="utf-8")
    skipped: Counter[str] = Counter()
    assert [page.id for page in open_corpus(path).pages(skipped=skipped)] == ["p1", "p2"]
    assert skipped == {
        "blank line": 1,
        "line is not JSON": 2,
        "line has no html": 2,
        "line has no gold": 1,
        "id seen before": 1,
        "block_labels are not pairs of text and 0 or 1": 1,
    }
    assert not caplog.text  # who counts tells
    list(open_corpus(path).pages())
    assert "2 pages read, left out: 1 × blank line, 1 × block_labels" in caplog.text


def test_half_a_surrogate_pair_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "\\ud800", "html": "<p>", "gold": "a \\udc00"}', encoding="utf-8")
    (page,) = open_corpus(path).pages("all", sample=1)
    assert page.gold is not None
    assert (page.id + page.gold).encode()


def test_a_page_without_id_keeps_its_name_when_lines_move(tmp_path: Path) -> None:
    rows = [{"html": "<p>a", "gold": "a"}, {"html": "<p>b", "gold": "b"}]
    one = {page.id: page.gold for page in open_corpus(write_lines(tmp_path / "a.jsonl", *rows)).pages()}
    two = {page.id: page.gold for page in open_corpus(write_lines(tmp_path / "b.jsonl", *reversed(rows))).pages()}
    assert one == two


def test_a_damaged_file_says_where_it_breaks_off(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", *map(row, range(2000)))
    packed = gzip.compress((tmp_path / "a.jsonl").read_bytes())
    (tmp_path / "a.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=r"breaks off after \d+ lines"):
        list(open_corpus(tmp_path / "a.jsonl.gz").pages())
    pytest.importorskip("zstandard")
    (tmp_path / "a.jsonl.zst").write_bytes(b"no zstd at all")
    with pytest.raises(InputError, match="breaks off after 0 lines"):
        list(open_corpus(tmp_path / "a.jsonl.zst").pages())


# ── folders ──


def test_a_page_goes_with_the_text_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.html").write_bytes("<p>Käse".encode("latin-1"))
    (tmp_path / "a.txt").write_bytes("Käse".encode("cp1252"))
    (tmp_path / "sub" / "a.htm").write_bytes(b"<p>Other")
    (tmp_path / "sub" / "a.txt").write_bytes(b"\xef\xbb\xbfOther")
    (tmp_path / "lonely.html").write_bytes(b"<p>no gold")
    (tmp_path / "README.txt").write_bytes(b"no page")
    skipped: Counter[str] = Counter()
    pages = {page.id: page for page in open_corpus(tmp_path).pages(skipped=skipped)}
    assert {page_id: page.gold for page_id, page in pages.items()} == {"a": "Käse", "sub/a": "Other"}
    assert pages["a"].html == b"<p>K\xe4se"
    assert pages["a"].gold_marked is None
    assert skipped == {"page without gold": 1, "gold without a page": 1}


@pytest.mark.parametrize(
    ("page_file", "gold_file", "page_id", "split"),
    [
        ("en_original/7.html", "en_cleaned/7-cleaned.txt", "7", "all"),
        ("dev/en_original/7.html", "dev/en_cleaned/7-cleaned.txt", "dev/7", "dev"),
        ("finalrun-input/7.html", "GoldStandard/7.txt", "7", "all"),
        ("test/input/7.html", "test/GoldStandard/7.txt", "test/7", "test"),
        ("orig/7.html", "clean/7.txt", "7", "all"),
        ("HTML/7.html", "Corrected/7.html.corrected.txt", "7", "all"),
        ("7.html", "7-cleaned.txt", "7", "all"),
    ],
)
def test_cleanevals_layouts_are_known(tmp_path: Path, page_file: str, gold_file: str, page_id: str, split: str) -> None:
    for name, text in ((page_file, "<p>It rained."), (gold_file, "URL: http://a.org/\n\n<h>Rain\n\n<p>It\n   rained.")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (page,) = open_corpus(tmp_path).pages()
    assert (page.id, page.split, page.url, page.gold) == (page_id, split, "http://a.org/", "Rain\nIt\nrained.")
    assert page.gold_marked is not None
    assert page.gold_marked.startswith("URL: http://a.org/\n\n<h>Rain")


def test_marks_end_a_line_and_an_address_may_stand_on_the_next_one() -> None:
    assert plain_gold("URL:\n http://a.org/\n a <l>b</l>  c\n\n") == "a\nb\nc"
    assert plain_gold("URL: \n<h>Title") == "Title"


def test_labels_in_the_markup_are_read_and_taken_out(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<html><head><title>Site</title><script>var a = 1</script></head><body>"
        '<nav><span __boilernet_label="0">Home</span><br></nav>'
        "<div __boilernet_label='1' id=x><p>It <b>rained</b>"
        "<p><span __boilernet_label=0>Share</span> all &amp; day.</div>"
        "<footer>\n Imprint</footer></body></html>",
        encoding="utf-8",
    )
    (page,) = open_corpus(tmp_path).pages()
    assert page.labels == (
        ("Site", 1),
        ("Home", 1),
        ("It", 0),
        ("rained", 0),
        ("Share", 1),
        ("all & day.", 0),
        ("Imprint", 1),
    )
    assert page.gold == "It\nrained\nall & day."
    assert isinstance(page.html, bytes)
    assert b"boilernet" not in page.html
    assert b"<div id=x><p>It <b>rained</b><p><span>Share</span>" in page.html


def test_a_folder_without_pages_says_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").touch()
    with pytest.raises(InputError, match=r"holds 1 files but no \.html; expected page\.html beside page\.txt"):
        list(open_corpus(tmp_path).pages())


# ── parts and samples ──


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


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://WWW.Example.org:8080/a?b", "example.org"),
        ("http://news.sina.com.hk/x", "sina.com.hk"),
        ("http://abcnews.go.com/", "go.com"),
        ("http://t.co/x", "t.co"),
        ("http://www.co.uk/", "co.uk"),
        ("http://localhost/x", "localhost"),
        ("http://192.168.0.1/x", "192.168.0.1"),
        ("http://[broken", "the-id"),
        ("no address", "the-id"),
        ("", "the-id"),
    ],
)
def test_a_site_is_the_registrable_part_of_the_host(url: str, site: str) -> None:
    assert site_of(url, "the-id") == site


def test_the_yardstick_stays_as_it_is() -> None:
    sites = [f"site{number}.org" for number in range(40)]
    assert [number for number, site in enumerate(sites) if in_yardstick(site)] == YARDSTICK_OF_40


# ── errors ──


def test_without_the_data_folder_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DEHUSK_DATA", raising=False)
    with pytest.raises(InputError, match="DEHUSK_DATA is not set; set it to"):
        open_corpus("wcxb-dev")
    monkeypatch.setenv("DEHUSK_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"wcxb-dev\.jsonl\.zst is not there; found no set at all; put"):
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


# ── the project's sets ──


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
