"""Corpora: pages with gold text, from the project's sets or a user's own files, each page one `GoldPage`.

Two things are decided here and nowhere else: labels are turned round so that 1 = boilerplate, and which pages may be
trained on. The sets lie in the folder that DEHUSK_DATA names; `SETS` lists them.

A corpus has these parts, of which every page is in exactly one of the first four:

    train         may be trained on
    yardstick     a fifth of the sites of what could be trained on, kept for measuring
    never         the sets and splits that are only for measuring
    defect        could be trained on, but for a fault that `DEFECTS` names
    heldout       yardstick and never together: where the figures that we publish come from
    all           everything
    dev, test     the set's own splits; split:NAME is any other (split:train of googletrends2017)
    ncleaner674   the pages of cleaneval's test split that NCleaner's paper was measured on
"""

import gzip
import hashlib
import heapq
import io
import json
import logging
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit

from dehusk.errors import InputError, UsageError

LOG = logging.getLogger(__name__)

# Name → licence as stated, and the splits that may be trained on; a set without splits has one, "all". Whatever is not
# listed is never trained on, so that a new split is safe until someone decides.
SETS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "wcxb-dev": ("CC BY 4.0", ("dev",)),
    "cleaneval": ("none stated", ("dev",)),
    "googletrends2017": ("MIT", ("train", "dev")),
    "canola": ("CC BY-SA 4.0", ("all",)),
    "newspaper4k": ("Apache-2.0", ("all",)),
    "fundus": ("MIT", ("all",)),
    "daniel-dev": ("GPL-3.0", ("all",)),
    "l3s-gn1": ("research use only", ()),
    "cleanportaleval": ("none stated", ()),
    "snippets-dev": ("Apache-2.0", ()),
}
OWN_LICENCE: Final = "the user's own"
OWN_TRAIN_SPLITS: Final = ("all", "train", "dev")

EMPTY: Final = "the gold is empty"
TWICE: Final = "dev/60 and test/60 are one page with two golds"
UNLIKE: Final = "the gold is not of this page"
UNLABELLED: Final = "no node has a label"
DEFECTS: Final[dict[str, dict[str, str]]] = {
    "cleaneval": {
        **dict.fromkeys(("dev/32", "test/278", "test/329", "test/690", "test/697", "test/707", "test/795"), EMPTY),
        **dict.fromkeys(("dev/60", "test/60"), TWICE),
        **dict.fromkeys(("dev/47", "test/129"), UNLIKE),
    },
    "cleanportaleval": {"bbc.co.uk_news_04": EMPTY, "bbc.co.uk_news_05": EMPTY},
    "googletrends2017": {"gt_168": UNLABELLED},
}
# The gold of 64 of its 71 pages has character references in place of characters: there&#8217;s
ESCAPED: Final = frozenset(("cleanportaleval",))

# A fifth of the sites is a fifth of the pages only on average. The number is the first, counting from 1, that leaves
# 15 to 25 % of every set in the yardstick, and of each page type of wcxb-dev and language of daniel-dev at least 10 %.
# It was found before anything had been measured; a new one would make all figures incomparable.
YARDSTICK_SALT: Final = "yardstick-26:"
YARDSTICK_SHARE: Final = 5

# Labels under which a country registers names in place of itself: bbc.co.uk, sina.com.hk, asahi.or.jp.
# fmt: off
SECOND_LEVEL: Final = frozenset((
    "ac", "asn", "blog", "co", "com", "edu", "go", "gob", "gov", "id", "in", "mil", "ne", "net", "nom", "or", "org",
    "web",
))
# fmt: on
# daniel-dev has no addresses, but its ids hold the host: 20111121_www.biolog.pl_2ade212bc8
HOST_IN_ID: Final = re.compile(r"\d{8}_([\w.-]+\.[a-z]{2,})_[0-9a-f]+")

