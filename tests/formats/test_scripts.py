"""What a page says in any way never becomes a tag, a script or an address that runs, in Markdown least of all."""

from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from dehusk import Document, Extractor, Page
from dehusk.formats import Look, by_name
from testing.readback import READER, READERS
from tests.helpers.hostile_pages import CONTROLS, hostile_pages

LINE_ENDS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
IMAGE = "&lt;img src=x onerror=alert(1)&gt;"
WITH_HTML = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
LOOK = Look(links=True, images=True, metadata=True)
HARMLESS = {"head", "body", "html", "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote"}
HARMLESS |= {
    "pre",
    "code",
    "em",
    "strong",
    "s",
    "del",
    "sup",
    "sub",
    "a",
    "img",
    "table",
    "thead",
    "tbody",
    "tr",
    "td",
    "th",
}
ATTRIBUTES = {"href", "src", "alt", "class", "start", "style"}


def markdown(html: str, **options: Any) -> str:
    return by_name("markdown").render(Extractor("alltext").extract(html), look=Look(**options))


def dangers(html: str) -> list[str]:
    """Return the elements and attributes of rendered Markdown that none of ours has."""
    found: list[str] = []
    tree = Page.from_html(html).tree
    assert tree
    for node in tree.select("*"):
        if node.tag not in HARMLESS:
            found.append(node.tag)
        found += [f"{node.tag} {name}" for name in node.attrs if name not in ATTRIBUTES]
        addresses = [node.attr("href") or "", node.attr("src") or ""]
        found += [address for address in addresses if address.lower().startswith(("javascript:", "data:", "vbscript:"))]
    return found


def test_the_check_for_dangers_finds_them() -> None:
    html = "<p>a<script>x</script><img src=x onerror=y><a href=JavaScript:x>"
    assert dangers(html) == ["script", "img onerror", "JavaScript:x"]


@pytest.mark.parametrize("control", LINE_ENDS, ids=repr)
@pytest.mark.parametrize(
    "page", ["<p><code>x{}{}{}</code>", "<ul><li><pre>x{}{}{}</pre></ul>", "<p>x{}{}{}", "<h1>x{}{}{}</h1>"]
)
def test_nothing_ends_a_line_but_a_line_end(page: str, control: str) -> None:
    reference = f"&#{ord(control)};" if control == "\r" else control
    text = markdown(page.format(reference, reference, IMAGE))
    assert not set(text) & set(LINE_ENDS)
    assert dangers(WITH_HTML.render(text)) == []


def test_lines_of_code_stay_lines() -> None:
    assert markdown("<pre>a&#13;b&#13;\nc\u2028d</pre>") == "```\na\nb\nc\nd\n```"
    assert markdown("<ul><li><pre>a&#13;b</pre></ul>") == "- ```\n  a\n  b\n  ```"
    assert markdown("<table><tr><th>x<tr><td><pre>a&#13;b</pre></table>").endswith("| `a`<br>`b` |")
    assert markdown("<p><code>a&#13;b</code>") == "`a b`"


@pytest.mark.parametrize("reader", [WITH_HTML, READER], ids=["no formulas", "formulas"])
@pytest.mark.parametrize(
    "tex",
    [
        "x <img src=x onerror=alert(1)>",
        "x<script>alert(1)</script>",
        "[x](javascript&#58;alert(1))",
        "x ` <!-- y",
        "x </p><svg onload=alert(1)>",
    ],
)
@pytest.mark.parametrize(
    "form", ['<p>a <math alttext="{}"><mi>x</math> and <code>{}</code>', '<math display=block alttext="{}">x']
)
def test_formulas_are_no_markup(reader: MarkdownIt, form: str, tex: str) -> None:
    text = markdown(form.replace("{}", tex.replace("&", "&amp;").replace("<", "&lt;")))
    tokens = [child for token in reader.parse(text) for child in (token, *(token.children or []))]
    ours = ("<code>", "</code>")
    markup = ("html_inline", "html_block", "link_open")
    assert [token for token in tokens if token.type in markup and token.content not in ours] == []


def test_a_formula_cannot_open_a_fence_that_code_would_close() -> None:
    text = markdown(f'<math display=block alttext="~~~"><mi>x</math><pre>~~~\n{IMAGE}</pre>')
    assert dangers(WITH_HTML.render(text)) == []
    text = markdown(f'<p><math alttext="x `"><mi>x</math> and <code>{IMAGE}</code>')
    assert dangers(WITH_HTML.render(text)) == []


