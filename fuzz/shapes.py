"""Shapes of pages that grow: one piece of markup again and again, with something before and after."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from fuzz import snippets

VOID: Final = ("br", "hr", "img", "input", "source", "wbr", "col", "area", "meta", "link", "base", "embed", "track")
ELEMENTS: Final = (
    *("p", "div", "span", "b", "i", "em", "strong", "u", "s", "small", "big", "font", "nobr", "a", "q", "cite", "code"),
    *(
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "td",
        "th",
        "tbody",
        "caption",
        "h1",
        "h2",
        "h6",
        "pre",
        "form",
    ),
    *(
        "blockquote",
        "figure",
        "figcaption",
        "picture",
        "article",
        "section",
        "nav",
        "aside",
        "header",
        "footer",
        "main",
    ),
    *("details", "summary", "button", "label", "select", "option", "textarea", "fieldset", "legend", "noscript", "svg"),
    *("template", "math", "ruby", "rt", "sup", "sub", "del", "ins", "center", "address", "time", "object", "video"),
    *("iframe", "style", "script", "x-custom-element", "menu", "dialog", "kbd", "title", "body", "frameset", "mark"),
)
PAIRS: Final = (
    *(("b", "p"), ("a", "div"), ("i", "b"), ("table", "p"), ("td", "table"), ("ul", "li"), ("li", "p"), ("dl", "dd")),
    *(("blockquote", "p"), ("font", "table"), ("svg", "p"), ("math", "mi"), ("select", "option"), ("h1", "h2")),
    *(
        ("figure", "figcaption"),
        ("details", "summary"),
        ("form", "table"),
        ("nobr", "div"),
        ("ruby", "rt"),
        ("pre", "b"),
    ),
    *(("noscript", "p"), ("template", "div"), ("code", "li"), ("section", "h2"), ("article", "a"), ("dt", "dd")),
)


# Some text, since a page without any is not written.
LEAD: Final = "<h1>Rain</h1><p>It rained all day, and people came to read about it.</p>"


@dataclass(frozen=True, slots=True)
class Shape:
    """A piece that is repeated: a string, or a function of its number."""

    piece: str | Callable[[int], str]
    before: str = ""
    after: str = ""
    closing: str = ""  # repeated after all pieces

    def page(self, size: int) -> str:
        """Return a page of about that many characters.

        >>> Shape("<p>x", "<div>", "</div>").page(24).removeprefix(LEAD)
        '<div><p>x<p>x<p>x</div>'
        """
        if not self.piece:
            return LEAD
        numbered = self.piece if callable(self.piece) else None
        one = numbered(1000) if numbered else self.piece
        assert isinstance(one, str)
        count = max(1, (size - len(self.before) - len(self.after)) // (len(one) + len(self.closing)))
        pieces = "".join(map(numbered, range(count))) if numbered else one * count
        return f"{LEAD}{self.before}{pieces}{self.closing * count}{self.after}"


def _of_tags() -> Iterator[tuple[str, Shape]]:
    for tag in ELEMENTS:
        yield f"{tag} nested", Shape(f"<{tag}>", after="kernel", closing=f"</{tag}>")
        yield f"{tag} repeated", Shape(f"<{tag}>a word</{tag}> ")
    for tag in ELEMENTS[:40]:
        yield f"{tag} unclosed with text", Shape(f"<{tag}>word ")
    for tag in VOID:
        yield f"{tag} repeated", Shape(f"<{tag}>x ")
    for one, other in PAIRS:
        yield f"{one} and {other} interleaved", Shape(f"<{one}><{other}>x</{one}>y</{other}>")
        yield f"{one} and {other} unclosed", Shape(f"<{one}><{other}>x ")


PICTURE: Final = "<source srcset='a.png 1x, b.png 2x'><img src=c.png alt=d>"
SPECIAL: Final[dict[str, Shape]] = {
    "words": Shape("word ", "<p>"),
    "one long word": Shape("w", "<p>"),
    "Han characters": Shape("\u6728", "<p>"),
    "emoji": Shape("\U0001f600", "<p>"),
    "combining marks": Shape("\u0301", "<p>e"),
    "blanks": Shape(" ", "<p>a", "b"),
    "line ends": Shape("\n", "<p>a", "b"),
    "line ends in pre": Shape("\n", "<pre>a", "b</pre>"),
    "carriage returns in pre": Shape("a&#13;", "<pre>", "</pre>"),
    "NULs": Shape("\x00", "<p>a", "b"),
    "soft hyphens": Shape("a\u00ad", "<p>"),
    "full stops": Shape(".", "<p>"),
    "sentences": Shape("It rained. ", "<p>"),
    "quotation marks": Shape("\u00ab\u00bb", "<p>"),
    "less-than signs": Shape("<", "<p>"),
    "ampersands": Shape("&", "<p>"),
    "entities": Shape("&amp;", "<p>"),
    "numeric entities": Shape("&#x41;", "<p>"),
    "unknown entities": Shape("&bogus;", "<p>"),
    "backticks": Shape("` ", "<p>"),
    "growing backticks": Shape(lambda number: "`" * (number % 50) + " ", "<pre>", "</pre>"),
    "asterisks": Shape("*", "<p>"),
    "underscores": Shape("_a ", "<p>"),
    "brackets": Shape("[", "<p>"),
    "dollars": Shape("$x", "<p>"),
    "backslashes": Shape("\\", "<p>"),
    "pipes in cells": Shape("|", "<table><tr><td>", "</table>"),
    "comments": Shape("x<!-- y -->", "<p>"),
    "unclosed comment": Shape("y", "<p>x<!--"),
    "comment openings": Shape("<!--", "<p>x"),
    "CDATA": Shape("<![CDATA[x]]>", "<p>"),
    "processing instructions": Shape("<?x?>a", "<p>"),
    "doctypes": Shape("<!doctype html>a"),
    "closing tags": Shape("</p>x"),
    "closing tags of nothing": Shape("</div>x"),
    "closing formatting": Shape("</b>x", "<b>" * 5),
    "attributes": Shape(lambda number: f" a{number}=b", "<p", ">x"),
    "the same attribute": Shape(" a=b", "<p", ">x"),
    "long attribute": Shape("x", "<p title='", "'>x"),
    "long class": Shape("c ", "<p class='", "'>x"),
    "long style": Shape("color:red;", "<p style='", "'>x"),
    "long href": Shape("x", "<a href='/", "'>x</a>"),
    "style attributes": Shape("<p style='display:block;none'>x"),
    "hidden": Shape("<p hidden>x"),
    "classes": Shape(lambda number: f"<p class='c{number} d{number}'>word"),
    "ids": Shape(lambda number: f"<p id=n{number}>word"),
    "long tag names nested": Shape(f"<{'x' * 100}>w "),
    "different tag names": Shape(lambda number: f"<x{number}>w</x{number}>"),
    "different tag names nested": Shape(lambda number: f"<x{number}>w "),
    "formatting that is rebuilt": Shape(lambda number: f"<b id=n{number}><p>"),
    "formatting that is rebuilt, in one block": Shape(lambda number: f"<b id=n{number}>x", after="<p>y<p>z"),
    "three formats rebuilt": Shape("<b><i><font color=red><p>x</p>"),
    "anchors": Shape("<a href=x>y"),
    "links": Shape(lambda number: f"<a href='/page/{number}'>A link</a> "),
    "links to fragments": Shape(lambda number: f"<a href='#n{number}'>x</a><p id=n{number}>y"),
    "links to one fragment": Shape("<a href='#n'>1</a> ", "<p>", "<p id=n>note"),
    "footnotes": Shape(
        lambda number: f"w<sup><a href='#fn{number}' id=r{number}>{number}</a></sup><p id=fn{number}>note "
    ),
    "footnotes in a list": Shape(
        lambda number: f"<li id=fn{number}>n <a href='#r{number}'>\u21a9</a>", "<ol>", "</ol>"
    ),
    "footnote signs": Shape("word<sup>1</sup> ", "<p>"),
    "footnote signs without notes": Shape(lambda number: f"<sup><a href='#fn{number}'>{number}</a></sup> ", "<p>"),
    "one note, many signs": Shape("a<sup><a href='#fn1'>1</a></sup> ", "<p>", "<ol><li id=fn1>note</ol>"),
    "pictures": Shape(f"<picture>{PICTURE}</picture>"),
    "one picture": Shape(PICTURE, "<picture>", "</picture>"),
    "sources of a picture": Shape("<source srcset='a.png 1x'>", "<picture>", "<img src=b.png></picture>"),
    "images of a picture": Shape("<img src=b.png alt=x>", "<picture><source srcset=a.png>", "</picture>"),
    "long srcset": Shape("a.png 1x, ", "<p><img src=b.png srcset='", "'>"),
    "images": Shape(lambda number: f"<img src='{number}.png' alt='An image'>", "<p>"),
    "one figure": Shape("<p>A paragraph.</p>", "<figure><img src=a.png>", "<figcaption>c</figcaption></figure>"),
    "captions of a figure": Shape("<figcaption>x</figcaption>", "<figure>", "</figure>"),
    "paragraphs of a caption": Shape("<p>x</p>", "<figure><figcaption>", "</figcaption></figure>"),
    "images of a figure": Shape("<img src=a.png>", "<figure>", "<figcaption>c</figcaption></figure>"),
    "paragraphs of a table caption": Shape("<p>x</p>", "<table><caption>", "</caption><tr><td>y<td>z</table>"),
    "terms": Shape("<dt>t<dd>d", "<dl>", "</dl>"),
    "paragraphs of a term": Shape("<p>x</p>", "<dl><dt>", "</dt><dd>d</dl>"),
    "terms without definitions": Shape("<dt>t", "<dl>", "</dl>"),
    "rows": Shape("<tr><td>a<td>b", "<table>", "</table>"),
    "cells of a row": Shape("<td>a", "<table><tr>", "</table>"),
    "header cells": Shape("<th>a", "<table><tr>", "<tr><td>x</table>"),
    "spans of cells": Shape("<tr><td rowspan=50 colspan=3>a<td>b", "<table>", "</table>"),
    "absurd spans": Shape("<td colspan=1000 rowspan=65534>x", "<table><tr>", "</table>"),
    "columns": Shape("<col span=1000>", "<table><colgroup>", "</colgroup><tr><td>x</table>"),
    "tables": Shape("<table><tr><th>a<th>b<tr><td>1<td>2</table>"),
    "paragraphs of a cell": Shape("<p>x</p>", "<table><tr><th>a<th>b<tr><td>c<td>", "</table>"),
    "text that tables foster": Shape("<table>x"),
    "formulas": Shape("<math alttext='x^2'><mi>x</mi></math> ", "<p>"),
    "math/tex scripts": Shape("<script type='math/tex'>x^2</script> ", "<p>"),
    "math/tex scripts in parents of their own": Shape("<p><span><script type='math/tex'>x</script></span>"),
    "math/tex scripts after previews": Shape(
        "<span class=MathJax_Preview>x</span><script type=math/tex>x</script>", "<p>"
    ),
    "long formula": Shape("<mi>x</mi>", "<p><math>", "</math>"),
    "long alttext": Shape("x+", "<p><math alttext='", "'></math>"),
    "katex": Shape(
        "<span class=katex><span class=katex-mathml><math><mi>y</mi></math></span><span>y</span></span> ", "<p>"
    ),
    "code spans": Shape("<code>x</code> ", "<p>"),
    "code blocks": Shape("<pre><code class=language-a>x\ny</code></pre>"),
    "lines of code": Shape("x = 1\n", "<pre>", "</pre>"),
    "spans in code": Shape("<span class=k>x</span> ", "<pre>", "</pre>"),
    "list items": Shape("<li>item", "<ul>", "</ul>"),
    "ordered items with values": Shape(lambda number: f"<li value={number * 3}>item", "<ol reversed>", "</ol>"),
    "headings": Shape("<h2>A heading</h2><p>text"),
    "headings of all levels": Shape(lambda number: f"<h{number % 6 + 1}>h</h{number % 6 + 1}>w "),
    "repeated paragraphs": Shape("<p>The same paragraph again and again."),
    "different paragraphs": Shape(lambda number: f"<p>Paragraph {number} is another than {number + 1}."),
    "line breaks": Shape("x<br>", "<p>"),
    "rules": Shape("x<hr>"),
    "comments of readers": Shape("<div class=comment><p>A reader says so.</div>", "<div id=comments>", "</div>"),
    "options": Shape("<option>x", "<select>", "</select>"),
    "inputs": Shape("<input value=x><label>y</label>", "<form>", "</form>"),
    "drawings": Shape("<svg><text>x</text></svg>", "<p>"),
    "drawings nested": Shape("<svg><g>", after="<text>x"),
    "foreign objects": Shape("<svg><foreignObject><p>x"),
    "noscripts": Shape("<noscript><p>x</noscript>"),
    "noscript with much": Shape("<p>x</p>", "<noscript>", "</noscript>"),
    "shadow roots": Shape("<div><template shadowrootmode=open><slot></slot>y</template>x</div>"),
    "slots": Shape("<b slot=a>x</b>", "<div><template shadowrootmode=open><slot name=a></slot></template>", "</div>"),
    "scripts": Shape("<script>x</script>y "),
    "much script": Shape("x<p>", "<script>", "</script><p>y"),
    "style sheets": Shape("<style>p{color:red}</style>y "),
    "meta elements": Shape(lambda number: f"<meta name=n{number} content=x>", "<head>", "</head><p>x"),
    "the same meta": Shape("<meta name=author content='Ann Example'>", "<head>", "</head><p>x"),
    "meta keywords": Shape("word, ", "<meta name=keywords content='", "'><p>x"),
    "meta dates": Shape("<meta name=date content='2024-05-02'>", "<head>", "</head><p>x"),
    "long meta": Shape("x ", "<meta name=description content='", "'><p>x"),
    "long title": Shape("word ", "<title>", "</title><h1>word</h1><p>x"),
    "titles": Shape("<title>A - B</title>", after="<p>x"),
    "separators in a title": Shape(" | a", "<title>x", "</title><h1>x</h1><p>y"),
    "headlines": Shape("<h1>Rain</h1>", "<title>Rain - News</title>"),
    "times": Shape("<time datetime=2024-05-02>2 May 2024</time> ", "<p>"),
    "dates in text": Shape("2 May 2024 ", "<p>"),
    "bylines": Shape("<p class=byline>By Ann Example"),
    "authors": Shape("<a rel=author href=x>Ann Example</a> ", "<p>"),
    "names in a byline": Shape("Ann Example, ", "<p class=byline>By ", "<p>text"),
    "tags": Shape(lambda number: f"<a rel=tag href=x>tag {number}</a> ", "<p>"),
    "item properties": Shape("<span itemprop=author>Ann</span> ", "<p>"),
    "canonical links": Shape("<link rel=canonical href=/x>", "<head>", "</head><p>x"),
    "bases": Shape("<base href=/x/>", "<head>", "</head><p>x"),
    "language attributes": Shape("<p lang=de>Wort"),
    "bidirectional marks": Shape("\u202ea\u202c ", "<p>"),
    "ruby": Shape("<ruby>\u6728<rt>ki</rt></ruby>", "<p>"),
    "JSON-LD blanks": Shape(
        " ", '<script type="application/ld+json">{"@type":"Article","author":', "oops</script><p>x"
    ),
    "JSON-LD items": Shape(
        '{"@type":"Person","name":"A"},', '<script type="application/ld+json">[', "{}]</script><p>x"
    ),
    "JSON-LD nested": Shape('{"a":', '<script type="application/ld+json">', "1</script><p>x"),
    "JSON-LD lists nested": Shape("[", '<script type="application/ld+json">', "</script><p>x"),
    "JSON-LD authors": Shape(
        '{"name":"Ann"},', '<script type="application/ld+json">{"@type":"Article","author":[', "{}]}</script><p>x"
    ),
    "JSON-LD graph": Shape(
        lambda number: f'{{"@id":"#{number}","@type":"Thing","about":{{"@id":"#{number + 1}"}}}},',
        '<script type="application/ld+json">{"@graph":[',
        "{}]}</script><p>x",
    ),
    "JSON-LD quotes": Shape('\\"', '<script type="application/ld+json">{"headline":"', '"}</script><p>x'),
    "JSON-LD without quotes": Shape("a:", '<script type="application/ld+json">{', "}</script><p>x"),
    "JSON-LD line ends in a string": Shape(
        "a\n", '<script type="application/ld+json">{"headline":"', '"}</script><p>x'
    ),
    "JSON-LD commas": Shape(",", '<script type="application/ld+json">{"a":1', "}</script><p>x"),
    "JSON-LD scripts": Shape('<script type="application/ld+json">{"@type":"Article"}</script>', after="<p>x"),
    "JSON-LD long string": Shape(
        "x", '<script type="application/ld+json">{"@type":"Article","headline":"', '"}</script><p>x'
    ),
    "every snippet": Shape("".join(snippets.STRUCTURE)),
}
SHAPES: Final[dict[str, Shape]] = {**SPECIAL, **dict(_of_tags())}
# Those that CI measures: one of each sort, and the ones that were once quadratic.
FEW: Final = (
    *("words", "different paragraphs", "one picture", "paragraphs of a caption", "paragraphs of a term", "footnotes"),
    *("one note, many signs", "math/tex scripts in parents of their own", "long tag names nested", "JSON-LD blanks"),
    *("div nested", "b and p unclosed", "rows", "links"),
)