LABEL_ATTRIBUTE: Final = "__boilernet_label"
LABEL_MARKUP: Final = re.compile(rb"""\s+%b\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""" % LABEL_ATTRIBUTE.encode())
# The address may stand on the line after; where it is missing, the rest of the line goes.
CLEANEVAL_URL: Final = re.compile(r"\s*URL:(?:\s*(\w+://\S+))?[^\n]*\n?")
CLEANEVAL_MARK: Final = re.compile(r"</?[phl]>", re.IGNORECASE)
ONLY_A_COMMENT: Final = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*", re.DOTALL)

# Folders that part pages from gold: CleanEval's own (en_original and en_cleaned, finalrun-input and GoldStandard), and
# how others have laid it out again. They are left out of a page's id.
# fmt: off
ROLE_FOLDERS: Final = frozenset((
    "en_original", "zh_original", "en_cleaned", "zh_cleaned", "finalrun-input", "goldstandard", "input", "original",
    "orig", "cleaned", "clean", "gold", "html", "corrected", "text", "txt",
))
# fmt: on
GOLD_ENDINGS: Final = re.compile(r"(?:-cleaned|\.corrected|\.html?)+$", re.IGNORECASE)
SPLIT_FOLDERS: Final = frozenset(("train", "dev", "test", "eval"))
LINE_FILES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what people say its main text is.

    `gold` is None where there is no full text, only snippets that must come out (`wanted`) and must not (`unwanted`).
    `labels` has the page's text nodes in document order, **1 = boilerplate**. `html` is bytes where nobody has decoded
    it yet.
    """

    corpus: str
    id: str
    split: str
    html: str | bytes
    gold: str | None
    url: str | None = None
    language: str | None = None
    kind: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    gold_marked: str | None = None
    labels: tuple[tuple[str, int], ...] | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def site(self) -> str:
        """The site that the page is from: pages of one site are all trained on, or none of them is."""
        return site_of(self.url, self.id)

    @property
    def defect(self) -> str | None:
        """What is known to be wrong with this page of this set."""
        return DEFECTS.get(self.corpus, {}).get(self.id)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A set of pages with gold: where it lies, and which of its splits may be trained on."""

    name: str
    path: Path
    licence: str
    train_splits: tuple[str, ...]

    @property
    def trainable(self) -> bool:
        """Whether any page of it may be trained on."""
        return bool(self.train_splits)

    @property
    def sha256(self) -> str:
        """The hash of the file, or of the names and contents of a folder's files; worked out once a process."""
        state = self.path.stat()
        return _sha256(self.path, state.st_mtime_ns, state.st_size)

    def pages(
        self, part: str = "all", sample: int | None = None, seed: int = 0, skipped: Counter[str] | None = None
    ) -> Iterator[GoldPage]:
        """Yield the pages of a part, or a random `sample` of them.

        The sample depends on the ids and the seed, not on the order in the file, and is the beginning of every larger
        one. What cannot be used is left out and counted by reason in `skipped`, or logged where no counter is given.
        """
        wanted = self._selector(part)
        if sample is not None and sample < 1:
            raise UsageError(f"a sample must have at least 1 page, got {sample}; leave it out for all pages")
        pages = filter(wanted, self._read(skipped))
        if sample is None:
            return pages
        return iter(heapq.nsmallest(sample, pages, key=lambda page: _digest(f"{seed}:{page.id}")))

    def part_of(self, page: GoldPage) -> str:
        """Return which of the parts train, yardstick, never and defect a page is in."""
        if page.split not in self.train_splits:
            return "never"
        if page.defect:
            return "defect"
        return "yardstick" if in_yardstick(page.site) else "train"

    def counts(self) -> Counter[str]:
        """Return the number of pages in each part that has any, and under "all" their sum."""
        counts = Counter(self.part_of(page) for page in self.pages())
        counts["all"] = counts.total()
        return counts

    def _selector(self, part: str) -> Callable[[GoldPage], bool]:
        if part == "all":
            return lambda page: True
        if part in ("train", "yardstick", "never", "defect"):
            return lambda page: self.part_of(page) == part
        if part == "heldout":
            return lambda page: self.part_of(page) in ("yardstick", "never")
        if part in ("dev", "test") or part.startswith("split:"):
            return lambda page: page.split == part.removeprefix("split:")
        if part == "ncleaner674" and self.name == "cleaneval":
            return lambda page: page.split == "test" and page.defect not in (EMPTY, TWICE)
        raise UsageError(
            f"{self.name} has no part {part!r}; choose from all, train, yardstick, never, heldout, defect, dev, test"
            " and split:NAME, or ncleaner674 of cleaneval"
        )

    def _read(self, skipped: Counter[str] | None) -> Iterator[GoldPage]:
        """Yield every usable page once; an id that comes again would be one page too many in a paired comparison."""
        left_out: Counter[str] = Counter()
        seen: set[str] = set()
        for page in (_folder_pages if self.path.is_dir() else _line_pages)(self.name, self.path, left_out):
            if page.id in seen:
                left_out["id seen before"] += 1
                continue
            seen.add(page.id)
            yield page
        if skipped is not None:
            skipped.update(left_out)
        elif left_out:
            reasons = ", ".join(f"{count} × {reason}" for reason, count in sorted(left_out.items()))
            LOG.warning("%s: %d pages read, left out: %s", self.path, len(seen), reasons)