@pytest.mark.parametrize(
    ("tex", "written"),
    [
        ("a < b", "a < b"),
        ("a<b", "a< b"),
        (r"\left<x\right>", r"\left< x\right>"),
        (r"\sqrt[3](x)", r"\sqrt[3] {(}x)"),
        (r"\sum_{i=1}^{n} x_{i}", r"\sum_{i=1}^{n} x_{i}"),
        (r"\text{``a''}", r"\text{‘‘a''}"),
        (r"5\$", r"5\$"),
    ],
)
def test_formulas_mean_the_same_to_latex(tex: str, written: str) -> None:
    attribute = tex.replace("<", "&lt;")
    assert markdown(f'<p>Let <math alttext="{attribute}"><mi>x</math> be.') == f"Let ${written}$ be."
    assert markdown(f'<math display=block alttext="{attribute}"><mi>x</math>') == f"$$\n{written}\n$$"


@pytest.mark.parametrize("language", ["py\n```\n<img src=x onerror=alert(1)>\n", "py `", "py\r```\r<b>", "`", "<b>"])
def test_the_language_of_code_is_a_word(language: str) -> None:
    value = language.replace("\r", "&#13;").replace("<", "&lt;")
    text = markdown(f'<pre data-lang="{value}">{IMAGE}</pre>')
    assert text in (f"```{info}\n<img src=x onerror=alert(1)>\n```" for info in ("", "py"))


def test_markup_in_text_is_escaped_for_readers_that_know_few_escapes() -> None:
    # Python-Markdown knows no backslash before "<", drops U+0002 and U+0003, and reads attributes in braces.
    assert markdown(f"<p>{IMAGE}") == "&lt;img src=x onerror=alert(1)>"
    assert markdown("<p>&lt;\x02img src=x>") == "<�img src=x>"
    assert markdown("<p>3 &lt; 5 {a} <b>x</b>{: onclick=y}") == "3 < 5 {a} **x**\\{: onclick=y}"
    assert markdown("<p><sup>&lt;</sup>img") == "<sup>&lt;</sup>img"


def test_an_address_has_no_scheme_however_often_it_is_decoded() -> None:
    text = markdown('<p><a href="javascript&amp;colon;x">a</a> <a href="javascript&amp;#58x">b</a>', links=True)
    assert text == "[a](javascript%26colon;x) [b](javascript%26#58x)"


@pytest.mark.parametrize("name", ["a\n\n<img src=x onerror=alert(1)>", "a`\r\r<img src=x onerror=alert(1)>`"])
def test_the_name_of_a_page_is_no_markup(name: str) -> None:
    assert dangers(WITH_HTML.render(by_name("markdown").stream.page(0, name, "x"))) == []


@pytest.mark.parametrize("title", ["<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "*a*{: onclick=b}"])
def test_front_matter_is_no_markup_to_readers_that_do_not_know_it(title: str) -> None:
    escaped = title.replace("<", "&lt;")
    text = markdown(f"<title>{escaped}</title><h1>{escaped}</h1><p>x", metadata=True)
    front = text.split("---\n")[1]
    assert yaml.safe_load(front)["title"] == title
    assert not set("<") & set(front)
    assert "](" not in front
    assert "{:" not in front


@pytest.mark.parametrize("place", ["<title>{}</title>", '<meta property="og:title" content="{}">', "<h1>{}</h1>"])
@pytest.mark.parametrize(
    "title",
    [
        "<img src=x onerror=alert(1)>",
        "</h1><script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "*a*{: onclick=b}",
        "x\u2028\u2028<img src=x onerror=alert(1)>",
        "``` <svg onload=alert(1)>",
        "# <!-- a",
    ],
)
def test_a_title_that_is_added_is_no_markup(title: str, place: str) -> None:
    text = "It rained on all days of the week, and nobody left the house before noon on any of them."
    more = text.replace("week", "month")
    attribute = title.replace("<", "&lt;").replace('"', "&quot;")
    page = f"{place.format(f'A page about {attribute}')}<nav><a href=/>Home</a></nav><p>{text}<p>{more}"
    document = Extractor().extract(page, url="https://example.org/rain")
    written = document.markdown()
    assert written.startswith("# A page about")
    assert written.count("\n") == 4
    assert dangers(WITH_HTML.render(written)) == []
    body = document.html().partition("<body>")[2]
    assert body.startswith("\n<h1>A page about")
    assert dangers(body) == []
    assert body.count("<") == 8  # a heading, two paragraphs, and the ends of body and html
    assert READERS["tei"][0](document.render("tei")).split()[:3] == ["A", "page", "about"]


def hostile_documents() -> list[Document]:
    extractor = Extractor("alltext")
    return [extractor.extract(page.html, url=page.url) for page in hostile_pages(rounds=2)]


def test_hostile_pages_have_no_markup_of_their_own_in_markdown() -> None:
    for document in hostile_documents():
        for every in (False, True):
            text = by_name("markdown").render(document, every=every, look=LOOK)
            assert dangers(WITH_HTML.render(text)) == []
            assert not set(text) & (set(CONTROLS) - set("\ufeff\u200b"))
