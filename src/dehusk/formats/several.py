"""Several pages in one stream: what is written before, between and after them, so that each keeps its name.

Text has a line `==> NAME <==` before each page, Markdown a rule between pages and the source above each. XML and TEI
become one corpus, HTML one document with a section per page. JSON has one line per page, and each report is a document
of its own.
"""

import re
from html import escape
from typing import Final

from dehusk.formats import Stream
from dehusk.formats.markdown import code
from dehusk.formats.markdown.escape import without_controls
from dehusk.formats.xml import xml_safe

TEI_HEADER: Final = (
    "<teiHeader>\n<fileDesc>\n<titleStmt>\n<title>Web pages</title>\n</titleStmt>\n<publicationStmt>\n"
    "<p>Taken from the web pages that are described below.</p>\n</publicationStmt>\n<sourceDesc>\n"
    "<p>Web pages</p>\n</sourceDesc>\n</fileDesc>\n</teiHeader>\n"
)
DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
URL: Final = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
DOCUMENT: Final = re.compile(
    r"<!DOCTYPE html>\n<html(?P<root>[^>]*)>\n(?>.*?<body>\n)(?P<body>.*)</body>\n</html>", re.DOTALL
)
# The names that the formats give to footnotes: unique in one page only.
IDENTIFIER: Final = re.compile(r' ((?:xml:)?id="|(?:href|target)="#)((?:note|sign)-)')


def _markdown(index: int, name: str, output: str) -> str:
    rule = "\n---\n\n" if index else ""
    name = without_controls(name, " ").replace("\n", " ")
    source = f"<{name}>" if URL.fullmatch(name) else code.span(name)
    return f"{rule}Source: {source}\n\n{output}\n"


def _xml(index: int, name: str, output: str) -> str:
    attribute = "" if URL.match(name) else f" file={_quoted(name)}"
    return f"<doc{attribute}{output.removeprefix('<doc')}\n"


def _tei(index: int, name: str, output: str) -> str:
    output = _distinct(output.removeprefix(DECLARATION), index)
    return output.replace("<TEI ", f"<TEI n={_quoted(name)} ", 1) + "\n"


def _html(index: int, name: str, output: str) -> str:
    parts = DOCUMENT.fullmatch(output)
    assert parts, "the format html has another form"
    source = escape(xml_safe(name))
    link = f'<a href="{source}">{source}</a>' if URL.fullmatch(name) else source
    return f"<section{parts['root']}>\n<p>Source: {link}</p>\n{_distinct(parts['body'], index)}</section>\n"


def _distinct(output: str, index: int) -> str:
    """Return the output of a page with names for its footnotes that no other page has."""
    return IDENTIFIER.sub(rf" \g<1>page-{index + 1}-\g<2>", output)


def _report(index: int, name: str, output: str) -> str:
    return f"<!-- {escape(xml_safe(name)).replace('--', '- -')} -->\n{output}\n"


def _quoted(text: str) -> str:
    return '"' + escape(xml_safe(text)).replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;") + '"'


NAMED: Final = Stream("", lambda index, name, output: f"==> {name} <==\n{output}\n", "")
LINES: Final = Stream("", lambda index, name, output: f"{output}\n", "")
MARKDOWN: Final = Stream("", _markdown, "")
REPORTS: Final = Stream("", _report, "")
XML: Final = Stream(f"{DECLARATION}<corpus>\n", _xml, "</corpus>\n")
TEI: Final = Stream(
    f'{DECLARATION}<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">\n{TEI_HEADER}', _tei, "</teiCorpus>\n"
)
HTML: Final = Stream(
    '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Web pages</title>\n</head>\n<body>\n',
    _html,
    "</body>\n</html>\n",
)