def open_corpus(name: str | Path) -> Corpus:
    """Return one of the project's sets by name, or a user's own data by path.

    A path is a file of JSON lines (plain, .gz or .zst; `html` with `gold` or `text`, `block_labels`, or `with` and
    `without`) or a folder: `page.html` beside `page.txt`, CleanEval's layout, or pages whose text nodes carry
    `__boilernet_label`. A copy of a file of the project's keeps its rules; of a user's own data everything may be
    trained on but the yardstick and the splits that are not called train or dev.

    >>> open_corpus("wcbx-dev")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    dehusk.errors.UsageError: 'wcbx-dev' is neither a corpus (wcxb-dev, cleaneval, ...) nor a file or folder; ...
    """
    path = Path(name)
    if str(name) in SETS:
        return _project_set(str(name), _data_folder() / f"{name}.jsonl.zst")
    if not path.exists():
        raise UsageError(
            f"{str(name)!r} is neither a corpus ({', '.join(SETS)}) nor a file or folder; check the spelling"
        )
    if path.is_file() and not path.name.endswith(LINE_FILES):
        raise UsageError(
            f"{path} is a file of an unknown kind; expected a folder or JSON lines ({', '.join(LINE_FILES)})"
        )
    stem = path.resolve().name.partition(".jsonl")[0]
    if path.is_file() and stem in SETS:
        return _project_set(stem, path)
    return Corpus(stem, path, OWN_LICENCE, OWN_TRAIN_SPLITS)


def in_yardstick(site: str) -> bool:
    """Whether the pages of a site are kept for measuring: the same answer in every set, version and process.

    The rule: BLAKE2b of `YARDSTICK_SALT` and the site, as a big-endian number of 8 bytes, can be divided by 5.

    >>> in_yardstick("stackoverflow.com"), in_yardstick("wikipedia.org")
    (True, False)
    """
    return _digest(YARDSTICK_SALT + site) % YARDSTICK_SHARE == 0


def site_of(url: str | None, page_id: str) -> str:
    """Return the registrable part of a page's host, or its id where no host is known.

    The rule, without the public suffix list: the last two labels of the host, or three where a two-letter country code
    follows one of `SECOND_LEVEL`. All blogs of a platform are one site: they share their templates.

    >>> site_of("https://www.news.bbc.co.uk:80/a", "7"), site_of("http://me.blogspot.com/", "8"), site_of(None, "gt_9")
    ('bbc.co.uk', 'blogspot.com', 'gt_9')
    >>> site_of(None, "20111121_www.biolog.pl_2ade212bc8"), site_of("http://127.0.0.1/page", "9")
    ('biolog.pl', '127.0.0.1')
    """
    host = _host(url)
    if not host and (found := HOST_IN_ID.fullmatch(page_id)):
        host = found[1]
    labels = host.split(".")
    if len(labels) < 3 or labels[-1].isdigit():
        return host or page_id
    return ".".join(labels[-3:] if len(labels[-1]) == 2 and labels[-2] in SECOND_LEVEL else labels[-2:])


