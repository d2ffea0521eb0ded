from datetime import date, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dehusk import Extractor
from dehusk.formats import Look, by_name
from dehusk.formats.front_matter import _quoted, front_matter
from dehusk.metadata import Metadata

HOSTILE = [
    "Rain: a guide", "it's \"quoted\"", "---", "- item", "# comment", "yes", "no", "null", "1.5", "a\nb\r\n\tc",
    "[x]: {y}", "C:\\path\\n", "\x00\x07\x1b\x7f\x85\x9f", "line\u2028separator\u2029", "\ufeffmark", "emoji 🌧️ 𝔘",
    "مطر", "%YAML", "&a *a", "!tag",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_title_is_read_back_as_it_is(text: str) -> None:
    assert yaml.safe_load(f"title: {_quoted(text)}\nlist: [{_quoted(text)}]\n") == {"title": text, "list": [text]}


@given(st.text())
def test_any_text_is_read_back_as_it_is(text: str) -> None:
    assert yaml.safe_load(f"title: {_quoted(text)}\n") == {"title": text}


def test_a_lone_surrogate_is_replaced() -> None:
    assert yaml.safe_load(_quoted("a\ud800b")) == "a�b"


def test_dates_are_plain_and_what_is_unknown_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Extractor("alltext").extract("<p>x", url="https://example.org/")
    known = Metadata(title="T", authors=("A", "B: C"), published="2024-05-02", modified="2024-05-03T10:00:00+02:00")
    monkeypatch.setattr("dehusk.metadata.read_kept", lambda *_: known)
    found = yaml.safe_load(front_matter(document).strip("-\n"))
    assert found == {
        "title": "T",
        "authors": ["A", "B: C"],
        "published": date(2024, 5, 2),
        "modified": datetime.fromisoformat("2024-05-03T10:00:00+02:00"),
        "url": "https://example.org/",
    }
    monkeypatch.setattr("dehusk.metadata.read_kept", lambda *_: Metadata(published="2024-02-31"))
    assert 'published: "2024-02-31"\n' in front_matter(document)


@pytest.mark.parametrize(("name", "text"), [("markdown", "# Rain"), ("text", "Rain")])
def test_metadata_comes_before_the_text_on_request(name: str, text: str) -> None:
    document = Extractor("alltext").extract("<title>Rain</title><h1>Rain</h1>")
    plain, begun = (by_name(name).render(document, look=Look(metadata=wanted)) for wanted in (False, True))
    assert plain == text
    assert begun.startswith('---\ntitle: "Rain"\n')
    assert begun.endswith(f"---\n\n{text}")


@pytest.mark.parametrize("name", ["html", "json", "xml", "tei", "cleaneval", "report"])
def test_formats_with_metadata_of_their_own_ignore_the_request(name: str) -> None:
    document = Extractor("alltext").extract("<title>Rain</title><h1>Rain</h1>")
    assert by_name(name).render(document, look=Look(metadata=True)) == by_name(name).render(document)
