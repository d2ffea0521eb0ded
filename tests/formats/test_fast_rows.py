"""JSON rows are what the standard library would write, compiled and as plain Python."""

import json
import re
from json.encoder import encode_basestring

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.fast_spans import joined
from dehusk.formats import fast_rows
from tests.helpers.compiled import uncompiled

both = pytest.mark.parametrize("module", [fast_rows, uncompiled(fast_rows)], ids=["compiled", "source"])


@both
@given(text=st.text(st.characters(codec=None) | st.sampled_from('"\\\n\t\x00é\u2028\ud800')))
def test_a_string_is_quoted_as_json_has_it(module: object, text: str) -> None:
    assert module.json_string(text) == encode_basestring(text)  # type: ignore[attr-defined]


@both
@pytest.mark.parametrize(
    "record",
    [
        {},
        {"a": None, "b": 'x "y"\n', "c": ("p", "é"), "d": (), "e": {"f": "g", "h": "\x00"}, "i": {}},
        {"a": 0.5, "b": 1e-7, "c": 1, "d": True, "e": [1, {"f": None}]},
        {"a": np.float64(0.25)},
    ],
)
def test_members_are_written_as_the_library_writes_them(module: object, record: dict[str, object]) -> None:
    assert f"{{{module.json_members(record)}}}" == json.dumps(record, ensure_ascii=False)  # type: ignore[attr-defined]


@both
def test_the_flags_of_a_block_are_looked_up(module: object) -> None:
    table = [[[f"{kept}{comment}{hidden}" for hidden in "01"] for comment in "012"] for kept in "01"]
    kept, comments, hidden = b"\x01\x00\x01", b"\x00\x01\x00", b"\x00\x00\x01"
    assert module.block_flags([0, 1, 2], kept, comments, hidden, table) == ["100", "010", "101"]  # type: ignore[attr-defined]
    assert module.block_flags([2, 0], kept, b"", hidden, table) == ["121", "120"]  # type: ignore[attr-defined]


@both
def test_escaped_blocks_are_joined_to_the_whole_text(module: object) -> None:
    text = 'One "two"\nthree  four'
    starts, ends = np.array([0, 4, 10, 17], np.int32), np.array([3, 9, 15, 21], np.int32)
    blocks = module.escaped_blocks(text, [0, 1, 3], starts, ends)  # type: ignore[attr-defined]
    assert blocks == ["One", '\\"two\\"', "four"]
    spans = [(0, 3), (4, 9), (17, 21)]
    whole = module.joined_blocks(text, spans, blocks, [0, 1, 3], starts, ends)  # type: ignore[attr-defined]
    assert json.loads(f'"{whole}"') == joined(text, spans) == 'One "two"\nfour'
    assert module.joined_blocks(text, spans[:2], blocks, [0, 1, 3], starts, ends) is None  # type: ignore[attr-defined]
    spans[1] = (4, 8)
    assert module.joined_blocks(text, spans, blocks, [0, 1, 3], starts, ends) is None  # type: ignore[attr-defined]


@both
@given(
    value=st.floats(0, 1)
    | st.integers(0, 20000).map(lambda number: number / 20000)
    | st.integers(0, 10000).map(lambda number: float(np.nextafter(number / 10000 + 0.00005, 0)))
)
def test_scores_have_the_decimals_that_python_gives_them(module: object, value: float) -> None:
    assert module.decimals(value) == f"{value:.4f}"  # type: ignore[attr-defined]


@both
def test_what_was_not_scored_has_no_letter(module: object) -> None:
    columns = np.array([0, 2], np.int32), np.array([1, 3], np.int32), np.array([np.nan, 1.0])
    rows = module.json_rows(["a", "b"], [0, 1], *columns, ['"m": 1'] * 2, ['"k": 2'] * 2, ["", ', "x": 3'])  # type: ignore[attr-defined]
    first, last = map(json.loads, rows)
    assert (first["score"], first["letter"]) == (None, "-")
    assert (last["text"], last["score"], last["letter"], last["x"]) == ("b", 1.0, "j", 3)


@both
@given(text=st.text(st.sampled_from("ab <p>\n\t\u00a0é")))
def test_a_line_of_cleaneval_has_single_blanks_and_no_tag(module: object, text: str) -> None:
    tag = re.compile("<(?=p>)")
    line = module.cleaneval_line(text, tag)  # type: ignore[attr-defined]
    collapsed = " ".join(text.split()) if "  " in text or not text.isprintable() else text
    assert line == collapsed.replace("<p>", "< p>")
    assert module.cleaneval_lines(text, [(0, (0, len(text)))], [1 << 8 | 1], ["<p>", "<h>"], tag) == [f"<h>{line}"]  # type: ignore[attr-defined]
