import codecs
from collections.abc import Callable

import pytest

from dehusk import Limits, Page
from dehusk.page import as_page
from dehusk.page.address import Addresses
from dehusk.page.charset import declared, label, utf16_without_mark

SENTENCES = {
    "gbk": "今天天气很好，我们去公园散步，然后回家吃饭。",
    "big5": "今天天氣很好，我們去公園散步，順便吃點東西。",
    "shift_jis": "今日は天気がいいので散歩に行きましょう。カタカナも。",
    "euc-jp": "今日は天気がいいので散歩に行きましょう。カタカナも。",
    "iso-2022-jp": "今日は天気がいいので散歩に行きましょう。カタカナも。",
    "euc-kr": "오늘은 날씨가 좋아서 친구와 함께 산책을 갑니다.",
    "windows-1250": "Příliš žluťoučký kůň úpěl ďábelské ódy v noci.",
    "windows-1251": "Съешь ещё этих мягких французских булок да выпей чаю.",
    "windows-1252": "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich – “so”.",
    "windows-1253": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία του κόσμου.",
    "windows-1256": "هذا نص عربي قصير مكتوب للاختبار فقط لا غير.",
    "koi8-r": "Съешь ещё этих мягких французских булок да выпей чаю.",
    "utf-8": "Zwölf Boxkämpfer, 今日, булок, عربي.",
    "utf-16le": "Zwölf Boxkämpfer, 今日, булок, عربي.",
    "utf-16be": "Zwölf Boxkämpfer, 今日, булок, عربي.",
}
encodings = pytest.mark.parametrize("name", SENTENCES)


def page_in(name: str, head: str = "") -> bytes:
    return f"<html><head>{head}<title>x</title></head><body><p>{SENTENCES[name] * 3}</p></body></html>".encode(name)


@encodings
def test_a_declared_encoding_is_used(name: str) -> None:
    assert SENTENCES[name] in Page.from_bytes(page_in(name, f'<meta charset="{name}">')).text


@encodings
def test_the_transport_header_is_used(name: str) -> None:
    assert SENTENCES[name] in Page.from_bytes(page_in(name), charset=name).text


@encodings
def test_an_undeclared_encoding_is_found(name: str) -> None:
    assert SENTENCES[name] in Page.from_bytes(page_in(name)).text


@pytest.mark.parametrize("name", [name for name in SENTENCES if name not in ("windows-1250", "windows-1252")])
def test_a_meta_that_says_latin_1_of_another_script_is_not_believed(name: str) -> None:
    assert SENTENCES[name] in Page.from_bytes(page_in(name, '<meta charset="iso-8859-1">')).text


@encodings
def test_a_meta_that_says_utf_8_of_other_bytes_is_not_believed(name: str) -> None:
    assert SENTENCES[name] in Page.from_bytes(page_in(name, '<meta charset="utf-8">')).text


def test_a_byte_order_mark_beats_the_transport_header() -> None:
    page = Page.from_bytes(codecs.BOM_UTF8 + "<p>größer".encode(), charset="windows-1251")
    assert (page.text, page.charset) == ("größer", "utf-8")


def test_latin_1_means_windows_1252() -> None:
    page = Page.from_bytes(b"<meta charset=iso-8859-1><p>\x93quoted\x94 \x80 5")
    assert (page.text, page.charset) == ("“quoted” € 5", "windows-1252")


def test_a_few_broken_bytes_do_not_cost_a_utf_8_page_its_encoding() -> None:
    data = "<meta charset=utf-8><p>größer schöner über alle Maßen".encode() + b"\xff<p>end"
    assert Page.from_bytes(data).text.startswith("größer schöner über alle Maßen")


@pytest.mark.parametrize("claim", ["", "<meta charset=iso-8859-1>", "<meta charset=utf-8>"])
@pytest.mark.parametrize(
    "text", ["Привет, мир, это обычная страница", "今天天气很好，我们去公园散步", "“It’s” a day — “isn’t” it? “Yes”"]
)
def test_one_stray_byte_does_not_cost_a_utf_8_page_its_encoding(text: str, claim: str) -> None:
    assert text in Page.from_bytes(f"{claim}<p>{text}".encode() + b" \xff<p>end").text


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize("start", ["<p>", "<!doctype html><body>", "\n <html><p>"])
def test_utf_16_is_known_by_its_first_tag(name: str, start: str) -> None:
    text = "今天天气很好，我们去公园散步，一一一一。" * 50
    assert Page.from_bytes((start + text).encode(name)).text == text


