"""The data island of a report: a page's text, its elements and the cuts of its methods, as columns in JSON.

The text is there once, since every method cuts the same string. The browser works out the path of a block when someone
looks at it: the parents and tags of all elements take less space than the paths of all blocks.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, Kind
from dehusk.characters import WORD_CLASSES
from dehusk.document import Document
from dehusk.fast_spans import count_words, edge_elements
from dehusk.formats.fast_rows import json_string
from dehusk.formats.xml import xml_safe
from dehusk.page import Page
from dehusk.selection import COMMENTS, NO_TABLES, decided_by_rule
from dehusk.selection.headline import find_headline, rows, rows_saying
from dehusk.selection.tables import in_tables
from dehusk.whole_words import cut_words, span_columns

Ints = NDArray[np.integer[Any]]
LABELS: Final = [kind.label for kind in Kind]


def words_of(blocks: Blocks) -> Ints:
    """Return how many words each block has.

    >>> words_of(Blocks.of(("Home", 4), ("A plain sentence.", 0)))
    array([1, 3], dtype=int32)
    """
    words = np.empty(len(blocks), np.int32)
    count_words(blocks.text, *span_columns(blocks), WORD_CLASSES, words)
    return words


def data_island(documents: Sequence[Document], words: Sequence[Ints]) -> str:
    r"""Return the JSON of documents of one page, safe inside a `script` element; `words` are those of their blocks.

    >>> from dehusk import extract
    >>> document = extract("<pre>&lt;/script>", method="alltext")
    >>> data_island([document], [words_of(document.blocks)])[:33]
    '{"text":"\\u003c/script>","tags":"'
    """
    page = documents[0].page
    record = {
        "kinds": LABELS,
        "title": _title(documents[0]),
        "cuts": [_cut(document, counts) for document, counts in zip(documents, words, strict=True)],
    }
    # The long strings have little to escape, which the json module takes its time to find out.
    text, tags = json_string(page.text), json_string(" ".join(page.elements.tag))
    others = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    whole = f'{{"text":{text},"tags":{tags},"parents":"{_packed(page.elements.parents)}",{others[1:]}'
    # Without "<" nothing can end the element or open a comment in it.
    return whole.replace("<", "\\u003c")


def _title(document: Document) -> dict[str, str] | None:
    """Return the title that the clean text begins with, and the blocks that make it needless if one of them is kept."""
    headline = find_headline(document.page, document.kind) if document.selection.adds_title else None
    if headline is None:
        return None
    return {"text": xml_safe(headline.title), "said": _packed(np.array(rows_saying(document.blocks, headline)))}


def _cut(document: Document, words: Ints) -> dict[str, Any]:
    blocks, scores, text = document.blocks, document.scores, document.page.text
    kinds, levels = blocks.kinds()
    first, last = _edge_elements(document.page, blocks)
    rules = _rules(document)
    fixed = np.array(list(rules), np.intp)
    held, barred = fixed[document.kept[fixed]], fixed[~document.kept[fixed]]
    units = _units(text)
    return {
        "name": xml_safe(scores.model),
        "threshold": document.threshold,
        "start": _packed(units(blocks.start)),
        "end": _packed(units(blocks.end)),
        "score": b64encode(scores.values.astype("<f8").tobytes()).decode(),
        "kind": _packed(kinds),
        "level": _packed(levels),
        "words": _packed(words),
        "first": _packed(first),
        "last": _packed(last),
        "hidden": _packed(np.flatnonzero(blocks.hidden)),
        "comments": "" if scores.comments is None else _packed(np.flatnonzero(scores.comments)),
        "held": _packed(held),  # kept at any threshold
        "barred": _packed(barred),  # dropped at any threshold
        "rules": rules,
        "torn": _packed(units(np.array(cut_words(blocks), np.int32))),
        "because": document.because and [[xml_safe(fact) for fact in facts] for facts in document.because],
    }


def _rules(document: Document) -> dict[int, str]:
    """Return the blocks that no threshold moves, by index, and the rule that decided on each."""
    blocks, scores, selection = document.blocks, document.scores, document.selection
    rules = dict[int, str]()
    if selection.comments and scores.comments is not None:
        rules |= dict.fromkeys(np.flatnonzero(scores.comments).tolist(), COMMENTS)
    if not selection.tables:
        rules |= dict.fromkeys(np.flatnonzero(in_tables(blocks)).tolist(), NO_TABLES)
    # The rules are run again only if one of them has changed something.
    if not np.array_equal(document.kept, ~(scores.values >= document.threshold)):
        rules |= decided_by_rule(blocks, scores, document.threshold, selection)
    if selection.headline != "auto" and document.kept.any():
        headline = find_headline(document.page, document.kind)
        indexes = rows(blocks, headline.span) if headline and headline.span else range(0)
        rules |= dict.fromkeys(indexes, f"it is the headline (--headline {selection.headline})")
    return rules


def _packed(column: Ints) -> str:
    """Return integers in the form of the browser's typed arrays, which costs next to nothing on both sides."""
    return b64encode(column.astype("<i4").tobytes()).decode()


def _units(text: str) -> Callable[[Ints], Ints]:
    """Return a function from code points to the UTF-16 units of the browser, where some characters count as two."""
    if text.isascii() or len(text.encode("utf-16-le")) == 2 * len(text):
        return lambda offsets: offsets
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    before = np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF))))
    return lambda offsets: before[offsets]


def _edge_elements(page: Page, blocks: Blocks) -> tuple[Ints, Ints]:
    """Return the first and the last element that each block's leaves are in, the root for a block without leaves."""
    firsts, lasts = np.empty(len(blocks), np.int32), np.empty(len(blocks), np.int32)
    first, last = (np.ascontiguousarray(column, np.int32) for column in (blocks.first_leaf, blocks.last_leaf))
    edge_elements(page.leaves.element, first, last, firsts, lasts)
    return firsts, lasts
