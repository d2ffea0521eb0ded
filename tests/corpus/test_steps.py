"""Each step marks what it rejects with a reason, and adds what it measures."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk import Extractor, Limits
from dehusk.corpus import fast_shape, steps, work
from dehusk.corpus.badness import badness, profiles, score, train
from dehusk.corpus.case import Case
from dehusk.corpus.columns import SCHEMA, as_batch, read_stage
from dehusk.corpus.files import PartFiles
from dehusk.corpus.parts import Part
from dehusk.corpus.settings import Extraction, Languages, Quality, RecordSettings, Settings, TextSettings
from dehusk.corpus.shingles import word_hashes
from dehusk.corpus.steps import extraction
from dehusk.corpus.steps.quality import ENDS, MARKS, shape
from dehusk.corpus.steps.text import edited
from dehusk.corpus.tasks import PartTask
from dehusk.reasons import Code, Reason
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from tests.helpers.articles import article
from tests.helpers.compiled import uncompiled

FAST = Settings(extraction=Extraction(method="bte"))


def judged(html: str | bytes = b"", settings: Settings = FAST, problem: Reason | None = None, **facts: Any) -> Case:
    record = Record("a.warc", 7, **{"status": 200, "type": "text/html", **facts})
    return steps.run(Case(RawPage("a.warc:7", html, "https://example.org/a", problem=problem, record=record)), settings)


def test_the_documentation_has_the_steps_in_order_with_their_codes() -> None:
    text = (
        (Path(__file__).parents[2] / "docs/corpus.md")
        .read_text(encoding="utf-8")
        .partition("## The chain")[2]
        .partition("\n\n## ")[0]
    )
    rows = [line.strip("| ").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    documented = [(row[0].strip(), tuple(re.findall(r"`([\w-]+)`", row[2] if len(row) > 2 else ""))) for row in rows]
    assert documented[: len(steps.CHAIN)] == [(step.name, step.codes) for step in steps.CHAIN]


def test_a_record_is_rejected_only_with_a_code_of_the_step() -> None:
    strict = replace(FAST, language=Languages(keep=("de",)), quality=Quality(min_characters=10**6))
    for page, settings in ((article(1), strict), (article(1), replace(strict, language=Languages())), (b"", FAST)):
        case = Case(RawPage("a.warc:7", page, record=Record("a.warc", 7, status=200, type="text/html")))
        for step in steps.CHAIN:
            after = step.run(case, settings)
            assert after.reason is case.reason or (after.reason and after.reason.code in step.codes)
            case = after
        assert case.reason


MISTAKES: dict[str, tuple[Callable[[Case], Any], str]] = {
    "raises": (lambda case: 1 // 0, "ZeroDivisionError: integer division or modulo by zero"),
    "returns nothing": (lambda case: None, "TypeError: expected a Case, got None"),
    "a string for a reason": (
        lambda case: case.reject("spam"),  # type: ignore[arg-type]
        "TypeError: expected a Reason to reject a record, got 'spam'",
    ),
    "a reason without its figures": (
        lambda case: case.reject(Reason(Code.SHAPE, "odd")),
        "ValueError: expected a number for `limit` of shape ('{detail} {seen:.4g}, limit {limit:g}'), got None",
    ),
    "no text": (lambda case: case.with_columns(text=7), "TypeError: column text: expected a string, got 7"),
}


def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: Callable[[Case], Any]) -> dict[str, Any]:
    """Return the row of a page that goes through the chain and a step that makes a mistake."""
    monkeypatch.setattr(work, "limit_time", lambda seconds: None)  # this process goes on
    odd = steps.CorpusStep("odd", lambda case, settings: function(case))
    monkeypatch.setattr(steps, "CHAIN", (*steps.CHAIN, odd))
    page = tmp_path / "a.html"
    page.write_text(article(1))
    work.perform((FAST, str(tmp_path)), PartTask(Part(0, "page", (str(page),))))
    (batch,) = read_stage(PartFiles(tmp_path, 0).rows)
    (row,) = batch.to_pylist()
    return dict(row)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_a_step_costs_the_record_and_names_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    function, detail = MISTAKES[mistake]
    row = stored(tmp_path, monkeypatch, function)
    assert (row["reason_code"], row["reason"]) == ("failed", f"failed: step odd: {detail}")


@pytest.mark.parametrize("value", ["many", 10**20, 10**12, ["many"]], ids=str)
def test_a_column_of_a_wrong_type_is_named(value: object) -> None:
    with pytest.raises(TypeError, match=r"^column characters: expected int32: "):
        as_batch([{"characters": 7}, {"characters": value}])


def test_every_column_that_a_step_adds_is_in_the_schema() -> None:
    settings = replace(FAST, quality=Quality(max_perplexity=10**6), language=Languages(blocks=True))
    assert set(judged(article(1), settings, ip="192.0.2.7").columns) <= set(SCHEMA.names)


def code_of(case: Case) -> str | None:
    return case.reason.code if case.reason else None


def test_a_good_page_is_kept_with_all_that_is_known_of_it() -> None:
    case = judged(article(1))
    columns = case.columns
    assert case.reason is None
    assert (columns["title"], columns["language"], columns["host"]) == ("Story 1", "en", "example.org")
    assert (columns["file"], columns["offset"], columns["status"]) == ("a.warc", 7, 200)
    assert columns["characters"] == len(columns["text"]) > 3000
    assert columns["badness"] < 20
    blocks = columns["blocks"]
    start, length = int(blocks.start[2]), int(blocks.length[2])
    assert columns["page_text"][start : start + length] == "Story 1"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kind": "request"}, "not a response: request"),
        ({"status": 404}, "the server answered 404 Not Found"),
        ({"status": 799}, "the server answered 799 (unknown)"),
        ({"type": "image/png"}, "another content type: image/png"),
        ({"problem": Reason(Code.DAMAGED, "x")}, "damaged: x"),
        ({"problem": Reason(Code.TRUNCATED, limit=2, seen=1)}, "cut off: 1 of 2 bytes"),
        ({"problem": Reason(Code.WRONG_LENGTH, "x")}, "wrong length: x"),
        ({"problem": Reason(Code.INVALID_RECORD, "not JSON: x")}, "not JSON: x"),
        ({"html": b"%PDF-1.4"}, "not a page: PDF"),
        ({"html": ""}, "too small: 0 bytes, fewer than 1"),
        ({"html": "<p>Hello there."}, "too short: 12 characters, fewer than 200"),
        ({"html": "<title>x</title>"}, "no text"),
        ({"problem": Reason(Code.DAMAGED, "x"), "kind": "request", "status": 404}, "damaged: x"),  # the first counts
    ],
)
def test_other_records_have_a_reason(options: dict[str, Any], sentence: str) -> None:
    assert str(judged(**{"html": article(1), **options}).reason) == sentence


@pytest.mark.parametrize(
    ("settings", "code", "limit"),
    [
        (replace(FAST, language=Languages(keep=("de", "fr"))), Code.OTHER_LANGUAGE, None),
        (replace(FAST, language=Languages(min_confidence=1.1)), Code.UNCERTAIN_LANGUAGE, 1.1),
        (replace(FAST, records=RecordSettings(max_bytes=100)), Code.TOO_LARGE, 100),
        (replace(FAST, quality=Quality(max_badness=0.1)), Code.BADNESS, 0.1),
        (replace(FAST, quality=Quality(min_mean_word=9)), Code.SHAPE, 9),
        (replace(FAST, quality=Quality(min_letters=0.99)), Code.SHAPE, 0.99),
        (replace(FAST, quality=Quality(max_perplexity=1.0)), Code.PERPLEXITY, 1),
    ],
)
def test_limits_reject_with_their_figures(settings: Settings, code: Code, limit: float | None) -> None:
    reason = judged(article(1), settings).reason
    assert reason
    assert (reason.code, reason.limit) == (code, limit)
    assert (reason.seen is None) is (limit is None)
    assert "None" not in str(reason)


def test_a_page_that_is_cut_off_and_has_no_text_is_one_without_text(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = Extractor("bte", limits=Limits(elements=3))
    monkeypatch.setattr(extraction, "extractor", lambda *settings: limited)
    case = judged("<p><b><i><u>" + article(1))
    assert (case.columns["note_code"], case.columns["note"]) == ("cut-off", "cut off after 3 elements")
    assert str(case.reason) == "no text; cut off after 3 elements"


def test_a_page_may_have_exactly_as_many_bytes_as_the_limits_say() -> None:
    size = len(article(1).encode())
    for records, reason in (
        (RecordSettings(max_bytes=size), None),
        (RecordSettings(max_bytes=size - 1), "too-large"),
        (RecordSettings(min_bytes=size), None),
        (RecordSettings(min_bytes=size + 1), "too-small"),
    ):
        assert code_of(judged(article(1).encode(), replace(FAST, records=records))) == reason


def test_opt_outs_are_noted_and_count_only_if_wanted() -> None:
    html = '<meta name="robots" content="noindex, nofollow"><meta name=tdm-reservation content=1>' + article(1)
    noted = judged(html, headers={"x-robots-tag": "noarchive"})
    assert (noted.columns["robots"], noted.columns["tdm"]) == ("noarchive, noindex, nofollow", "1")
    assert noted.reason is None
    assert judged(html, replace(FAST, records=RecordSettings(respect_robots=True))).reason == Reason(
        Code.ROBOTS, "noindex, nofollow"
    )
    assert judged(html, replace(FAST, records=RecordSettings(respect_tdm=True))).reason == Reason(Code.TDM, "1")


def test_places_and_languages_of_blocks_on_request() -> None:
    settings = Settings(extraction=Extraction(method="bte", trace=True), language=Languages(blocks=True))
    html = article(1)
    blocks = judged(html, settings).columns["blocks"]
    assert blocks.sources
    assert html[slice(*blocks.sources[2])] == "Story 1"
    assert blocks.languages
    assert blocks.languages[2] is None
    assert blocks.languages[3][0] == "en"


def test_bad_text_is_bad_in_scripts_with_and_without_spaces() -> None:
    running = "It was the end of the day and the rain that fell is for a man with a hat to remember in the town. " * 3
    names = "Miller Smith Jones Brown Taylor Wilson Evans Thomas Johnson Roberts Walker Wright Robinson " * 3
    assert badness(word_hashes(running), "en") < 20  # type: ignore[operator]
    assert badness(word_hashes(names), "en") > 45  # type: ignore[operator]
    chinese = "我们在这里可以看到一个不同的世界，这是因为中国有很多人用自己的方法生活，不是所有的人都一样。"
    assert badness(word_hashes(chinese), "zh") < 25  # type: ignore[operator]
    assert badness(word_hashes("北京上海廣州深圳南京武漢成都重慶"), "zh") > 45  # type: ignore[operator]
    assert badness(word_hashes(running), "eo") is None
    assert {"de", "en", "fr", "ja", "zh"} <= set(profiles())


def test_a_profile_has_the_words_that_most_documents_have() -> None:
    profile = train(["a b c", "a b", "a c a", "a"])
    assert list(profile) == ["a", "b", "c"]
    points = [score(word_hashes(text), profile) for text in ("a b c", "a", "x")]
    assert points == sorted(points)
    assert points[-1] == 15


def test_texts_are_edited_by_option_only() -> None:
    text = "Cafe\u0301 “x” – mail a.b@c.org, call +49 30 1234567, see https://a.org/b?c."
    assert edited(text, TextSettings()) == text
    assert edited(text, TextSettings(nfc=True)).startswith("Café")
    blanked = edited(text, TextSettings(normalise=True, blank=("email", "phone", "url")))
    assert blanked == 'Cafe\u0301 "x" - mail emailblank, call phoneblank, see uriblank'
    assert judged(article(1), replace(FAST, text=TextSettings(normalise=True))).reason is None


@given(st.text(alphabet=st.sampled_from("ab .,!?\n\r\t\x85\u2028\u3000…”1|雨。🌧"), max_size=60))
def test_the_shape_of_a_text_is_counted_as_its_definition_says(text: str) -> None:
    words = text.split()
    lines = [line for line in text.split("\n") if line]
    letters = sum(map(len, words)) - sum(map(text.count, MARKS))
    found = shape(text)
    assert (found["characters"], found["words"]) == (len(text), len(words))
    assert found["letters"] == (round(letters / len(text), 3) if text else None)
    assert found["mean_word"] == (round(sum(map(len, words)) / len(words), 3) if words else None)
    total, distinct = sum(map(len, lines)), sum(map(len, set(lines)))
    assert found["repeated_lines"] == (round((total - distinct) / total, 3) if lines else None)
    ended = sum(line.endswith(tuple(ENDS)) for line in lines)
    assert found["ended_lines"] == (round(ended / len(lines), 3) if lines else None)


def test_compiled_and_plain_counts_agree() -> None:
    plain = uncompiled(fast_shape)
    table = np.arange(0x10001, dtype=np.uint64).astype(np.uint8) & np.uint8(7)  # any flags
    words, wanted = np.array([3, 5, 3, 2**63], np.uint64), np.array([3, 4, 2**63], np.uint64)
    for text in ("", "\n\n", "Rain, 3 days.\n\nNo end\n", "雨の日\U0001f327 x!\n" * 3):
        totals, counts = (np.zeros((2, size), np.int64) for size in (6, 3))
        for place, module in enumerate((fast_shape, plain)):
            module.fill_shape(text, table, totals[place])
            module.fill_counts(words, wanted, counts[place])
        assert totals[0].tolist() == totals[1].tolist()
        assert counts[0].tolist() == counts[1].tolist() == [2, 0, 1]


def test_a_text_may_be_exactly_at_a_limit() -> None:
    columns = judged(article(1)).columns
    for quality, reason in (
        (Quality(min_characters=columns["characters"]), None),
        (Quality(min_characters=columns["characters"] + 1), "too-short"),
        (Quality(max_mean_word=columns["mean_word"]), None),
        (Quality(max_mean_word=columns["mean_word"] - 0.1), "shape"),
        (Quality(max_badness=columns["badness"]), None),
    ):
        assert code_of(judged(article(1), replace(FAST, quality=quality))) == reason


def test_a_text_that_repeats_its_lines_has_no_good_shape() -> None:
    html = article(1) + article(1)
    assert judged(html).columns["repeated_lines"] > 0.3
    assert code_of(judged(html, replace(FAST, quality=Quality(max_repeated_lines=0.3)))) == "shape"
    assert code_of(judged(article(1), replace(FAST, quality=Quality(max_repeated_lines=0.3)))) is None


@pytest.mark.parametrize(("content", "reason"), [("none", "robots"), ("NOINDEX", "robots"), ("nofollow", None)])
def test_what_robots_may_not_index_can_be_left_out(content: str, reason: str | None) -> None:
    html = f'<meta name="robots" content="{content}">' + article(1)
    assert code_of(judged(html, replace(FAST, records=RecordSettings(respect_robots=True)))) == reason


@pytest.mark.parametrize(("content", "reason"), [("0", None), ("1", "tdm")])
def test_text_and_data_mining_is_reserved_by_1(content: str, reason: str | None) -> None:
    html = f'<meta name="tdm-reservation" content="{content}">' + article(1)
    assert code_of(judged(html, replace(FAST, records=RecordSettings(respect_tdm=True)))) == reason