def test_labels_are_those_of_the_web_and_of_python() -> None:
    names = ["latin-1", "UTF8", "utf_8", "x-sjis", "euc_kr", "ks_c_5601-1987", "hz-gb-2312", "no-such", "ä", "", None]
    assert [label(name) for name in names] == [
        "windows-1252", "utf-8", "utf-8", "shift_jis", "euc-kr", "euc-kr", None, None, None, None, None,
    ]  # fmt: skip


def test_a_declaration_is_found_late_in_the_head_and_in_an_xml_prolog() -> None:
    assert declared(b"<head>" + b"<!-- -->" * 3000 + b"<meta charset=koi8-r>") == "koi8-r"
    assert declared(b'<?xml version="1.0" encoding="windows-1251"?>') == "windows-1251"
    assert declared(b"<meta charset=utf-16>") == "utf-8"


@pytest.mark.parametrize(
    ("doctype", "expected"),
    [
        ("<!doctype html>", "html5"),
        ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', "html4"),
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">', "xhtml"),
        ("", "none"),
    ],
)
def test_the_doctype_is_classed(doctype: str, expected: str) -> None:
    assert Page.from_html(doctype + "<p>x").doctype == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("w<b>or</b>d", "word"),
        ("one <b> two </b> three", "one two three"),
        ("one<br>two", "one\ntwo"),
        ("one<br> <br>two", "one\ntwo"),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("<p>one<p>two", "one\ntwo"),
        ("a<wbr>b &shy;c", "ab \xadc"),
        ("a&nbsp;\n\t b", "a b"),
        ("<pre>if x:\n\n    y\n</pre>z", "if x:\n\n    y\n\nz"),
        ("<pre>  <b>a</b>  b</pre>", "  a  b"),
        ("see <code>a  b</code>.", "see a  b."),
        ("x<script>var a = '<p>no</p>'</script>y<style>p{}</style><!-- no -->z", "xyz"),
        ("<template><p>no</template>yes", "yes"),
        ("<noscript><p>Fish &amp; chips</p></noscript>", "Fish & chips"),
        ("<head><title>no</title></head><body>yes", "yes"),
        ("<button>A</button><button>B</button>", "A\nB"),
        ("<table><tr><td>a<td>b</table>", "a\nb"),
        ("x<svg><title>no</title><path/></svg>y <svg><text>drawn</text></svg>", "xy drawn"),
        ("<div><template shadowrootmode=open><p>in the <slot></slot></p></template>shadow</div>", "in the shadow"),
        ("&#x110000;&#xD800;&#0;", "\ufffd\ufffd\ufffd"),
    ],
)
def test_text_is_what_a_reader_sees(html: str, text: str) -> None:
    assert Page.from_html(html).text == text


@pytest.mark.parametrize(
    "attribute", ["hidden", "aria-hidden=TRUE", 'style="color:red; DISPLAY : none"', 'style="display:none!important"']
)
def test_hidden_text_is_kept_and_marked(attribute: str) -> None:
    page = Page.from_html(f"<p>seen<div {attribute}>not <b>seen</b></div><p style='list-style:none'>seen")
    assert page.leaves.hidden.tolist() == [False, True, True, False]
    assert page.text == "seen\nnot seen\nseen"


def test_hidden_text_in_a_shadow_root_is_marked_too() -> None:
    page = Page.from_html("<div><template shadowrootmode=open><p hidden>a</p><p>b</p></template></div>")
    assert page.leaves.hidden.tolist() == [True, False]


def test_only_anchors_that_lead_somewhere_are_links() -> None:
    page = Page.from_html("<a name=top>here</a> <a href=/><b>there</b></a>")
    assert page.leaves.link.tolist() == [False, True]


def test_leaves_know_their_source_through_references_comments_and_line_ends() -> None:
    html = "<p>Fish &amp;\r\nchips<!-- x --> and <b>peas</b>\r\n</p><noscript>a <i>b</i></noscript>"
    page = Page.from_html(html)
    spans = [span and html[slice(*span)] for span in page.source_spans()]
    assert spans == ["Fish &amp;\r\nchips", " and ", "peas", "a ", "b"]


def test_a_leaf_that_the_parser_moved_has_no_source() -> None:
    page = Page.from_html("<table>moved<tr><td>stays</table>")
    assert page.text == "moved\nstays"
    assert page.source_spans()[0] is None
    assert page.source_spans()[1] is not None


