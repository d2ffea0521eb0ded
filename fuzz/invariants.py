"""What holds of every page and document, whatever the input: an invariant is a function that raises InvariantError."""

import re
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from dehusk import Blocks, Document, Page
from dehusk.block_locations import BlockLocations
from dehusk.characters import joins_words
from dehusk.scores import KINDS, LETTERS
from testing.readback import FORBIDDEN, markdown_text

# Control characters, line ends of all sorts and lone surrogates: no value of a field has them.
UNCLEAN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
REFERENCE: Final = re.compile(r"\[\^[\w-]+\](?!:)")


class InvariantError(AssertionError):
    """An invariant that does not hold; the message says what was found."""


def check(holds: object, message: str) -> None:
    """Raise `InvariantError` unless something holds.

    >>> check(1 == 2, "1 is not 2")
    Traceback (most recent call last):
    fuzz.invariants.InvariantError: 1 is not 2
    """
    if not holds:
        raise InvariantError(message)


def leaves_make_up_the_text(page: Page) -> None:
    """Leaves lie in order, with at most a blank or a line end between two, and cover the text."""
    spans = list(zip(page.leaves.start.tolist(), page.leaves.end.tolist(), strict=True))
    check(all(start < end for start, end in spans), "a leaf is empty")
    for (_, left), (right, _) in pairwise(spans):
        check(right - left in (0, 1), f"{right - left} characters lie between two leaves, at {left}")
        check(page.text[left:right] in ("", " ", "\n"), f"{page.text[left:right]!r} lies between two leaves, at {left}")
    edges = (spans[0][0], spans[-1][1]) if spans else (0, len(page.text))
    check(edges == (0, len(page.text)), f"the leaves cover {edges} of a text of {len(page.text)} characters")


def text_can_be_encoded(page: Page) -> None:
    """No lone surrogate is in the text."""
    check(not re.search("[\ud800-\udfff]", page.text), "a lone surrogate is in the text of the page")


def source_spans_read_as_their_leaf(page: Page) -> None:
    """The source of a leaf has its letters, wherever it has neither tags nor references."""
    spans = page.source_spans()
    check(len(spans) == len(page.leaves), f"{len(spans)} source spans for {len(page.leaves)} leaves")
    for start, end, span in zip(page.leaves.start.tolist(), page.leaves.end.tolist(), spans, strict=True):
        if span is None:
            continue
        check(0 <= span[0] <= span[1] <= len(page.html), f"the source span {span} lies outside of the page")
        source, text = page.html[slice(*span)], page.text[start:end]
        if "<" not in source and "&" not in source:
            same = "".join(text.split()) == "".join(source.split())
            check(same, f"the leaf {text[:60]!r} has the source {source[:60]!r}")


def blocks_lie_in_order(document: Document) -> None:
    """Blocks are disjoint, in document order, and each has text."""
    blocks = document.blocks
    check((blocks.start < blocks.end).all(), "a block is empty")
    check((blocks.end[:-1] <= blocks.start[1:]).all(), "blocks overlap or are out of order")
    # Sentences may share a leaf with the one before.
    check((blocks.first_leaf[1:] >= blocks.last_leaf[:-1] - 1).all(), "leaves of blocks are out of order")
    check(all(text.strip() for text in blocks.strings()), "a block is blank")


def blocks_lose_no_word(document: Document) -> None:
    """All words of the page are in blocks, unless there are too many blocks."""
    if document.blocks.complete:
        check(covered_words(document.blocks) == document.page.text.split(), "the blocks have other words than the page")


def covered_words(blocks: Blocks) -> list[str]:
    """Return the words of all blocks; those of text nodes may touch, and then end within a word."""
    touch = [False, *(blocks.end[:-1] == blocks.start[1:]).tolist()]
    gaps = ("" if close else " " for close in touch)
    return "".join(map("".join, zip(gaps, blocks.strings(), strict=False))).split()


# Text outside their target nodes has no score, on most pages.
PARTIAL = {"fiasco", "fiasco-visual"}


def scores_lie_between_0_and_1(document: Document) -> None:
    """Each block has one score, which is NaN only if the method says why, or judges parts of a page by definition."""
    values = document.scores.values
    check(len(values) == len(document.blocks), f"{len(values)} scores for {len(document.blocks)} blocks")
    unscored = np.isnan(values)
    check((unscored | ((values >= 0) & (values <= 1))).all(), "a score lies outside of 0..1")
    explained = document.scores.reason or document.scores.model in PARTIAL
    check(not unscored.any() or explained, "a block has no score and nobody says why")


def letters_agree_with_scores(document: Document) -> None:
    """A letter names the tenth that a score lies in, and projecting scores on their own blocks changes nothing."""
    scores = document.scores
    expected = ["-" if np.isnan(value) else LETTERS[min(int(value * 10), 9)] for value in scores.values.tolist()]
    check(
        scores.letters == "".join(expected), f"the letters are {scores.letters[:40]}, expected {''.join(expected)[:40]}"
    )
    projected = scores.project(document.blocks).values
    same = np.isclose(projected, scores.values, rtol=0, atol=1e-6, equal_nan=True)
    check(same.all(), "projected on the same blocks, the scores are others")


def whole_words_are_kept(document: Document) -> None:
    """What is kept lies in order, and no edge of it is inside of a word."""
    text = document.page.text
    edges = [edge for span in document.spans for edge in span]
    check(edges == sorted(edges), "the kept spans are out of order")
    check(not edges or (edges[0] >= 0 and edges[-1] <= len(text)), "a kept span lies outside of the text")
    for edge in edges:
        if 0 < edge < len(text):
            cut = joins_words(text[edge - 1]) and joins_words(text[edge])
            check(not cut, f"a word is cut in {text[max(0, edge - 20) : edge]!r}, {text[edge : edge + 20]!r}")


