import pytest

from dehusk.metadata.authors import signature
from dehusk.metadata.line_prefixes import LinePrefixes
from dehusk.metadata.publication_dates import VisibleDates, labelled_dates
from testing.growth import FACTOR, LINEAR, exponent

LABELS = LinePrefixes(["by", "written by", "written", "公開日"])


@pytest.mark.parametrize("line", ["Written by Ann", "written by Ann", "WRITTEN BY Ann", "Written By Ann"])
def test_a_label_may_be_in_lower_case_upper_case_or_capitalised(line: str) -> None:
    assert [(found.text, found.label) for found in LABELS.lines(f"News\n{line}\nMore")] == [(line, 10)]


@pytest.mark.parametrize("line", ["wRITTEN by Ann", "Rewritten by Ann", " written by Ann", "writ", ""])
def test_other_lines_are_skipped(line: str) -> None:
    assert list(LABELS.lines(f"News\n{line}\nMore")) == []


def test_the_first_and_the_last_line_count_too() -> None:
    found = list(LABELS.lines("By Ann\nMore\nWritten"))
    assert [(line.text, line.following) for line in found] == [("By Ann", "More"), ("Written", "")]


def test_a_label_shorter_than_four_letters_is_found_before_other_words() -> None:
    assert [found.label for found in LABELS.lines("公開日：2024年5月2日")] == [3]


def test_a_page_full_of_labels_is_read_in_linear_time() -> None:
    def read(lines: int) -> None:
        assert signature("Written by\n" * lines) == ()
        assert labelled_dates("Posted on\n" * lines, day_first=False) == VisibleDates()

    assert exponent(lambda: read(25_000), lambda: read(25_000 * FACTOR)) < LINEAR
