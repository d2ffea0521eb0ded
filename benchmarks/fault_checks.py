"""Faults that readers see: each check judges the Markdown that was written by the page and its gold text alone.

Nothing here knows how a page was extracted: tables, titles and words are read from the HTML, so that a rule of the
product and the check of its effect cannot share a mistake. A check returns one line per fault, to be looked at.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any, Final

from turbohtml import Element, Text, parse

WORD: Final = re.compile(r"[^\W_]+")
WORD_WITH_APOSTROPHE: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
TAG: Final = re.compile(r"<[^<>]{1,300}>")
CELL_END: Final = re.compile(r"(?<!\\)\|")
RULE: Final = re.compile(r"[\s|:-]+")
CODE: Final = re.compile(r"`[^`\n]*`")
MARKS: Final = re.compile(r"^(?:[#>*+-]+|\d+[.)])\s+")
NOT_TEXT: Final = frozenset({"script", "style", "template", "noscript", "textarea", "title", "head"})

Words = tuple[str, ...]


@dataclass(frozen=True)
class Written:
    """A page, its gold text and title, and the Markdown that was written of it."""

    html: str
    gold: str
    title: str
    markdown: str

    @cached_property
    def document(self) -> Any:
        """The tree of the page."""
        return parse(self.html)

    @cached_property
    def lines(self) -> list[str]:
        """The lines that are written outside of blocks of code; no empty ones."""
        lines, fence = [], ""
        for line in self.markdown.splitlines():
            opening = re.match(r"\s*(`{3,}|~{3,})", line)
            if opening and not fence:
                fence = opening[1]
            elif fence:
                fence = "" if line.strip().startswith(fence) else fence
            elif line.strip():
                lines.append(line.strip())
        return lines

    @cached_property
    def text(self) -> list[str]:
        """The same lines as a reader sees them: without marks, escapes and tags."""
        return [plain(line) for line in self.lines]

    @cached_property
    def grids(self) -> list[list[list[Words]]]:
        """The tables that are written: rows of cells of words."""
        grids = []
        for is_table, lines in groupby(self.lines, key=lambda line: line.startswith("|")):
            if is_table:
                rows = (CELL_END.split(line)[1:-1] for line in lines if not RULE.fullmatch(line))
                grids.append([[words(plain(cell)) for cell in row] for row in rows])
        return grids


def plain(markdown: str) -> str:
    """Return a line of Markdown without marks, escapes and tags.

    >>> plain(r"## A\\*b<br>c **d**")
    'A*b c d'
    """
    line = TAG.sub(" ", MARKS.sub("", markdown))
    return ESCAPE.sub(r"\1", re.sub(r"(?<!\\)\*+", "", line))


def words(text: str) -> Words:
    """Return the words of a text in lower case.

    >>> words("Don't panic_now")
    ('don', 't', 'panic', 'now')
    """
    return tuple(WORD.findall(text.lower()))


def text_nodes(element: Any) -> Iterator[Any]:
    """Yield the text nodes below an element that a reader may see."""
    for node in element.descendants:
        if isinstance(node, Text) and getattr(node.parent, "tag", None) not in NOT_TEXT:
            yield node


def words_of(element: Any) -> Words:
    """Return the words below an element, those of different elements apart."""
    return words(" ".join(node.data for node in text_nodes(element)))


# Tables


def data_tables(document: Any) -> Iterator[list[list[Words]]]:
    """Yield the tables that hold data, as rows of the words of their filled cells.

    A table of data has at least two rows of two filled cells, no table and no form inside, and no cell of 100 words.
    """
    for table in document.select("table"):
        if table.attr("role") in {"presentation", "none"} or table.select_one("table, form"):
            continue
        rows = [[words_of(cell) for cell in row.children if is_cell(cell)] for row in table.select("tr")]
        filled = [[cell for cell in row if cell] for row in rows]
        if sum(len(row) >= 2 for row in filled) >= 2 and max(len(cell) for row in filled for cell in row) < 100:
            yield [row for row in filled if row]


def is_cell(node: Any) -> bool:
    """Return whether a node is a cell of a table."""
    return isinstance(node, Element) and node.tag in {"td", "th"}


def matched_rows(table: list[list[Words]], grid: list[list[Words]]) -> list[tuple[int, int]]:
    """Return pairs of a row of a table and the row that is written of it, in order."""
    pairs, first = [], 0
    for written, row in enumerate(grid):
        cells = [cell for cell in row if cell]
        for source in range(first, len(table)):
            if cells and 2 * sum(cell in table[source] for cell in cells) >= len(cells):
                pairs.append((source, written))
                first = source + 1
                break
    return pairs


def written_tables(page: Written) -> Iterator[tuple[list[list[Words]], list[list[Words]], list[tuple[int, int]]]]:
    """Yield the tables of data that are written as a table, with what is written and the rows that match."""
    grids = list(page.grids)
    for table in data_tables(page.document):
        known = {cell for row in table for cell in row}
        for grid in grids:
            cells = [cell for row in grid for cell in row if cell]
            pairs = matched_rows(table, grid)
            if pairs and 2 * sum(cell in known for cell in cells) > len(cells):
                yield table, grid, pairs
                grids.remove(grid)  # of two tables with the same cells each is written once
                break


def tables_with_holes(page: Written) -> list[str]:
    """Return the tables of data of which a row is written without one of its cells."""
    found = []
    for table, grid, pairs in written_tables(page):
        holes = [
            cell
            for source, written in pairs
            for cell in table[source]
            if 3 * sum(word in {word for other in grid[written] for word in other} for word in cell) < len(cell)
        ]
        if holes:
            found.append(f"{len(holes)} cells: " + ", ".join(repr(" ".join(cell[:8])) for cell in holes[:5]))
    return found


def tables_with_missing_rows(page: Written) -> list[str]:
    """Return the tables of data of which some rows are written and others are not."""
    found = []
    for table, _, pairs in written_tables(page):
        missing = sorted(set(range(len(table))) - {source for source, _ in pairs})
        if missing:
            first = " | ".join(" ".join(cell[:8]) for cell in table[missing[0]][:4])
            found.append(f"{len(missing)} of {len(table)} rows: {first!r}")
    return found


# Headlines


def missing_headline(page: Written) -> list[str]:
    """Return the title of a page if none of the first five lines says it."""
    titles = [title for title in map(words, stated_titles(page)) if title]
    lines = [words(line) for line in page.text[:5]]
    if not lines or not titles or any(says(line, title) for line in lines for title in titles):
        return []
    return [" ".join(titles[0])]


def says(line: Words, title: Words) -> bool:
    """Return whether a line is a title, or begins with one of several words."""
    return similarity(line, title) >= 0.7 or (len(title) > 1 and line[: len(title)] == title)


def stated_titles(page: Written) -> Iterator[str]:
    """Yield what the gold, the head and the first heading of a page say its title is, and the parts of it."""
    stated = [page.title]
    for element in page.document.select("title, meta[property='og:title'], h1"):
        stated.append(element.attr("content") or "" if element.tag == "meta" else " ".join(words_of_title(element)))
    for title in stated[:1] + [title for title in stated[1:] if similarity(words(title), words(stated[0])) >= 0.5]:
        yield title
        yield from re.split(r"\s[|–—·•:»«-]\s|\s?\|\s?", title)[:1]


def words_of_title(element: Any) -> list[str]:
    """Return the text of an element, that of the head too."""
    return [node.data for node in element.descendants if isinstance(node, Text)]


def similarity(one: Words, other: Words) -> float:
    """Return the F1 of the words of two lines.

    >>> similarity(("rain", "again"), ("rain",)) > 0.66
    True
    """
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other)) if common else 0.0


# Repeated text


def repeated_text(page: Written) -> list[str]:
    """Return the lines of eight words or more that say again what was written before; rows of tables may.

    More than nine words of ten are in runs of eight that were written before, more often than the gold has them.
    """
    allowed = Counter(shingles(words(page.gold)))
    seen: Counter[Words] = Counter()
    found: list[str] = []
    for line, own in zip(page.lines, map(words, page.text), strict=True):
        repeated = [False] * len(own)
        for start, shingle in enumerate(shingles(own)):
            if seen[shingle] >= max(1, allowed[shingle]):
                repeated[start : start + 8] = [True] * 8
        if 10 * sum(repeated) > 9 * len(own) and not line.startswith("|"):
            found.append(" ".join(own))
        seen.update(shingles(own))
    return found


def shingles(text: Words) -> list[Words]:
    """Return all runs of eight words.

    >>> len(shingles(("a",) * 9))
    2
    """
    return [text[start : start + 8] for start in range(len(text) - 7)]


# Glued words


def glued_words(page: Written) -> list[str]:
    """Return the words that are written as one where two elements meet, and that the gold has apart, and only apart.

    A sentence that ends where the next element begins counts too ("…the end.Next").
    """
    apart = set(WORD_WITH_APOSTROPHE.findall(page.gold))
    text = "\n".join(page.text)
    found = []
    for left, mark, right in sorted(set(joints(page.document))):
        glued = left + mark + right
        if left in apart and right in apart and glued in text and glued not in page.gold:
            found += [glued] * len(re.findall(rf"(?<!\w){re.escape(glued)}(?!\w)", text))
    return found


def joints(document: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the words on both sides of each place where two elements meet without a blank, and a mark between them.

    Digits beside digits may be one number, and a small letter after a full stop a name with a point.
    """
    for before, after in pairwise(text_nodes(document)):
        left = re.search(r"([^\W_]+)([.!?:,;]?)\Z", before.data[-200:])
        right = WORD_WITH_APOSTROPHE.match(after.data[:200])
        if left is None or right is None or is_raised(before) or is_raised(after):
            continue
        first = right[0][0]
        if (left[2] in ".!?" and first.islower()) if left[2] else (left[1].isdigit() and right[0].isdigit()):
            continue
        yield left[1], left[2], right[0]


