"""How much of a page is parsed: never so much that memory runs out, and all of an ordinary page."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from turbohtml import parse

from dehusk import Extractor, Limits
from dehusk.page import fast_formatting, tags
from dehusk.page.fast_formatting import affordable
from dehusk.page.formatting_costs import ATTRIBUTE_BYTES, ELEMENT_BYTES
from dehusk.page.source_limits import MULTIPLIES, parsable, rough_cost
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled

FORMATTING = sorted(fast_formatting.FORMATTING)
# fmt: off
OTHER = [
    "p", "div", "span", "li", "td", "table", "tr", "select", "object", "svg", "desc", "title", "script", "style",
    "template", "h1", "button", "br", "img", "math",
]
# fmt: on
LARGE = 19_900_000
GIGABYTE = 2**30
many = settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])

names = st.sampled_from([*FORMATTING, *FORMATTING, *OTHER])
attributes = st.sampled_from(
    ["", " x", " x=1", " x='1' y=2", " x='</b>'", ' title="<b id=9>"', " x=a'b", ' ">', "/", " x='>", " </i"]
)
opening = st.builds(lambda name, extra, number: f"<{name} id={number}{extra}>", names, attributes, st.integers(0, 30))
closing = st.builds(lambda name: f"</{name}>", names)
odd = st.sampled_from(["x", "<!--", "-->", "<", "</", "'", '"', ">", "<!x>", "<?", "]]>", "<B>", "</B >", "<b/>", "\n"])
soup = st.lists(st.one_of(opening, opening, closing, odd), max_size=60).map("".join)


def repeated_elements(html: str) -> int:
    """Return how many elements of formatting a parser makes beyond those that have a tag."""
    tree = parse(html, scripting=True, allow_declarative_shadow_roots=False)
    elements = sum(len(tree.select(name)) for name in FORMATTING)
    written = sum(html.lower().count(f"<{name}{end}") for name in FORMATTING for end in " />\n\t")
    return elements - written


@many
@given(soup)
def test_formatting_never_takes_more_than_was_foreseen(html: str) -> None:
    needed = repeated_elements(html) * ELEMENT_BYTES
    assert needed <= affordable(html, 10**12)[1]
    assert needed <= rough_cost(html)


@pytest.mark.parametrize(
    "unclosed",
    [
        "<b id={}>",
        "<b id={}><svg><desc></b></svg>",
        "<b id={}><table></b></table>",
        "<b id={}><script></b></script>",
        "<b id={}><select></b></select>",
        "<b id={}><!--</b>-->",
        "<b id={}><span title='</b>'></span>",
        "<b id={}><span </b>></span>",
        "<b id={} x='></b>'>",
        "<B ID={}>",
        "<b/id={}>",
        "<b id={}>" + "<div>" * 12 + "</b>" + "</div>" * 12,
        "<!-- <p title='--><b id={}>",
    ],
)
def test_no_trick_hides_formatting_that_stays_open(unclosed: str) -> None:
    html = "<p>" + "".join(unclosed.format(number) for number in range(100)) + "</p>" + "<p>x" * 200
    needed = repeated_elements(html) * ELEMENT_BYTES
    assert needed <= affordable(html, 10**12)[1]
    assert needed <= rough_cost(html)


@many
@given(soup)
def test_compiled_and_plain_python_count_the_same(html: str) -> None:
    plain = uncompiled(fast_formatting)
    assert fast_formatting.__file__ != plain.__file__
    assert affordable(html, 10**12) == plain.affordable(html, 10**12)
    assert affordable(html, 5_000) == plain.affordable(html, 5_000)
    for text in (html, html + "\u6728", html + "\U0001f600"):  # one, two and four bytes per character
        counts = tags.count_formatting(text, ELEMENT_BYTES, ATTRIBUTE_BYTES)
        assert counts == plain.count_formatting(text, ELEMENT_BYTES, ATTRIBUTE_BYTES)
        assert counts == fast_formatting.count_formatting(text, ELEMENT_BYTES, ATTRIBUTE_BYTES)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_ordinary_pages_are_parsed_to_their_end(folder: object) -> None:
    html = (folder / "source.html").read_bytes().decode("utf-8", "replace")  # type: ignore[operator]
    assert affordable(html * 20, 400_000_000)[0] == 20 * len(html)


def test_tags_within_tags_take_no_longer_than_others() -> None:
    for tag in ("<a ", '<b "', "<b x='"):
        assert parsable(tag * 300_000, Limits()).reason == MULTIPLIES


def test_what_is_cut_off_keeps_the_text_before_it() -> None:
    page = "<p>kernel</p>" + "".join(f"<b id={number}><p>" for number in range(60_000)) + "husk"
    document = Extractor("alltext", limits=Limits(elements=10_000_000)).extract(page)
    assert document.text == "kernel"
    assert document.reason == MULTIPLIES
    assert document.page.source_spans() == [(3, 9)]


def filled(head: str, unit: str) -> str:
    return head + unit * ((LARGE - len(head)) // len(unit))


def open_tags(count: int, extra: str = "") -> str:
    return "<p>" + "".join(f"<b id={number}{extra}>" for number in range(count)) + "</p>"


WORDS = "<p>Kernel is what people came for, and this is <b>bold</b>.</p>\n"
GREEDY: dict[str, Callable[[], str]] = {
    "the page of the attack": lambda: "".join(f"<b id={number}><p>" for number in range(60_000)),
    "500 open tags, 5 million paragraphs": lambda: filled(open_tags(500), "<p>x"),
    "500 open tags, 9,000 paragraphs": lambda: open_tags(500) + "<p>x" * 9_000,
    "50 attributes each": lambda: open_tags(500, "".join(f" a{n}" for n in range(50))) + "<p>x" * 9_000,
    "20,000 attributes": lambda: open_tags(1, "".join(f" a{n}" for n in range(20_000))) + "<p>x" * 30_000,
    "a link of 20,000 attributes": lambda: f"<p><a {' '.join(f'a{n}' for n in range(20_000))}></p>" + "<p>x" * 30_000,
    "nobr": lambda: filled(open_tags(500), "<p><nobr><nobr>"),
    "end tags that clone": lambda: filled("", open_tags(100) + "<div>" * 400 + "</b>" * 5_000 + "</div>" * 400),
    "formatting in tables": lambda: filled("<table>" + open_tags(500), "<tr>x"),
    "in noscript": lambda: filled("", "<noscript>" + open_tags(80) + "<p>x" * 50 + "</noscript>"),
    "in noscript, escaped": lambda: (
        "<noscript><noscript>" + "".join(f"&lt;b id={n}&gt;&lt;p&gt;" for n in range(30_000))
    ),
    "comments": lambda: filled("", "<!>"),
    "texts and comments": lambda: filled("", "x<!>"),
    "end tags that are comments": lambda: filled("", "</ >"),
    "instructions": lambda: filled("", "<?>"),
    "only <": lambda: "<" * LARGE,
    "only <, wide": lambda: "\U0001f600" + "<" * (LARGE - 10),
    "end tags that are elements": lambda: filled("<p>", "</p>x"),
    "paragraphs": lambda: filled("", "<p>x"),
    "words, wide": lambda: filled("\U0001f600", WORDS),
    "one text": lambda: "a" * LARGE,
}
# On Linux `getrusage` begins with what the parent had when it started the child.
PEAK = """
import re, resource, sys
from pathlib import Path
from dehusk import extract
extract(sys.stdin.buffer.read()).text
status = Path("/proc/self/status")
if status.exists():
    print(1024 * int(re.search("VmHWM:\\s*(\\d+) kB", status.read_text())[1]))
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", GREEDY)
def test_no_page_takes_a_gigabyte(name: str) -> None:
    data = GREEDY[name]().encode()
    assert len(data) < 20_000_000
    result = subprocess.run([sys.executable, "-c", PEAK], input=data, capture_output=True, check=True)
    assert int(result.stdout) < GIGABYTE


def test_signs_that_begin_no_tag_are_counted_too() -> None:
    limits = Limits(elements=10)
    assert parsable("< " * 70, limits).html == "< " * 70
    assert parsable("< " * 71, limits).html == "< " * 70
