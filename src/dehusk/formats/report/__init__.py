"""report: one HTML page that shows what became of a page: its blocks by score, a threshold to move, the clean text.

It needs no network. Pages may be hostile: what comes from one is escaped here, or is in the data island that the script
sets as text and never as markup; should something slip through, a content policy allows only the report's own script
and style.
"""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

import numpy as np

from dehusk.document import Document
from dehusk.errors import UsageError
from dehusk.formats import PLAIN, Look
from dehusk.formats.report.data_island import Ints, data_island, words_of
from dehusk.formats.report.figure import figure
from dehusk.formats.xml import xml_safe
from dehusk.methods.base import Picture
from dehusk.scores import LETTERS

MAX_LENGTH: Final = 400  # characters of a title or an address
# In the order in which they are joined to one script.
SCRIPTS: Final = ("main.js", "model.js", "view.js", "threshold.js", "detail.js", "events.js", "bridge.js")
HINT: Final = "Point at a block, tap it, or tab to one and use the arrow keys."
DIFFERING: Final = '<label><input type="checkbox" id="differing"> only where they differ</label>'


def render(
    document: Document,
    *,
    every: bool = False,
    look: Look = PLAIN,
    beside: Document | None = None,
    picture: Picture | None = None,
) -> str:
    """Write the report of a document, if requested with that of another method on the same page `beside` it.

    A `picture` of the page as the method sees it comes below.

    >>> from dehusk import extract
    >>> '<h1 dir="auto">Rain</h1>' in render(extract("<title>Rain</title><p>It rains.", method="alltext"))
    True
    """
    documents = [document] if beside is None else [document, beside]
    separate = any(each.selection.refine for each in documents)  # both are shown on the same text
    documents = [each.written(every=True, nfc=look.nfc, separate=separate) for each in documents]
    if beside is not None and beside.page.text != document.page.text:
        raise UsageError("a report shows two methods on one page; these two documents are of different pages")
    words = [words_of(each.blocks) for each in documents]
    css, js = style_and_script()
    title = _shown(document.page.title) or "A page without a title"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(picture is not None)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'
        f"<title>{title} · dehusk report</title><style>{css}</style></head>"
        f"<body>{_header(document, title)}{_main(documents, words)}{figure(picture) if picture else ''}"
        f'<script type="application/json" id="data">{data_island(documents, words)}</script>'
        f'<script type="module">{js}</script></body></html>'
    )


@cache
def style_and_script() -> tuple[str, str]:
    """Return what every report has: its style and its script."""
    css, *scripts = (files(__name__).joinpath(name).read_text(encoding="utf-8") for name in ("report.css", *SCRIPTS))
    return css, "\n".join(scripts)


@cache
def hashes() -> tuple[str, str]:
    """Return the hashes of style and script, as a content policy has them."""
    css, js = (b64encode(sha256(source.encode()).digest()).decode() for source in style_and_script())
    return f"sha256-{css}", f"sha256-{js}"


@cache
def _policy(picture: bool) -> str:
    css, js = hashes()
    images = "img-src data:; " if picture else ""
    return (
        f"default-src 'none'; {images}style-src '{css}'; script-src '{js}'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _shown(text: str | None) -> str:
    text = xml_safe(text or "")
    return escape(text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…")


def _header(document: Document, title: str) -> str:
    page = document.page
    address = _shown(page.url)
    # Only web addresses become links; `javascript:` and the like are shown as text.
    if page.url and page.url.lower().startswith(("http://", "https://")) and len(page.url) <= MAX_LENGTH:
        address = f'<a href="{address}" rel="noreferrer noopener">{address}</a>'
    doctype = page.doctype if page.doctype != "none" else ""
    facts = " · ".join(fact for fact in (address, _shown(page.charset), doctype) if fact)
    head = f'<p class="brand">dehusk report</p><h1 dir="auto">{title}</h1>'
    return f'<header>{head}<p class="soft facts">{facts}</p></header>'


def _main(documents: Sequence[Document], words: Sequence[Ints]) -> str:
    names = [_shown(document.scores.model) for document in documents]
    two = len(documents) > 1
    views = "".join(_view(f"cut{index}", name if two else "Page") for index, name in enumerate(names))
    views += _view("text", "Text")
    rows = enumerate(zip(documents, words, strict=True))
    tools = "".join(_threshold_tool(index, document, counts) for index, (document, counts) in rows)
    legend = "".join(f'<span class="only{index}">only {name}</span>' for index, name in enumerate(names))
    return (
        f'<main class="{"two" if two else "one"}" data-view="cut0">'
        f'<div class="tools"><div class="views" role="radiogroup" aria-label="Show">{views}</div>'
        f'{tools}<section class="tool words"><h2>Clean text</h2>'
        f'<p class="soft">{f"{legend} {DIFFERING}" if two else "What is kept, as it comes out"}</p></section></div>'
        '<noscript><p class="notice">This report needs JavaScript to show the blocks.</p></noscript>'
        '<div class="panes"><div id="blocks" role="listbox" aria-label="The page, block by block"></div>'
        '<aside><div id="clean" tabindex="0" role="region" aria-label="Clean text"></div>'
        f'<section id="detail" aria-label="Selected block"><p class="soft">{HINT}</p></section></aside></div></main>'
    )


def _view(name: str, label: str) -> str:
    checked = " checked" if name == "cut0" else ""
    return f'<label><input type="radio" name="view" value="{name}"{checked}><span>{label}</span></label>'


def _threshold_tool(index: int, document: Document, words: Ints) -> str:
    """Return the threshold of a method, and how much it keeps."""
    name, threshold = _shown(document.scores.model), document.threshold
    verdict = f"{document.kind}, confidence {document.confidence:.2f}" if document.scores.verdict else ""
    letters = "".join(f'<span class="s{tenth}">{letter}</span>' for tenth, letter in enumerate(LETTERS))
    reason = f'<p class="notice">{_shown(str(document.reason))}</p>' if document.reason else ""
    kept_words, kept_blocks = int(words[document.kept].sum()), int(np.count_nonzero(document.kept))
    return (
        f'<section class="tool" data-cut="{index}"><h2>{name} <span class="soft">{verdict}</span></h2>'
        f'<div class="dial"><svg class="histogram" viewBox="0 0 50 20" preserveAspectRatio="none" aria-hidden="true">'
        f'</svg><input type="range" min="0" max="1" step="0.01" value="{threshold:g}" aria-describedby="count{index}"'
        f' aria-label="Threshold of {name}: what scores below it is kept">'
        f'<div class="letters" aria-hidden="true">{letters}</div></div>'
        f'<p class="count" id="count{index}">threshold <output>{threshold:.2f}</output> keeps <b>{kept_words:,}</b> '
        f"of {words.sum():,} words, <b>{kept_blocks:,}</b> of {len(document.blocks):,} blocks</p>{reason}</section>"
    )