def kept_blocks_are_the_text(document: Document) -> None:
    """Where blocks do not cut words, the text has the words of those that are kept, and no others."""
    if document.spans != _kept_spans(document):
        return
    kept = zip(document.written().blocks.strings(), document.kept.tolist(), strict=True)
    expected = "".join("".join(text.split()) for text, keep in kept if keep)
    check("".join(document.text.split()) == expected, "the text has other words than the kept blocks")


def _kept_spans(document: Document) -> list[tuple[int, int]]:
    blocks, kept = document.blocks, document.kept
    return list(zip(blocks.start[kept].tolist(), blocks.end[kept].tolist(), strict=True))


def text_or_reason(document: Document) -> None:
    """Nothing is empty without a reason."""
    check(document.text.strip() or document.reason, "the text is empty, and so is the reason")
    check(not document.page.text or len(document.blocks) or document.reason, "a page with text has no blocks")


def metadata_is_clean(document: Document) -> None:
    """Fields have no control characters and no blanks around them; dates are dates and addresses absolute."""
    metadata = document.metadata
    for name in ("title", "site", "description", "url", "image", "language", "licence", "published", "modified"):
        value = getattr(metadata, name)
        if value is not None:
            _clean(name, value)
    for name in ("authors", "tags"):
        values = getattr(metadata, name)
        for value in values:
            _clean(name, value)
        check(len(set(values)) == len(values), f"metadata.{name} has {values} twice")
    for name in ("url", "image"):
        address = getattr(metadata, name)
        check(address is None or _is_absolute(address), f"metadata.{name} is not absolute: {address!r}")
    for name in ("published", "modified"):
        date = getattr(metadata, name)
        check(date is None or _is_date(date), f"metadata.{name} is no date: {date!r}")
    confidence = metadata.language_confidence
    check(confidence is None or 0 <= confidence <= 1, f"metadata.language_confidence is {confidence}")
    check(metadata.kind is None or metadata.kind in KINDS, f"metadata.kind is {metadata.kind!r}")


def _clean(name: str, value: str) -> None:
    check(value and value == value.strip(), f"metadata.{name} is empty or has blanks around it: {value!r}")
    check(not UNCLEAN.search(value), f"metadata.{name} has a control character: {value!r}")


def _is_absolute(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path))


def _is_date(text: str) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def chunks_lose_no_word(document: Document, count: int = 7) -> None:
    """The chunks have what Markdown has, once and in order, each where it says."""
    pieces = document.chunks(count)
    together, whole = "".join(shown_letters(chunk.text) for chunk in pieces), shown_letters(document.markdown())
    check(together == whole, f"chunks of {count} words: {_first_difference(together, whole)}")
    ends = [0, *(chunk.span[1] for chunk in pieces)]
    for chunk, before in zip(pieces, ends, strict=False):
        start, end = chunk.span
        check(before <= start <= end <= len(document.page.text), f"a chunk spans {chunk.span} after one up to {before}")
        check(chunk.text.strip(), "a chunk is blank")
        source = chunk.source or (0, 0)
        check(0 <= source[0] <= source[1] <= len(document.page.html), f"a chunk has the source {source}")


def shown_letters(text: str) -> str:
    """Return the characters that Markdown shows, without references to footnotes, which may be in another chunk."""
    # Something in its place, since a line that begins with `1988.[^1]` is no list: a sign of punctuation, as brackets
    # are, since that decides whether an asterisk next to it is markup.
    shown = "".join(words(markdown_text(REFERENCE.sub("\u205c", text)))).replace("\u205c", "")
    return REFERENCE.sub("", shown)  # code may look like one


def words(text: str) -> list[str]:
    """Return the words of a text; formats write a space or U+FFFD for a control character.

    >>> words("a\\x0bb\\x01c\ufffd")
    ['a', 'b', 'c']
    """
    return FORBIDDEN.sub(" ", text).replace("\ufffd", " ").split()


def _first_difference(found: str, expected: str) -> str:
    pairs = enumerate(zip(found, expected, strict=False))
    place = next((at for at, (left, right) in pairs if left != right), min(len(found), len(expected)))
    start = max(0, place - 20)
    return f"found {found[start : place + 20]!r}, expected {expected[start : place + 20]!r}"


def locations_lie_in_the_page(document: Document) -> None:
    """Each block has a path from the root or none, and a source span inside the page or none."""
    locations, size = BlockLocations(document.page, document.blocks), len(document.page.html)
    for number in range(min(len(document.blocks), 200)):
        path = locations.xpath(number) or "/"  # None where it would be too long
        check(path.startswith("/"), f"block {number} has the path {path[:60]!r}")
        start, end = locations.source(number) or (0, 0)
        check(0 <= start <= end <= size, f"block {number} has the source {(start, end)} in a page of {size}")


def same_result(first: Document, second: Document) -> None:
    """The same input gives the same text and the same scores."""
    check(first.text == second.text, "the same page gave another text")
    check(first.reason == second.reason, f"the same page gave the reasons {first.reason!r} and {second.reason!r}")
    same = np.array_equal(first.scores.values, second.scores.values, equal_nan=True)
    check(same, "the same page gave other scores")


PAGE: Final[tuple[Callable[[Page], None], ...]] = (
    leaves_make_up_the_text,
    text_can_be_encoded,
    source_spans_read_as_their_leaf,
)
DOCUMENT: Final[tuple[Callable[[Document], None], ...]] = (
    blocks_lie_in_order,
    blocks_lose_no_word,
    scores_lie_between_0_and_1,
    letters_agree_with_scores,
    whole_words_are_kept,
    kept_blocks_are_the_text,
    text_or_reason,
    metadata_is_clean,
    locations_lie_in_the_page,
)
