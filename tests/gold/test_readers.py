"""Readers: JSON lines and folders become pages with gold."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from dehusk.errors import InputError
from dehusk.gold.corpora import open_corpus
from dehusk.gold.readers import plain_gold
from tests.helpers.json_lines import row, write_lines


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


def test_labels_are_inverted_so_that_1_is_boilerplate(tmp_path: Path) -> None:
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


def test_compressed_files_read_like_plain_ones(tmp_path: Path) -> None:
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
    assert not caplog.text  # the caller counts, and reports
    list(open_corpus(path).pages())
    assert "2 pages read, left out: 1 × blank line, 1 × block_labels" in caplog.text


def test_half_of_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
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
    with pytest.raises(InputError, match=r"is cut off after \d+ lines"):
        list(open_corpus(tmp_path / "a.jsonl.gz").pages())
    pytest.importorskip("zstandard")
    (tmp_path / "a.jsonl.zst").write_bytes(b"no zstd at all")
    with pytest.raises(InputError, match="is cut off after 0 lines"):
        list(open_corpus(tmp_path / "a.jsonl.zst").pages())


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


def test_tags_end_a_line_and_an_address_may_be_on_the_next_one() -> None:
    assert plain_gold("URL:\n http://a.org/\n a <l>b</l>  c\n\n") == "a\nb\nc"
    assert plain_gold("URL: \n<h>Title") == "Title"


def test_labels_in_the_markup_are_read_and_removed(tmp_path: Path) -> None:
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
    with pytest.raises(InputError, match=r"contains 1 files but no \.html; expected page\.html beside page\.txt"):
        list(open_corpus(tmp_path).pages())
