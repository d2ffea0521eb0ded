"""Readers: JSON lines and folders of files → `GoldPage`s. Labels are inverted here so that 1 = boilerplate."""

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from dehusk.compressed import decompressed, decompression_errors
from dehusk.errors import InputError
from dehusk.gold.pages import GoldPage, NodeLabels

LOG = logging.getLogger(__name__)

# 64 of its 71 pages have character references in the gold in place of characters: there&#8217;s
ESCAPED: Final = frozenset(("cleanportaleval",))

LABEL_ATTRIBUTE: Final = "__boilernet_label"
LABEL_MARKUP: Final = re.compile(rb"""(?<!\s)\s+%b\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""" % LABEL_ATTRIBUTE.encode())
# The address may be on the next line; if it is missing, the rest of the line is dropped.
CLEANEVAL_URL: Final = re.compile(r"\s*URL:(?:\s*(\w+://\S+))?[^\n]*\n?")
CLEANEVAL_TAG: Final = re.compile(r"</?[phl]>", re.IGNORECASE)
ONLY_COMMENT: Final = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*", re.DOTALL)

# Folders that separate pages from gold: CleanEval's own (en_original and en_cleaned, finalrun-input and GoldStandard),
# and those of other copies. They are not part of a page's id.
# fmt: off
ROLE_FOLDERS: Final = frozenset((
    "en_original", "zh_original", "en_cleaned", "zh_cleaned", "finalrun-input", "goldstandard", "input", "original",
    "orig", "cleaned", "clean", "gold", "html", "corrected", "text", "txt",
))
# fmt: on
GOLD_ENDINGS: Final = re.compile(r"(?:-cleaned|\.corrected|\.html?)+$", re.IGNORECASE)
SPLIT_FOLDERS: Final = frozenset(("train", "dev", "test", "eval"))


def plain_gold(marked: str) -> str:
    r"""Return gold in CleanEval's format without its address and tags, white space collapsed.

    >>> plain_gold("URL: http://a.org/\n\n<h>A title\n\n<p>One\n   sentence.\n<l>An item")
    'A title\nOne\nsentence.\nAn item'
    """
    address = CLEANEVAL_URL.match(marked)
    text = CLEANEVAL_TAG.sub("\n", marked[address.end() :] if address else marked)
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())


def line_pages(name: str, path: Path, left_out: Counter[str]) -> Iterator[GoldPage]:
    """Yield the pages of a file of JSON lines; unusable lines are counted by reason in `left_out`."""
    for line_number, line in enumerate(_lines(path), start=1):
        try:
            yield _page_of_line(name, line)
        except _UnusableError as error:
            left_out[str(error)] += 1
            LOG.debug("%s, line %d: %s", path, line_number, error)


class _UnusableError(Exception):
    """Raised for a page that cannot be used; the message is the reason it is counted under."""


def _page_of_line(name: str, line: bytes) -> GoldPage:
    if not line.strip():
        raise _UnusableError("blank line")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise _UnusableError("line is not JSON") from None
    if not isinstance(row, dict) or not isinstance(row.get("html"), str):
        raise _UnusableError("line has no html")
    labels = _labels(row.get("block_labels"))
    wanted, unwanted = _snippets(row.get("with")), _snippets(row.get("without"))
    if name in ESCAPED:
        row.update((key, unescape(row[key])) for key in ("gold", "gold_marked") if isinstance(row.get(key), str))
    gold, language = _gold(row, labels), _string(row.get("lang") or row.get("language"))
    if gold is None and not wanted and not unwanted:
        raise _UnusableError("line has no gold")
    return GoldPage(
        corpus=name,
        # A page without an id is named by its content: unlike a line number, that survives sorting the file.
        id=_string(row.get("id")) or hashlib.blake2b(line.strip(), digest_size=8).hexdigest(),
        split=_string(row.get("split")) or "all",
        html=row["html"],
        gold=gold,
        url=_string(row.get("url")),
        language=re.split("[-_]", language.lower())[0] if language else None,  # en of en-US
        kind=_string(row.get("page_type")),
        title=_string(row.get("title")),
        author=_string(row.get("author")),
        date=_string(row.get("date")),
        gold_marked=_string(row.get("gold_marked")),
        labels=labels,
        wanted=wanted,
        unwanted=unwanted,
    )


def _gold(row: dict[str, Any], labels: NodeLabels | None) -> str | None:
    """Return the gold text of a row, or what its labels keep if it has no text."""
    for key in ("gold", "text"):
        if isinstance(row.get(key), str):
            gold = _encodable(row[key])
            return "" if ONLY_COMMENT.fullmatch(gold) else gold
    return None if labels is None else _kept(labels)


def _labels(value: object) -> NodeLabels | None:
    """Invert labels: files say 1 = content, `GoldPage` says 1 = boilerplate.

    >>> _labels([["Home", 0], ["It rained.", 1]])
    (('Home', 1), ('It rained.', 0))
    """
    if value is None:
        return None
    try:
        labels = tuple((_encodable(text), 1 - int(content)) for text, content in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError, AttributeError):
        raise _UnusableError("block_labels are not pairs of text and 0 or 1") from None
    if any(label not in (0, 1) for _, label in labels):
        raise _UnusableError("block_labels are not pairs of text and 0 or 1")
    return labels