def test_paths_number_siblings_only_where_needed() -> None:
    page = Page.from_html("<div><p>a<p>b</div><section>c</section>")
    paths = page.paths()
    found = [paths.of(element, element) for element in page.leaves.element.tolist()]
    assert found == ["/html/body/div/p[1]", "/html/body/div/p[2]", "/html/body/section"]


def test_parents_are_a_list_and_a_column() -> None:
    for page in (Page.from_html("<div><p>a<p>b</div>c"), Page.from_text("a")):
        assert page.elements.parents.tolist() == page.elements.parent


def test_plain_text_is_a_page_too() -> None:
    page = Page.from_text("First  line.\n\n  Second line.\n")
    assert page.text == "First line.\nSecond line."
    assert page.source_spans() == [None, None]


@pytest.mark.parametrize("start", [b"%PDF-1.7\n", b"\x89PNG\r\n", b"PK\x03\x04", b"\x1f\x8b\x08"])
def test_other_formats_are_refused_with_a_reason(start: bytes) -> None:
    page = Page.from_bytes(start + bytes(range(256)) * 10)
    assert page.refused
    assert str(page.reason).startswith("not a page: ")


@pytest.mark.parametrize(
    ("link", "whole"),
    [
        ("?a[]=1", "https://example.org/a%20b/?a%5B%5D=1"),
        ("100%", "https://example.org/a%20b/100%25"),
        ("#a#b", "https://example.org/a%20b/#a%23b"),
        ("http://example.org:99999/", None),
        ("http://[::1]/x", "http://[::1]/x"),
        ("http://[oops/x", None),
        ("java\nscript:alert(1)", None),
        ("//example.com/%41", "https://example.com/%41"),
    ],
)
def test_addresses_are_absolute_and_valid(link: str, whole: str | None) -> None:
    page = Page.from_html("<p>x", url="https://example.org/a b/")
    assert Addresses(page).absolute(link) == whole


def test_a_source_span_in_a_noscript_within_another_ends_in_the_page() -> None:
    assert Page.from_html("<noscript><noscript>;<p>").source_spans() == [(20, 21)]


@pytest.mark.parametrize("make", [Page.from_html, Page.from_text, lambda text, url: Page.from_bytes(b"%PDF-", url=url)])
def test_an_address_can_be_written_whatever_it_holds(make: Callable[..., Page]) -> None:
    assert make("<p>One", url="http://x/\ud800 \na\r\n").url == "http://x/\ufffd a"
    assert make("<p>One", url=None).url is None


@pytest.mark.parametrize("source", ["<p>Grüße", "<p>Grüße".encode()])
def test_a_page_may_be_exactly_as_large_as_its_limit(source: str | bytes) -> None:
    size = len(source)
    assert as_page(source, limits=Limits(bytes=size)).text == "Grüße"
    refused = as_page(source, limits=Limits(bytes=size - 1))
    assert refused.text == ""
    assert refused.reason


def test_bytes_with_more_than_a_tenth_of_control_characters_are_no_page() -> None:
    assert Page.from_bytes(b"a" * 90 + b"\x01" * 10).reason is None
    assert Page.from_bytes(b"a" * 80 + b"\x01" * 20).refused


def test_the_charset_of_the_transport_counts_more_than_that_of_the_page() -> None:
    assert Page.from_bytes(b"<meta charset=gbk><p>x", charset="shift_jis").charset == "shift_jis"
    data = b"<meta charset=iso-8859-7><p>" + SENTENCES["windows-1251"].encode("windows-1251")
    assert Page.from_bytes(data, charset="windows-1251").text == SENTENCES["windows-1251"]


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be"])
def test_utf16_is_known_by_its_nuls(encoding: str) -> None:
    assert utf16_without_mark("Plain text that begins without a tag.".encode(encoding)) == encoding
    assert utf16_without_mark(b"\0" * 100) is None


def test_an_address_may_have_4096_characters() -> None:
    addresses = Addresses(Page.from_html("<p>x", url="https://example.org/"))
    start = "https://example.org/"
    longest = start + "a" * (4096 - len(start))
    assert addresses.absolute(longest) == longest
    assert addresses.absolute(longest + "a") is None


def test_a_base_that_is_not_safe_does_not_count() -> None:
    page = Page.from_html("<base href='javascript:alert(1)//'><p>x", url="https://example.org/a/b")
    assert Addresses(page).absolute("c") == "https://example.org/a/c"
