"""Each step marks what it rejects with a reason, and adds what it measures."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.corpus import fast_shape, steps
from dehusk.corpus.badness import badness, profiles, score, train
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Extraction, Languages, Quality, Records, Settings
from dehusk.corpus.settings import Text as TextSettings
from dehusk.corpus.shingles import word_hashes
from dehusk.corpus.steps.quality import ENDS, MARKS, shape
from dehusk.corpus.steps.text import edited
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from tests.helpers.articles import article
from tests.helpers.compiled import uncompiled

FAST = Settings(extraction=Extraction(method="bte"))


def judged(html: str | bytes = b"", settings: Settings = FAST, problem: str = "", **facts: Any) -> Case:
    record = Record("a.warc", 7, **{"status": 200, "type": "text/html", **facts})
    return steps.run(Case(RawPage("a.warc:7", html, "https://example.org/a", problem=problem, record=record)), settings)


def test_a_good_page_is_kept_with_all_that_is_known_of_it() -> None:
    case = judged(article(1))
    columns = case.columns
    assert case.rejected == ""
    assert (columns["title"], columns["language"], columns["host"]) == ("Story 1", "en", "example.org")
    assert (columns["file"], columns["offset"], columns["status"]) == ("a.warc", 7, 200)
    assert columns["characters"] == len(columns["text"]) > 3000
    assert columns["badness"] < 20
    blocks = columns["blocks"]
    start, length = int(blocks.start[2]), int(blocks.length[2])
    assert columns["page_text"][start : start + length] == "Story 1"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"kind": "request"}, "kind"),
        ({"status": 404}, "status"),
        ({"type": "image/png"}, "type"),
        ({"problem": "damaged: x"}, "damaged"),
        ({"problem": "cut off: 1 of 2 bytes"}, "cut off"),
        ({"problem": "wrong length: x"}, "wrong length"),
        ({"problem": "not JSON: x"}, "unreadable"),
        ({"html": b"%PDF-1.4"}, "not HTML"),
        ({"html": ""}, "size"),
        ({"html": "<p>Hello there."}, "short"),
        ({"html": "<title>x</title>"}, "empty"),
    ],
)
def test_other_records_have_a_reason(options: dict[str, Any], reason: str) -> None:
    assert judged(**{"html": article(1), **options}).rejected == reason


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (replace(FAST, language=Languages(keep=("de", "fr"))), "language"),
        (replace(FAST, language=Languages(min_confidence=1.1)), "language"),
        (replace(FAST, records=Records(max_bytes=100)), "size"),
        (replace(FAST, quality=Quality(max_badness=0.1)), "badness"),
        (replace(FAST, quality=Quality(min_mean_word=9)), "shape"),
        (replace(FAST, quality=Quality(min_letters=0.99)), "shape"),
        (replace(FAST, quality=Quality(max_perplexity=1.0)), "perplexity"),
    ],
)
def test_limits_reject(settings: Settings, reason: str) -> None:
    assert judged(article(1), settings).rejected == reason


def test_opt_outs_are_noted_and_count_only_if_wanted() -> None:
    html = '<meta name="robots" content="noindex, nofollow"><meta name=tdm-reservation content=1>' + article(1)
    noted = judged(html, headers={"x-robots-tag": "noarchive"})
    assert (noted.columns["robots"], noted.columns["tdm"]) == ("noarchive, noindex, nofollow", "1")
    assert noted.rejected == ""
    assert judged(html, replace(FAST, records=Records(respect_robots=True))).rejected == "robots"
    assert judged(html, replace(FAST, records=Records(respect_tdm=True))).rejected == "tdm"


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
    assert judged(article(1), replace(FAST, text=TextSettings(normalise=True))).rejected == ""


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
