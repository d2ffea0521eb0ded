import json
from dataclasses import dataclass, replace

import numpy as np
import pytest

import dehusk
from dehusk import Blocks, Document, Extractor, Limits, Page, Scores, UsageError, formats
from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.methods.base import Explains
from dehusk.models.registry import method
from tests.helpers.methods import Talkative

HTML = "<p>Menu<h1>Title</h1><p>Some text.<li>Reader: I agree."


def explained(html: str = HTML) -> Document:
    return Extractor(Talkative(), explain=True).extract(html)


def test_comments_are_left_out_by_default() -> None:
    assert dehusk.extract(HTML, method=Talkative()).text == "Title\nSome text."
    assert dehusk.extract(HTML, method=Talkative(), comments=True).text == "Title\nSome text.\nReader: I agree."


def test_a_page_of_comments_alone_has_no_main_text_by_default() -> None:
    assert str(Extractor(Talkative()).extract("<p>Reader: Why?").reason) == "no main text"
    assert Extractor(Talkative(), comments=True).extract("<p>Reader: Why?").reason is None


def test_a_document_has_kind_and_confidence_if_the_method_gives_them() -> None:
    document = Extractor(Talkative()).extract(HTML)
    assert (document.kind, document.confidence) == ("article", 0.875)
    document = Extractor("alltext").extract(HTML)
    assert (document.kind, document.confidence) == (None, None)


def test_comments_need_a_method_that_recognises_them() -> None:
    with pytest.raises(UsageError, match="method 'bte' cannot tell readers' comments apart; choose one that can"):
        Extractor("bte", comments=True)


def test_explanations_need_a_method_that_explains() -> None:
    with pytest.raises(UsageError, match="method 'bte' cannot explain its scores; choose one that can"):
        Extractor("bte", explain=True)


def test_a_method_explains_if_it_has_the_function() -> None:
    assert isinstance(Talkative(), Explains)
    assert not isinstance(method("alltext"), Explains)


def test_facts_are_computed_only_on_request() -> None:
    assert Extractor(Talkative()).extract(HTML).because is None
    assert explained("<p>Menu<p>Some text.").because == [("- 1 words", "- it is a menu"), ("+ 2 words",)]
    assert explained("").because == []


def test_facts_that_do_not_match_the_blocks_are_refused() -> None:
    @dataclass(frozen=True)
    class Terse(Talkative):
        def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
            return [("+ because",)]

    with pytest.raises(UsageError, match="talkative explained 1 of 4 blocks"):
        Extractor(Terse(), explain=True).extract(HTML)


def test_text_has_the_facts_below_their_block_and_comments_by_name() -> None:
    assert formats.render(explained(), "text", every=True).splitlines() == [
        "j 0.97 - paragraph    Menu",
        "       - 1 words",
        "       - it is a menu",
        "a 0.03 + heading 1    Title",
        "       + 1 words",
        "a 0.03 + paragraph    Some text.",
        "       + 2 words",
        "i 0.80 - comment      Reader: I agree.",
        "       + 3 words",
    ]


def test_a_fact_stays_on_one_line() -> None:
    document = replace(explained("<p>Text"), because=[("+ class\n 'story'",)])
    assert formats.render(document, "text", every=True) == "a 0.03 + paragraph    Text\n       + class 'story'"


def test_facts_stay_out_of_the_text_itself() -> None:
    assert formats.render(explained(), "text") == "Title\nSome text."


def test_json_has_kind_and_confidence_comments_and_facts() -> None:
    record = json.loads(formats.render(explained(), "json", every=True))
    assert (record["kind"], record["confidence"]) == ("article", 0.875)
    assert [row["comment"] for row in record["blocks"]] == [False, False, False, True]
    assert record["blocks"][0]["because"] == ["- 1 words", "- it is a menu"]
    assert record["blocks"][3]["kind"] == "list item"


def test_json_is_null_where_the_method_gives_nothing_and_has_no_facts_by_default() -> None:
    record = json.loads(formats.render(Extractor("alltext").extract("<p>x"), "json"))
    assert (record["kind"], record["confidence"], record["blocks"][0]["comment"]) == (None, None, None)
    assert "because" not in record["blocks"][0]


def test_workers_keep_comments_and_explain_as_one_process_does() -> None:
    extractor = Extractor(Talkative(), comments=True, explain=True)
    (result,) = extractor.extract_many([HTML], format="json", every=True, jobs=1)
    assert result.output == formats.render(extractor.extract(HTML), "json", every=True)
    assert [row["kept"] for row in json.loads(result.output)["blocks"]] == [False, True, True, True]


def test_a_page_cut_off_before_its_main_text_says_both() -> None:
    page = Page.from_html("<p>Menu<p>Text", limits=Limits(blocks=1))
    blocks = cut(page)
    document = assemble(page, blocks, Scores(blocks, np.array([0.9]), "demo"))
    assert str(document.reason) == "no main text; cut off after 1 blocks"


def test_a_document_writes_itself_as_the_formats_do() -> None:
    document = dehusk.extract("<h1>A</h1><p>b <b>c</b> <a href=/d>d</a>", url="https://a.org/", method="alltext")
    for name in formats.names():
        assert document.render(name) == formats.render(document, name)
        assert document.render(name, every=True) == formats.render(document, name, every=True)
    assert document.markdown() == formats.render(document, "markdown")
    assert document.html() == formats.render(document, "html")
    assert document.json() == formats.render(document, "json")
    assert document.json(every=True) == formats.render(document, "json", every=True)
    assert document.markdown(links=True, formatting=False) == "# A\n\nb c [d](https://a.org/d)"
    assert document.markdown(metadata=True).startswith('---\nurl: "https://a.org/"\n---\n')
    assert document.render("md") == document.markdown()
    assert '<a href="https://a.org/d">' in document.html(links=True)
    with pytest.raises(UsageError, match="no format is called 'word'"):
        document.render("word")


@pytest.mark.parametrize("source", [b"", b"%PDF-1.4", "<title>\x00</title>", "x" * 10_000, "<p>" * 5, b"\xff\xfe"])
def test_any_document_and_page_can_be_shown(source: bytes | str) -> None:
    for name in ("kernel", "alltext"):
        document = dehusk.extract(source, method=name)
        assert all(len(repr(each)) < 400 for each in (document, document.page, document.blocks))


def test_a_document_shows_title_kind_words_and_the_first_of_them() -> None:
    document = Extractor(Talkative()).extract(f"<title>Rain</title>{HTML}<p>{'word ' * 20}")
    assert repr(document) == (
        "Document(title='Rain', kind='article', words=23, "
        "text='Title Some text. word word word word word word word word word …')"
    )
    assert repr(Extractor(Talkative()).extract("<p>Menu")) == "Document(kind='article', words=0, reason='no main text')"


def test_a_page_shows_where_it_is_from_and_what_is_wrong_with_it() -> None:
    page = Page.from_html("<!doctype html><title>Rain</title><p>It rained.", url="https://a.org/")
    assert repr(page) == "Page(url='https://a.org/', title='Rain', charset='utf-8', doctype='html5', 10 characters)"
    assert repr(Page.from_bytes(b"%PDF-1.4")) == (
        "Page(charset='utf-8', doctype='none', 0 characters, reason='not a page: PDF')"
    )