def _host(url: str | None) -> str:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # such as "http://[half an IPv6 address"
        return ""
    return host.rstrip(".").removeprefix("www.")


def plain_gold(marked: str) -> str:
    r"""Return gold in CleanEval's format without the address and the marks, white space made single.

    >>> plain_gold("URL: http://a.org/\n\n<h>A title\n\n<p>One\n   sentence.\n<l>An item")
    'A title\nOne\nsentence.\nAn item'
    """
    address = CLEANEVAL_URL.match(marked)
    text = CLEANEVAL_MARK.sub("\n", marked[address.end() :] if address else marked)
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())


def _data_folder() -> Path:
    folder = os.environ.get("DEHUSK_DATA")
    if not folder:
        raise InputError(
            "DEHUSK_DATA is not set; set it to the folder that holds data/pages, or name a file of your own"
        )
    return Path(folder) / "data" / "pages"


def _project_set(name: str, path: Path) -> Corpus:
    if not path.is_file():
        at_hand = ", ".join(sorted(found.name for found in path.parent.glob("*.jsonl.zst"))) or "no set at all"
        raise InputError(f"{path} is not there; found {at_hand}; put the file there or let DEHUSK_DATA name its folder")
    licence, train_splits = SETS[name]
    return Corpus(name, path, licence, train_splits)


def _line_pages(name: str, path: Path, left_out: Counter[str]) -> Iterator[GoldPage]:
    for number, line in enumerate(_lines(path), start=1):
        try:
            yield _page_of_line(name, line)
        except _UnusableError as error:
            left_out[str(error)] += 1
            LOG.debug("%s, line %d: %s", path, number, error)


class _UnusableError(Exception):
    """A page that cannot be used; the message is the reason under which it is counted."""


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
    gold = _gold(row, labels)
    if gold is None and not wanted and not unwanted:
        raise _UnusableError("line has no gold")
    return GoldPage(
        corpus=name,
        # A page without an id is named by its content: unlike a line number, that stays when the file is sorted.
        id=_string(row.get("id")) or hashlib.blake2b(line.strip(), digest_size=8).hexdigest(),
        split=_string(row.get("split")) or "all",
        html=row["html"],
        gold=gold,
        url=_string(row.get("url")),
        language=_primary(_string(row.get("lang") or row.get("language"))),
        kind=_string(row.get("page_type")),
        title=_string(row.get("title")),
        author=_string(row.get("author")),
        date=_string(row.get("date")),
        gold_marked=_string(row.get("gold_marked")),
        labels=labels,
        wanted=wanted,
        unwanted=unwanted,
    )


def _gold(row: dict[str, Any], labels: tuple[tuple[str, int], ...] | None) -> str | None:
    """Return the gold text of a row, or what its labels keep where it has no text of its own."""
    for key in ("gold", "text"):
        if isinstance(row.get(key), str):
            gold = _whole(row[key])
            return "" if ONLY_A_COMMENT.fullmatch(gold) else gold
    return None if labels is None else _kept(labels)


def _labels(value: object) -> tuple[tuple[str, int], ...] | None:
    """Turn labels round: files say 1 = content, `GoldPage` says 1 = boilerplate.

    >>> _labels([["Home", 0], ["It rained.", 1]])
    (('Home', 1), ('It rained.', 0))
    """
    if value is None:
        return None
    try:
        labels = tuple((_whole(text), 1 - int(content)) for text, content in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError, AttributeError):
        raise _UnusableError("block_labels are not pairs of text and 0 or 1") from None
    if any(label not in (0, 1) for _, label in labels):
        raise _UnusableError("block_labels are not pairs of text and 0 or 1")
    return labels


def _kept(labels: tuple[tuple[str, int], ...]) -> str:
    return "\n".join(text.strip() for text, boilerplate in labels if not boilerplate)