def is_raised(node: Any) -> bool:
    """Return whether text is raised or lowered, as a footnote is."""
    return any(getattr(above, "tag", None) in {"sup", "sub"} for above in node.ancestors)


# What is not prose

NOT_PROSE: Final = {
    "JSON": re.compile(r"""[{\[,]\s{0,9}["'][\w@$.-]{1,60}["']\s{0,9}:\s{0,9}["'\d{\[tfn]"""),
    "shortcode": re.compile(
        r"\[/?[a-z][a-z0-9]{1,30}(?:[_-][a-z0-9]{1,30}){1,6}(?:\s[^\]\[]{0,300})?\]"  # [vc_row], [contact-form-7 id=…]
        r"|\[[a-z][\w-]{1,40}(?:\s+[\w-]{1,40}=[\"'“”″&][^\]\[]{0,200})[^\]\[]{0,300}\]"  # [caption id="…"]
        r"|\[/(?:caption|gallery|embed|video|audio|table|row|column|button|tab|quote|url|img|b|i)\]"
    ),
    "template": re.compile(r"\{\{[^{}\n]{1,100}\}\}|\{%[^{}\n]{1,100}%\}|<%=?[^<>\n]{1,100}%>|\$\{[\w.]{1,60}\}"),
    "script": re.compile(r"\bfunction\s{0,3}\w{0,40}\([\w\s,$]{0,80}\)\s{0,3}\{|\bwindow\.\w{1,40}\s{0,3}[=(]"),
    "style sheet": re.compile(
        r"(?:[.#][\w-]{1,60}|@media[^{}]{1,80})\s{0,3}\{\s{0,9}[\w-]{2,40}\s{0,3}:[^{}]{1,200}[;}]"
    ),
}


def visible_code(page: Written) -> list[str]:
    """Return the lines with JSON, shortcodes, templates, scripts or style sheets that the gold does not have."""
    found = []
    gold = re.sub(r"\s+", "", page.gold)
    for line in (plain(CODE.sub(" ", line)) for line in page.lines):
        for kind, pattern in NOT_PROSE.items():
            match = pattern.search(line)
            if match and re.sub(r"\s+", "", match[0]) not in gold:
                found.append(f"{kind}: {line[max(0, match.start() - 20) : match.end() + 60]!r}")
                break
    return found


Check = Callable[[Written], Iterable[str]]
CHECKS: Final[dict[str, Check]] = {
    "tables with holes": tables_with_holes,
    "tables with rows missing": tables_with_missing_rows,
    "headline missing": missing_headline,
    "text repeated": repeated_text,
    "words glued": glued_words,
    "JSON or shortcodes": visible_code,
}
