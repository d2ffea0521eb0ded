"""Readers of Markdown, all with HTML switched on, and what they make of ours that the document does not have."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Sequence
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import cmarkgfm
import markdown
import markdown2
import mistletoe
import mistune
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from dehusk import Page
from testing.needed import skip_unless

NODE_READERS: Final = Path(__file__).parents[1] / "web" / "readers"
MISTUNE_PLUGINS: Final = (
    *("strikethrough", "mark", "insert", "superscript", "subscript", "footnotes", "table", "url", "abbr", "def_list"),
    *("math", "ruby", "task_lists", "spoiler"),
)
MARKDOWN2_EXTRAS: Final = (
    *("admonitions", "alerts", "code-friendly", "cuddled-lists", "fenced-code-blocks", "footnotes", "header-ids"),
    *("markdown-in-html", "middle-word-em", "spoiler", "strike", "tables", "tag-friendly"),
    *("task_list", "tg-spoiler", "underline", "wiki-tables"),
)
Reader = Callable[[str], Any]


def _markdown_it() -> Reader:
    reader = MarkdownIt("commonmark", {"html": True, "maxNesting": 200}).enable(["table", "strikethrough"])
    return reader.use(footnote_plugin).use(deflist_plugin).render


def _cmark_gfm(text: str) -> str:
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    html: str = cmarkgfm.github_flavored_markdown_to_html(text, options)
    return html


PYTHON_READERS: Final[dict[str, Reader]] = {
    "cmark-gfm": _cmark_gfm,
    "markdown-it-py": _markdown_it(),
    "markdown2": lambda text: markdown2.markdown(text, extras=["fenced-code-blocks"]),
    "markdown2 with extras": lambda text: markdown2.markdown(text, extras=list(MARKDOWN2_EXTRAS)),
    "mistletoe": mistletoe.markdown,
    "mistune": mistune.create_markdown(escape=False, plugins=list(MISTUNE_PLUGINS)),
    "Python-Markdown": lambda text: markdown.markdown(text, extensions=["extra", "sane_lists"]),
}


def read_by_node(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return what each reader in JavaScript makes of texts."""
    skip_unless(
        shutil.which("node") and (NODE_READERS / "node_modules").is_dir(), "Node and the packages of web/readers"
    )
    command = ["node", "--stack-size=4000", str(NODE_READERS / "render.mjs")]
    run = subprocess.run(command, input=json.dumps(list(texts)).encode(), capture_output=True, check=True)
    outputs: dict[str, list[str]] = json.loads(run.stdout)
    return outputs


# What readers write for Markdown of the kinds that we write, footnotes and formulas among them.
ELEMENTS: Final = frozenset(
    {
        *("html", "head", "body", "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote"),
        *("pre", "code", "em", "strong", "s", "del", "sup", "sub", "table", "thead", "tbody", "tr", "th", "td"),
        *("dl", "dt", "dd", "section", "div", "span"),
    }
)
ATTRIBUTES: Final = {
    "href": {"a"},
    "src": {"img"},
    "alt": {"img"},
    "start": {"ol"},
    "align": {"th", "td"},
    "style": {"th", "td", "li"},
    "lang": {"pre"},
    "class": {"a", "blockquote", "code", "section", "sup", "div", "span", "hr", "li", "ol", "h2", "p", "input"},
    "id": {"a", "sup", "li", "section", "h1", "h2", "h3", "h4", "h5", "h6", "th"},
}
# Of footnotes, by which those who cannot see find the way.
FOOTNOTE_ATTRIBUTES: Final = re.compile(r"data-footnote.*|aria-(?:label|describedby)|role|dir")
# Formatting of characters that are plain to all but one reader, such as ==x==, ^^x^^, --x--, ||x|| and [x(y)].
DIALECTS: Final = frozenset({"mark", "ins", "u", "tg-spoiler", "ruby", "rt"})
ALIGNED: Final = re.compile(r"(?:text-align|list-style-type):\s*\w+;?")
SCHEME: Final = re.compile(r"(?:https?:|ftp:|xmpp:|mailto:)?(?://)?")

PUNYCODE: Final = re.compile(r"\bxn--([a-z0-9-]+)")
SCRIPT: Final = re.compile(r"\W*(?:javascript|vbscript|data)\s*:", re.IGNORECASE)


def inventions(html: str, addresses: Collection[str] = ()) -> list[str]:
    """Return the elements and attributes in a reader's output that none of our documents has; see `addresses`.

    Only links to these addresses are a document's own. A bare address in its text is a link to some readers.

    >>> inventions("<p>a<script>x</script><b onclick=y>c</b> <a href=https://a.org/>https://a.org/</a> <a href=b>c</a>")
    ['<script>', '<b>', '<b onclick>', '<a href=b>']
    """
    addresses = set(map(_normal, addresses))
    tree = Page.from_html(html).tree
    found: list[str] = []
    for node in tree.select("*") if tree else ():
        tag = node.tag
        if tag in ("a", "img"):
            found += _foreign_address(node, addresses)
        elif tag == "input" and node.attr("type") == "checkbox":
            continue  # the box of a task: a link with the text "x" at the start of an item is one to showdown
        elif tag not in ELEMENTS and tag not in DIALECTS:
            found.append(f"<{tag}>")
        for name, value in node.attrs.items():
            ours = tag in ATTRIBUTES.get(name, ()) or bool(FOOTNOTE_ATTRIBUTES.fullmatch(name))
            ours = ours or (name == "title" and (node.text[0] == "^" or str(node.attr("class")).startswith("footnote")))
            if not ours or (name == "style" and not ALIGNED.fullmatch(str(value))):
                found.append(f"<{tag} {name}>")
    return found


def _foreign_address(node: Any, addresses: Collection[str]) -> list[str]:
    address = _normal(node.attr("href") or node.attr("src") or "")
    if address in addresses or (node.tag == "a" and (address.startswith("#") or node.attr("href") is None)):
        return []
    shown, target = (SCHEME.sub("", text, count=1) for text in (_normal(node.text), address))
    is_bare = shown == target or ("@" in shown and address.startswith("mailto:"))
    # To a reader without footnotes a reference to one is a link, and the note its address.
    is_footnote = node.text.startswith("^") and not SCRIPT.match(node.attr("href") or "")
    return [] if node.tag == "a" and (is_bare or is_footnote) else [f"<{node.tag} href={address}>"]


def _normal(address: str) -> str:
    """Return an address as it can be compared: readers differ in what they encode and decode."""
    address = PUNYCODE.sub(lambda match: match[1].encode().decode("punycode"), unescape(unquote(address)).lower())
    return address.replace("\\", "")
