"""xml: whatever a page holds, an XML parser can read it, and reads the text back."""

from math import nan
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk import Document, Extractor, Page, Scores, formats
from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.gold.corpora import open_corpus
from dehusk.metadata import Metadata
from dehusk.reasons import reason_fields
from tests.golden import FOLDERS
from tests.golden import document as golden
from tests.helpers.cuts import by_leaf
from tests.helpers.methods import Talkative

NEWS = "<title>Rain &amp; sun</title><ul><li>Menu</ul><h2>Rain</h2><p>It rains.<p hidden>Reader, I left"


def parsed(document: Document, *, every: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(formats.render(document, "xml", every=every))


def scored(html: str, *values: float, url: str | None = None) -> Document:
    page = Page.from_html(html, url=url)
    blocks = cut(page)
    return assemble(page, blocks, Scores(blocks, np.array(values), "demo"))


def test_a_page_is_one_element_with_its_metadata() -> None:
    document = Extractor(Talkative()).extract(NEWS, url='https://example.org/?a="b"&c')
    root = parsed(document)
    facts = {"url": 'https://example.org/?a="b"&c', "title": "Rain & sun", "method": "talkative", "threshold": "0.5"}
    facts |= {"kind": "article", "confidence": "0.8750", "sourcecharset": "utf-8", "sourcedoctype": "none"}
    assert root.tag == "doc"
    assert {name: root.get(name) for name in facts} == facts
    assert root.get("reason") is None


def test_texrexs_totals_count_what_was_kept() -> None:
    root = parsed(scored("<p>abcd<p>ef<p>gh", 0.0, 0.6, 1.0))
    totals = {"nbc": "4", "nbcprop": "0.5000", "nbd": "1", "nbdprop": "0.3333", "avgbpc": "0.4000", "avgbpd": "0.5333"}
    assert {name: root.get(name) for name in totals} == totals


def test_metadata_is_in_the_attributes(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Metadata(
        title="Rain", authors=("Ada", "Bo"), published="2021-03-14", language="en", url="https://example.org/rain"
    )
    monkeypatch.setattr("dehusk.metadata.read_kept", lambda *_: facts)
    root = parsed(scored("<title>Rain | Site</title><p>x", 0.1))
    wanted = {"title": "Rain", "author": "Ada; Bo", "date": "2021-03-14", "language": "en"}
    assert {name: root.get(name) for name in wanted} == wanted
    assert root.get("canonical") == "https://example.org/rain"


def test_kept_blocks_have_score_letter_and_kind() -> None:
    divs = [(div.attrib, div.text) for div in parsed(Extractor(Talkative()).extract(NEWS))]
    assert divs == [
        ({"idx": "1", "kind": "heading", "level": "2", "bpv": "0.0300", "bpc": "a"}, "Rain"),
        ({"idx": "2", "kind": "paragraph", "bpv": "0.0300", "bpc": "a"}, "It rains."),
    ]


def test_every_block_says_whether_it_was_kept() -> None:
    root = parsed(Extractor(Talkative()).extract(NEWS), every=True)
    assert [div.get("kept") for div in root] == ["no", "yes", "yes", "no"]
    assert root[3].attrib == {
        "idx": "3",
        "kind": "paragraph",
        "hidden": "yes",
        "comment": "yes",
        "kept": "no",
        "bpv": "0.8000",
        "bpc": "i",
    }


def test_an_unscored_block_has_no_score() -> None:
    root = parsed(scored("<p>x", nan))
    assert root[0].attrib == {"idx": "0", "kind": "paragraph"}
    assert root.get("avgbpc") is None


def test_a_word_that_is_cut_in_two_stays_in_one_piece() -> None:
    document = by_leaf("<p>A w<b>or</b>d, <i>and</i> <b>more</b>!", [0, 1, 0, 1, 0, 0])
    assert document.text == "A word, more!"
    assert [div.text for div in parsed(document)] == ["A word,", "more!"]


@pytest.mark.parametrize("page", [b"", b"%PDF-1.4", b"<p>", b"x" * 10])
def test_pages_without_text_are_documents_too(page: bytes) -> None:
    document = Extractor().extract(page)
    root = parsed(document)
    assert (root.get("reason"), root.get("reason_code")) == tuple(reason_fields(document.reason).values())
    assert len(root) == len(document.spans)


def test_pages_in_a_row_are_one_document_between_two_tags() -> None:
    pages = [formats.render(golden(folder, "alltext"), "xml") for folder in FOLDERS]
    assert all(page.startswith("<doc ") for page in pages)
    assert len(ElementTree.fromstring("\n".join(["<corpus>", *pages, "</corpus>"]))) == len(FOLDERS)


def test_characters_that_xml_forbids_are_replaced_and_the_rest_is_read_back() -> None:
    text = "a\x01b\x0c\ufffe\uffff&#xFFFE;]]>&amp;amp;&lt;!--\u2028\x7f\x85"
    (div,) = parsed(scored(f"<p>{text}", 0.0, url="http://x/\ud800\x00\n\t'\"<"))
    assert div.text == "a�b ���]]>&amp;<!-- \x7f"
    verbatim = parsed(scored("<pre>a&#13;\n\tb\x1fc</pre>", 0.0))[0].text
    assert verbatim == "a\r\n\tb c"


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters()), st.text(st.characters()), st.booleans())
def test_any_text_is_well_formed(body: str, address: str, every: bool) -> None:
    document = Extractor("alltext").extract(f"<title>{body}</title><pre title='{body}'>{body}<p>{body}", url=address)
    root = parsed(document, every=every)
    unfit = {char for char in (*map(chr, range(32)), "\ufffe", "\uffff") if not char.isspace()}
    fit = "".join("\ufffd" if char in unfit else char for char in document.text)
    assert " ".join(div.text or "" for div in root).split() == fit.split()


@pytest.mark.slow
@pytest.mark.data
def test_every_real_page_is_well_formed_and_has_the_words_of_the_text() -> None:
    extractor = Extractor()
    count = 0
    for page in open_corpus("wcxb-dev").pages():
        document = extractor.extract(page.html, url=page.url)
        root = parsed(document)
        assert " ".join(div.text or "" for div in root).split() == document.text.split(), page.id
        assert len(parsed(document, every=True)) == len(document.blocks), page.id
        count += 1
    assert count > 1000


def test_references_in_attributes_are_escaped_once() -> None:
    page = "<title>1 &lt; 2 &amp; &quot;3&quot;</title><p>x"
    found = formats.render(Extractor("alltext").extract(page), "xml")
    assert ' title="1 &lt; 2 &amp; &quot;3&quot;"' in found


def test_the_canonical_address_is_written_if_it_is_another_one() -> None:
    for path, expected in (("a", False), ("b", True)):
        page = Page.from_html(f"<link rel=canonical href=https://example.org/{path}><p>x", url="https://example.org/a")
        assert (" canonical=" in formats.render(Extractor("alltext").extract(page), "xml")) is expected
