"""What `extract`, `extract_file` and `Extractor` take, and what they say about what they cannot take."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import dehusk
from dehusk import Blocks, DehuskError, Extractor, InputError, Limits, Page, Scores, UsageError
from dehusk.blocks import cut
from dehusk.extractor import FAVOUR
from dehusk.models.registry import METHODS
from tests.helpers.plugins import LONG, PAGE

HTML = b"<title>Rain</title><h1>Rain</h1><p>It rained all day, and nobody went out.<table><tr><th>a<th>b<tr><td>c<td>d"
COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}


def test_extract_takes_the_options_of_an_extractor() -> None:
    assert dehusk.extract(HTML, method="alltext", tables=False).text == "Rain\nIt rained all day, and nobody went out."
    assert str(dehusk.extract(HTML, method="alltext", min_length=1000).reason).startswith("too short")
    assert dehusk.extract(HTML, explain=True).because
    assert dehusk.extract(HTML, threshold=0.1).threshold == 0.1


@pytest.mark.parametrize("favour", FAVOUR)
def test_favour_sets_the_threshold(favour: str) -> None:
    document = dehusk.extract(HTML, favour=favour)  # type: ignore[arg-type]
    assert document.threshold == FAVOUR[favour]
    extractor = Extractor(favour=favour)  # type: ignore[arg-type]
    assert extractor.threshold == FAVOUR[favour]
    assert replace(extractor, method="bte").threshold == FAVOUR[favour]
    assert extractor.by("bte").threshold == FAVOUR[favour]


def test_favour_and_threshold_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="threshold and favour both set the threshold; give one of them"):
        dehusk.extract(HTML, threshold=0.4, favour="recall")
    with pytest.raises(UsageError, match="favour must be 'precision' or 'recall', got 'speed'"):
        dehusk.extract(HTML, favour="speed")  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", ["", *COMPRESSED])
def test_a_file_is_read_plain_or_compressed(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"page.html{suffix}"
    path.write_bytes(COMPRESSED.get(suffix, bytes)(HTML))
    for given in (path, str(path)):
        document = dehusk.extract_file(given, method="alltext", url="https://example.org/", tables=False)
        assert document.text == "Rain\nIt rained all day, and nobody went out."
        assert document.page.url == "https://example.org/"


def test_a_file_has_a_charset_and_limits(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<p>größer".encode("latin-1"))
    assert dehusk.extract_file(path, method="alltext", charset="latin-1").text == "größer"
    extractor = Extractor("alltext", limits=Limits(bytes=5))
    assert str(extractor.extract_file(path).reason) == "too large: more than 5 bytes"


def test_a_file_that_is_missing_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file: '.*missing.html'; expected the path of a page"):
        dehusk.extract_file(tmp_path / "missing.html")
    with pytest.raises(InputError, match=r"cannot read '.*': Is a directory"):
        dehusk.extract_file(tmp_path)


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_damaged_file_says_so(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"page.html{suffix}"
    path.write_bytes(HTML)
    with pytest.raises(InputError, match=r"cannot read '.*': .*; expected a page, plain or compressed"):
        dehusk.extract_file(path)


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_file_that_is_cut_off_says_so(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"page.html{suffix}"
    path.write_bytes(COMPRESSED[suffix](HTML)[:-12])
    with pytest.raises(InputError, match="ended before the end-of-stream marker"):
        dehusk.extract_file(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "", "\ud800"])
def test_an_odd_name_is_an_input_error(name: str) -> None:
    with pytest.raises(InputError):
        dehusk.extract_file(name)


def test_the_name_of_a_file_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_bytes(HTML)
    monkeypatch.chdir(tmp_path)
    message = "'page.html' is the name of a file, expected a page; use extract_file"
    for source in ("page.html", Path("page.html")):
        with pytest.raises(UsageError, match=message):
            dehusk.extract(source, method="alltext")  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=message):
            Extractor("alltext").extract(source)  # type: ignore[arg-type]
    assert dehusk.extract(Page.from_html("page.html"), method="alltext").text == "page.html"
    assert dehusk.extract("<p>page.html", method="alltext").text == "page.html"
    assert dehusk.extract("page.html\n", method="alltext").text == "page.html"


@pytest.mark.parametrize("text", ["a\0b", "x" * 300, "x" * 5000, "/" * 4000, "\ud800", "", ".", "~", "no file"])
def test_any_other_string_is_a_page(text: str) -> None:
    try:
        dehusk.extract(text, method="alltext")
    except DehuskError as error:
        pytest.fail(f"{text[:20]!r}: {error}")


class Numbers:
    """A method that gives what it is told to give."""

    name = "numbers"

    def __init__(self, values: Any = None, scores: Any = Scores) -> None:
        self.values, self.scores = values, scores

    def segment(self, page: Page) -> Blocks:
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Any:
        return self.scores(blocks, self.values, self.name)


@pytest.mark.parametrize(
    ("method", "problem"),
    [
        (Numbers, "expected a method, got the class Numbers; make an object of it"),
        (METHODS["bte"], r"expected a method, an object with name, segment and score, got Entry\(name='bte'"),
        (None, "expected a method, an object with name, segment and score, got None"),
        (Numbers(np.zeros(5)), "numbers gave 5 scores for 2 blocks"),
        (Numbers(np.zeros((2, 2))), "numbers gave 2 × 2 scores for 2 blocks"),
        (Numbers([0.0, 1.0]), r"numbers gave its scores as \[0.0, 1.0\], expected an array of numbers"),
        (Numbers(np.array(["a", "b"])), "numbers gave its scores as array.*, expected an array of numbers"),
        (Numbers(scores=lambda *_: None), "method 'numbers' gave NoneType, expected Scores"),
    ],
)
def test_a_method_of_ones_own_that_is_none_is_a_clear_error(method: Any, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        dehusk.extract(PAGE, method=method)


def test_a_block_without_a_score_among_others_is_kept() -> None:
    document = dehusk.extract(PAGE, method=Numbers(np.array([1.0, np.nan])))
    assert (document.text, document.failed, document.reason) == (LONG, False, None)
