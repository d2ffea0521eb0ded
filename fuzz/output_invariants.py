"""What holds of every output: each invariant takes what was written and what it was written from."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any, Final, NamedTuple, NoReturn
from xml.etree import ElementTree

import yaml

from dehusk import Document
from dehusk.formats import Look
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import LeafBlock
from dehusk.outline.nodes import Event, Formula, Image
from fuzz.invariants import InvariantError, check, words
from testing.readback import READER, expected_text, html_text, markdown_text

# What some reader of Markdown, or the JavaScript and Python that it is written in, takes for the end of a line.
OTHER_LINE_ENDS: Final = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
SAFE_MARKUP: Final = re.compile(
    r"(?:</?(?:su[bp]|strong|em|del|code)>|<br>|<!-- boilerplate \d\.\d\d -->"
    r'|<pre><code(?: class="language-[^"<>]*")?>[^<>]*</code></pre>)\s*'
)
VOID: Final = frozenset({"br", "hr", "img", "meta", "link"})
SAFE_TAGS: Final = frozenset(
    {
        *(
            "html",
            "head",
            "meta",
            "title",
            "body",
            "p",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
        ),
        *(
            "dd",
            "blockquote",
            "pre",
            "code",
            "table",
            "caption",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "figure",
            "br",
            "hr",
        ),
        *("figcaption", "a", "img", "strong", "em", "del", "sup", "sub", "span", "div", "section"),
    }
)
SAFE_ATTRIBUTES: Final = frozenset(
    {
        *("lang", "dir", "charset", "href", "src", "alt", "class", "id", "start", "reversed", "value", "colspan"),
        *("rowspan", "scope", "data-score", "type"),
    }
)
SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*(?=:)")
SAFE_SCHEMES: Final = frozenset({"http", "https", "ftp", "mailto", "tel"})
FRONT_MATTER: Final = re.compile(r"---\n(.*?)---\n\n?", re.DOTALL)
TEI: Final = "{http://www.tei-c.org/ns/1.0}"
TEI_LINES: Final = frozenset(
    ("p", "head", "ab", "item", "label", "cell", "note", "lb", "quote", "list", "row", "figure", "table", "div")
)
LINE_TAG: Final = re.compile(r"-?<[phl]>")


class Written(NamedTuple):
    """An output, and what was requested."""

    document: Document
    format: str
    every: bool
    look: Look
    output: str


def output_can_be_encoded(written: Written) -> None:
    """Every output can be written to a file in UTF-8."""
    try:
        written.output.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvariantError(f"the output cannot be encoded: {error}") from error


def text_is_the_text(written: Written) -> None:
    """The format text writes the text of the document, or one line per block and reason."""
    body, document = _body(written), written.document
    if written.every:
        lines = body.split("\n") if body else []
        check(len(lines) == len(document.blocks), f"{len(lines)} lines for {len(document.blocks)} blocks")
    else:
        check(body == document.text, "the format text differs from the text")


def _body(written: Written) -> str:
    """Return an output without its front matter, which must be YAML."""
    if not written.look.metadata:
        return written.output
    match = FRONT_MATTER.match(written.output)
    check(match, "the output has no front matter")
    assert match
    try:
        fields = yaml.safe_load(match[1])
    except (yaml.YAMLError, ValueError) as error:
        raise InvariantError(f"the front matter is no YAML: {error}") from error
    check(fields is None or isinstance(fields, dict), "the front matter is no mapping")
    text = written.output[match.end() :] if written.format == "markdown" else written.output[match.end(1) + 4 :]
    return text.removeprefix("\n")


def lines_have_their_tag(written: Written) -> None:
    """Each line of cleaneval's format begins with a tag, and the words are those of the text."""
    lines = written.output.split("\n") if written.output else []
    check(all(LINE_TAG.match(line) for line in lines), "a line has no tag")
    if not written.every and "<" not in written.document.text:
        found = [word for line in lines for word in LINE_TAG.sub("", line, count=1).split()]
        check(found == written.document.text.split(), "the words differ from those of the text")


def json_is_strict(written: Written) -> None:
    """JSON has no NaN or Infinity, all blocks that it should, and the text."""
    record = json.loads(written.output, parse_constant=_no_constant)
    document = written.document
    blocks = len(document.blocks) if written.every else int(document.kept.sum())
    check(len(record["blocks"]) == blocks, f"{len(record['blocks'])} blocks in JSON, expected {blocks}")
    check(record["text"] == document.text, "the text in JSON differs from the text")
    check("\n" not in written.output, "a record has more than one line")


def _no_constant(name: str) -> NoReturn:
    raise InvariantError(f"{name} is in the JSON")


def xml_is_well_formed(written: Written) -> None:
    """An XML parser reads the format xml, and the words of the text in it."""
    root = _parsed(written.output)
    if written.every:
        check(len(root) == len(written.document.blocks), f"{len(root)} divs for {len(written.document.blocks)} blocks")
        return
    found = words(" ".join(div.text or "" for div in root))
    _same_words(found, words(written.document.text))