def _snippets(value: object) -> tuple[str, ...]:
    return tuple(_whole(text) for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _string(value: object) -> str | None:
    """Return a field as text, several values joined; None where there is nothing in it.

    >>> _string(["Ada", "Bo"]), _string(12), _string(""), _string(None)
    ('Ada, Bo', '12', None, None)
    """
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value)
    return _whole(str(value)).strip() or None if isinstance(value, (str, int)) else None


def _whole(text: str) -> str:
    r"""Return text that can be encoded: JSON can hold halves of surrogate pairs, which no encoder takes.

    >>> _whole("ok"), _whole("half \ud800")
    ('ok', 'half �')
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _primary(tag: str | None) -> str | None:
    """Return the primary subtag: en of en-US."""
    return re.split("[-_]", tag.lower())[0] if tag else None


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, unpacked by its ending."""
    count = 0
    with path.open("rb") as file:
        lines, broken = _unpacked(file, path.suffix)
        try:
            for line in lines:
                count += 1
                yield line
        except (OSError, EOFError, broken) as error:
            raise InputError(f"{path} breaks off after {count} lines ({error}); copy or pack it again") from error


def _unpacked(file: IO[bytes], suffix: str) -> tuple[Iterable[bytes], type[Exception]]:
    """Return the lines behind a compression, and the error by which it says that the file is damaged."""
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=file), zlib.error
    if suffix != ".zst":
        return file, OSError
    try:
        import zstandard  # noqa: PLC0415  (only .zst needs it; the extra "eval" brings it)
    except ImportError:
        raise InputError("reading .zst needs the package zstandard; pip install 'dehusk[eval]'") from None
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return io.BufferedReader(reader), zstandard.ZstdError


def _folder_pages(name: str, folder: Path, left_out: Counter[str]) -> Iterator[GoldPage]:
    """Yield the pages below a folder with the gold text beside them, in a twin folder, or in their labels."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    golds = {_pair_id(folder, path): path for path in files if path.suffix.lower() == ".txt"}
    found = [path for path in files if path.suffix.lower() in (".html", ".htm")]
    pages = {_pair_id(folder, path): path for path in found}
    if twins := len(found) - len(pages):
        left_out["page of the same name as another"] += twins
    if not pages:
        raise InputError(f"{folder} holds {len(files)} files but no .html; expected page.html beside page.txt")
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
    """Return what a page and its gold have in common.

    >>> base = Path("set")
    >>> [_pair_id(base, base / name) for name in ("dev/en_original/7.html", "dev/en_cleaned/7-cleaned.txt", "a.txt")]
    ['dev/7', 'dev/7', 'a']
    """
    folders = (part for part in path.relative_to(folder).parts[:-1] if part.lower() not in ROLE_FOLDERS)
    return "/".join((*folders, GOLD_ENDINGS.sub("", path.stem)))


def _page_of_pair(name: str, pair_id: str, html: bytes, gold: str) -> GoldPage:
    address = CLEANEVAL_URL.match(gold)
    marked = address is not None or CLEANEVAL_MARK.match(gold.lstrip()) is not None
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
    """Return a page whose text nodes are labelled; the attribute is taken out, or it would give the answer away."""
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
    """Return the text of a gold file: UTF-8, or where it is not, the Windows encoding of the time of CleanEval."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class _LabelReader(HTMLParser):
    """Collects text nodes with their labels: that of the nearest element that has one, boilerplate where none has.

    The parser of the standard library is enough: labels sit right round the text, so a tree repaired in another way
    gives the same answer, and one file of the project alone knows the real parser.
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


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@cache
def _sha256(path: Path, changed: int, size: int) -> str:
    """Return the hash of a file or folder; `changed` and `size` are there so that a new file gets a new answer."""
    if path.is_file():
        return _file_sha256(path)
    whole = hashlib.sha256()
    for each in sorted(found for found in path.rglob("*") if found.is_file()):
        whole.update(f"{each.relative_to(path).as_posix()}\0{_file_sha256(each)}\n".encode())
    return whole.hexdigest()


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