def _kept(labels: NodeLabels) -> str:
    return "\n".join(text.strip() for text, boilerplate in labels if not boilerplate)


def _snippets(value: object) -> tuple[str, ...]:
    return tuple(_encodable(text) for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _string(value: object) -> str | None:
    """Return a field as text, several values joined; None if it is empty.

    >>> _string(["Ada", "Bo"]), _string(12), _string(""), _string(None)
    ('Ada, Bo', '12', None, None)
    """
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value)
    return _encodable(str(value)).strip() or None if isinstance(value, (str, int)) else None


def _encodable(text: str) -> str:
    r"""Return text that can be encoded: JSON may contain half of a surrogate pair, which cannot be.

    >>> _encodable("ok"), _encodable("half \ud800")
    ('ok', 'half �')
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, decompressed by its ending."""
    count = 0
    with path.open("rb") as file:
        try:
            for line in decompressed(file, path):
                count += 1
                yield line
        except decompression_errors() as error:
            raise InputError(f"{path} is cut off after {count} lines ({error}); copy or compress it again") from error


def folder_pages(name: str, folder: Path, left_out: Counter[str]) -> Iterator[GoldPage]:
    """Yield the pages below a folder; their gold is a text beside them, in a parallel folder, or in their labels."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    golds = {_pair_id(folder, path): path for path in files if path.suffix.lower() == ".txt"}
    markup = [path for path in files if path.suffix.lower() in (".html", ".htm")]
    pages = {_pair_id(folder, path): path for path in markup}
    if duplicates := len(markup) - len(pages):
        left_out["page of the same name as another"] += duplicates
    if not pages:
        raise InputError(f"{folder} contains {len(files)} files but no .html; expected page.html beside page.txt")
    for pair_id, path in pages.items():
        html = path.read_bytes()
        if pair_id in golds:
            yield _page_of_pair(name, pair_id, html, _decoded(golds[pair_id].read_bytes()))
        elif LABEL_ATTRIBUTE.encode() in html:
            yield _page_of_labels(name, pair_id, html)
        else:
            left_out["page without gold"] += 1
    if unpaired := len(golds.keys() - pages.keys()):
        left_out["gold without a page"] += unpaired


def _pair_id(folder: Path, path: Path) -> str:
    """Return the id that a page and its gold share.

    >>> base = Path("set")
    >>> [_pair_id(base, base / name) for name in ("dev/en_original/7.html", "dev/en_cleaned/7-cleaned.txt", "a.txt")]
    ['dev/7', 'dev/7', 'a']
    """
    folders = (part for part in path.relative_to(folder).parts[:-1] if part.lower() not in ROLE_FOLDERS)
    return "/".join((*folders, GOLD_ENDINGS.sub("", path.stem)))


def _page_of_pair(name: str, pair_id: str, html: bytes, gold: str) -> GoldPage:
    address = CLEANEVAL_URL.match(gold)
    marked = address is not None or CLEANEVAL_TAG.match(gold.lstrip()) is not None
    return GoldPage(
        corpus=name,
        id=pair_id,
        split=_split(pair_id),
        html=html,
        gold=plain_gold(gold) if marked else gold,
        url=address[1] if address else None,
        gold_marked=gold if marked else None,
    )


def _page_of_labels(name: str, pair_id: str, html: bytes) -> GoldPage:
    """Return a page with labelled text nodes; the attribute is removed, since it would give the answer away."""
    reader = _LabelReader()
    reader.feed(_decoded(html))
    reader.close()
    labels = tuple(reader.labels)
    html = LABEL_MARKUP.sub(b"", html)
    return GoldPage(corpus=name, id=pair_id, split=_split(pair_id), html=html, gold=_kept(labels), labels=labels)


def _split(pair_id: str) -> str:
    first = pair_id.partition("/")[0]
    return first if first != pair_id and first in SPLIT_FOLDERS else "all"


def _decoded(data: bytes) -> str:
    """Return the text of a gold file: UTF-8, or else the Windows encoding that was usual when CleanEval was made."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class _LabelReader(HTMLParser):
    """Collects text nodes with the label of the nearest element that has one, boilerplate if none has.

    The parser of the standard library is enough: labels sit directly around the text, so that a tree repaired in
    another way gives the same answer.
    """

    # fmt: off
    VOID: Final = frozenset((
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ))
    # fmt: on
    SILENT: Final = frozenset(("script", "style", "template"))

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[tuple[str, int]] = []
        self._open: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            inherited = self._open[-1][1] if self._open else 1
            content = dict(attrs).get(LABEL_ATTRIBUTE)
            self._open.append((tag, inherited if content is None else int(content != "1")))

    def handle_endtag(self, tag: str) -> None:
        if any(tag == name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(name in self.SILENT for name, _ in self._open):
            self.labels.append((" ".join(data.split()), self._open[-1][1] if self._open else 1))