def _parsed(output: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(output)
    except ElementTree.ParseError as error:
        raise InvariantError(f"no well-formed XML: {error}") from error


def tei_is_well_formed_and_keeps_the_words(written: Written) -> None:
    """An XML parser reads TEI, and the words of the text in it."""
    _parsed(written.output)
    _shows_the_words(written, _tei_text(written.output))


def _tei_text(output: str) -> str:
    """Return what TEI shows; without recursion, since elements may be nested thousands deep."""
    pieces: list[str] = []
    waiting: list[ElementTree.Element | str] = [*ElementTree.fromstring(output).iterfind(f".//{TEI}body")]
    while waiting:
        element = waiting.pop()
        if isinstance(element, str):
            pieces.append(element)
            continue
        name = element.tag.removeprefix(TEI)
        if name in ("desc", "formula") or (name == "ref" and element.get("type") == "note"):
            pieces.append(" ")
            continue
        line = "\n" if name in TEI_LINES else ""
        pieces.append(f"{line}{element.text or ''}")
        waiting += [line, *(part for child in reversed(element) for part in (child.tail or "", child))]
    return "".join(pieces)


def html_is_well_formed_and_safe(written: Written) -> None:
    """HTML has only our own elements and attributes, all closed, and links that lead somewhere."""
    _HtmlChecker().run(written.output)


def html_keeps_the_words(written: Written) -> None:
    """HTML shows the words of the text."""
    _shows_the_words(written, html_text(written.output))


def markdown_is_safe(written: Written) -> None:
    """Markdown has no markup but ours, for readers too that end lines at other characters than a line feed."""
    body = _body(written)
    odd = OTHER_LINE_ENDS.search(body)
    check(
        not odd,
        f"{odd and odd[0]!r} may end a line: {body[max(0, odd.start() - 30) : odd.end() + 30]!r}" if odd else "",
    )
    for token in READER.parse(body):
        for each in (token, *(token.children or ())):
            if each.type in ("html_block", "html_inline"):
                check(SAFE_MARKUP.fullmatch(each.content), f"markup in Markdown: {each.content[:80]!r}")
            for name in ("href", "src"):
                address = str(each.attrs.get(name, "#")).lower()
                check(_is_safe(address), f"an unsafe address in Markdown: {address[:80]!r}")


def markdown_keeps_the_words(written: Written) -> None:
    """Markdown shows the words of the text."""
    _shows_the_words(written, markdown_text(_body(written)))


def report_holds_no_foreign_script(written: Written) -> None:
    """A report has its two scripts and no third, and its data can be read."""
    scripts = re.findall(r"<script\b[^>]*>(.*?)</script\s*>", written.output, re.DOTALL | re.IGNORECASE)
    opened = len(re.findall(r"<script\b", written.output, re.IGNORECASE))
    check(opened == len(scripts) == 2, f"{opened} scripts in a report, expected 2")
    json.loads(scripts[0], parse_constant=_no_constant)


def _is_safe(address: str) -> bool:
    # Browsers remove these anywhere in an address, and control characters and blanks before it.
    plain = re.sub("[\t\r\n]", "", address).lstrip("".join(map(chr, range(33)))).lower()
    scheme = SCHEME.match(plain)
    return scheme is None or scheme[0] in SAFE_SCHEMES


def _shows_the_words(written: Written, shown: str) -> None:
    """Compare what a reader sees with the text, in which spaces stand for what formulas and footnote signs replace."""
    document = written.document
    outlined = outline(document, every=written.every, look=written.look)
    expected = words(expected_text(document, outlined, every=written.every, look=written.look))
    found = words(shown)
    # A formula or an image inside of a word separates its letters, and nothing of it is in the text.
    if any(_holds_object(event) for event in outlined.events) and "".join(found) == "".join(expected):
        return
    _same_words(found, expected)


def _holds_object(event: Event) -> bool:
    if not isinstance(event, LeafBlock) or isinstance(event.content, str):
        return False
    return any(isinstance(run.content, Formula | Image) for run in event.content)


def _same_words(found: list[str], expected: list[str]) -> None:
    if found != expected:
        pairs = enumerate(zip(found, expected, strict=False))
        place = next((at for at, (left, right) in pairs if left != right), min(len(found), len(expected)))
        near = slice(max(0, place - 3), place + 4)
        raise InvariantError(f"found {found[near]}, expected {expected[near]}")


class _HtmlChecker(HTMLParser):
    """Reads HTML without mending it."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[str] = []

    def run(self, output: str) -> None:
        """Raise `InvariantError` unless every element is ours, closed where it should be, and safe."""
        self.feed(output)
        self.close()
        check(not self._open, f"never closed: {self._open[-5:]}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of an element."""
        check(tag in SAFE_TAGS, f"<{tag}> in HTML")
        for name, value in attrs:
            check(name in SAFE_ATTRIBUTES, f"the attribute {name!r} in HTML")
            if name in ("href", "src"):
                check(_is_safe((value or "").lower()), f"an unsafe address in HTML: {value!r}")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Compare an end tag with what is open."""
        check(self._open and self._open[-1] == tag, f"</{tag}> while {self._open[-3:]} are open")
        self._open.pop()

    def handle_comment(self, data: str) -> None:
        """Comments are none of ours."""
        raise InvariantError(f"a comment in HTML: {data[:60]!r}")

    def handle_pi(self, data: str) -> None:
        """Neither are instructions."""
        raise InvariantError(f"an instruction in HTML: {data[:60]!r}")


OUTPUT: Final[dict[str, tuple[Callable[[Written], Any], ...]]] = {
    "cleaneval": (lines_have_their_tag,),
    "html": (html_is_well_formed_and_safe, html_keeps_the_words),
    "json": (json_is_strict,),
    "markdown": (markdown_is_safe, markdown_keeps_the_words),
    "report": (report_holds_no_foreign_script,),
    "tei": (tei_is_well_formed_and_keeps_the_words,),
    "text": (text_is_the_text,),
    "xml": (xml_is_well_formed,),
}
