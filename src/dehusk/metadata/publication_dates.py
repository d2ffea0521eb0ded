"""Publication dates: when a page was published and modified, from the most trusted source that says so.

Sources are JSON-LD, `meta` elements, microdata, the dates that readers see near the title, the address and `time`.
"""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dehusk.metadata import meta_names
from dehusk.metadata.claims import Claim, Claims
from dehusk.metadata.date_parsing import date_in_url, find_dates, parse_date, parse_iso_date
from dehusk.metadata.fast_clean_text import clean_line
from dehusk.metadata.fast_title_context import MAX_LINE_LENGTH, TitleLine, contains_any, dated_lines
from dehusk.metadata.line_prefixes import LinePrefixes
from dehusk.page.fast_scan import elements_with_tags_around

if TYPE_CHECKING:
    from dehusk.page import Page

MAX_TIMES: Final = 20  # `time` elements that are read
RELATIVE_TIME: Final = frozenset({"relative-time"})
TIME_TAGS: Final = RELATIVE_TIME | {"time"}
TIME_LEVELS: Final = 3  # ancestors of a text among which a `time` is looked for
MAX_OTHER_TEXT: Final = 60  # characters in a line beside its dates; a line with more is about something else
MODIFIED_WITHIN: Final = 3  # lines after the publication date in which the date of the last change may be
NO_LIMIT: Final = 1 << 30  # lines
# Words before a date, in lower case with a blank at both ends, that mean a change …
MODIFIED_WORDS: Final = (
    "updat", "modif", "edited", "revis", "reviewed", "changed", "aktualisier", "geändert", " stand", "mis à jour",
    "mise à jour", "actualiz", "aggiornat", "atualiz", "bijgewerkt", "gewijzigd", "aktualiz", "обновл", "измен",
    "uppdater", "ändrad", "opdater", "oppdater", "ενημερώ", "τροποπ", "更新", "修改", "수정",
)  # fmt: skip
# … or something else: when a reader joined, an offer ends, a concert takes place.
OTHER_EVENT_WORDS: Final = (
    "©", "copyright", "joined", "member", "registered", "deadline", " due ", "expire", "valid", "born", "until",
    "through", "release", "event", " end ", " ends ", "starts", "opens", "next", "mitglied", "inscrit", "registrado",
    " as of ", "since", "available", "accessed", "retrieved", "visited",
)  # fmt: skip
PUNCTUATION: Final = " ,;:|•·-–—"

# At the start of a line, before a date.
LABEL_STARTS: Final = ("", "last ", "page last ", "date ", "first ", "originally ", "content last ")
LABEL_ENDS: Final = ("posted", "published", "updated", "modified", "reviewed", "created")
DATE_LABELS: Final = LinePrefixes((
    *(start + end for start in LABEL_STARTS for end in LABEL_ENDS),
    "veröffentlicht", "erschienen", "aktualisiert", "zuletzt geändert", "stand:", "publié", "mis à jour", "publicado",
    "actualizado", "pubblicato", "aggiornato", "atualizado", "gepubliceerd", "geplaatst", "bijgewerkt", "opublikowano",
    "dodano", "aktualizacja", "опубликовано", "обновлено", "publicerad", "uppdaterad", "δημοσ", "ενημ", "公開日",
    "更新日", "发布时间", "发表于",
))  # fmt: skip
MAX_LABELLED_LINES: Final = 50
MAX_LABEL_LENGTH: Final = 30  # characters between the start of such a line and its date


class Dates(NamedTuple):
    """Both dates with their origins, or None."""

    published: Claim | None
    modified: Claim | None


class VisibleDates(NamedTuple):
    """The first date of each sort that readers see, or ""."""

    published: str = ""
    modified: str = ""


def dates_of(claims: Claims) -> Dates:
    """Return when the page was published and when it was last modified."""
    day_first, shows_dates = claims.day_first, claims.has_own_byline
    visible = dates_near_title(claims.page, claims.title_lines, day_first=day_first) if shows_dates else VisibleDates()
    published = _published(claims, day_first=day_first)
    # A page that shows an earlier date than its markup was moved, or its markup is in another time zone.
    if visible.published and (published is None or visible.published[:10] < published[0][:10]):
        published = visible.published, "text"
    modified = (visible.modified, "text") if visible.modified else _modified(claims, day_first=day_first)
    if shows_dates and published is None:
        labelled = labelled_dates(claims.page.text, day_first=day_first)
        published = _last_resort(claims, labelled, day_first=day_first)
        if modified is None and labelled.modified:
            modified = labelled.modified, "text"
    return Dates(published, modified)


def _published(claims: Claims, *, day_first: bool) -> Claim | None:
    json_ld = claims.json_ld
    return (
        _parse("json-ld", json_ld.string("datePublished"), day_first=day_first)
        or _parse("json-ld", json_ld.string("uploadDate"), day_first=day_first)
        or _meta_date(claims, meta_names.PUBLISHED, day_first=day_first)
        or _microdata_date(claims, "datepublished", day_first=day_first)
        or _microdata_date(claims, "datecreated", day_first=day_first)
        or _parse("json-ld", json_ld.string("dateCreated"), day_first=day_first)
    )


def _modified(claims: Claims, *, day_first: bool) -> Claim | None:
    json_ld = claims.json_ld
    return (
        _parse("json-ld", json_ld.string("dateModified"), day_first=day_first)
        or _meta_date(claims, meta_names.MODIFIED, day_first=day_first)
        or _microdata_date(claims, "datemodified", day_first=day_first)
        or _parse("json-ld", json_ld.string("dateModified", node=json_ld.page_node), day_first=day_first)
    )


def _last_resort(claims: Claims, labelled: VisibleDates, *, day_first: bool) -> Claim | None:
    """Return a publication date from the least trusted sources."""
    json_ld, page = claims.json_ld, claims.page
    if date := _parse("json-ld", json_ld.string("datePublished", node=json_ld.page_node), day_first=day_first):
        return date
    if in_url := date_in_url(page.url or ""):
        return in_url, "url"
    if labelled.published:
        return labelled.published, "text"
    for node in page.tree.select("time")[:MAX_TIMES] if page.tree else ():
        if date := _parse("time", node.attr("datetime") or node.to_text(), day_first=day_first):
            return date
    return None


def _meta_date(claims: Claims, names: meta_names.MetaNames, *, day_first: bool) -> Claim | None:
    for value, origin in claims.meta(names):
        if date := _parse(origin, value, day_first=day_first):
            return date
    return None


def _microdata_date(claims: Claims, name: str, *, day_first: bool) -> Claim | None:
    values = claims.markup.microdata.get(name) if claims.has_own_byline else None
    return _parse("microdata", values[0], day_first=day_first) if values else None


def _parse(origin: str, value: str, *, day_first: bool) -> Claim | None:
    # Nearly all are in ISO 8601, which is tried first.
    if value and (date := parse_iso_date(text := clean_line(value)) or parse_date(text, day_first=day_first)):
        return date, origin
    return None


def dates_near_title(page: "Page", lines: list[TitleLine], *, day_first: bool) -> VisibleDates:
    """Return the dates in the lines near the title, which come nearest first.

    >>> from dehusk.metadata.fast_title_context import lines_near
    >>> from dehusk.page import Page
    >>> page = Page.from_html("<h1>Title</h1><p>2 May 2024, updated 3 June 2024")
    >>> dates_near_title(page, lines_near(page.text, page.leaves, 0), day_first=False)
    VisibleDates(published='2024-05-02', modified='2024-06-03')
    """
    times = _times_near(page, lines)
    published = modified = ""
    last = 0
    # Below the title first, since the dates above it may be those of other articles.
    for line, label, reach in dated_lines(lines, times is not None, MAX_OTHER_TEXT // 2):
        if published and (modified or reach > last):
            break
        for date, words in _dates_in_line(line, label, times, day_first=day_first):
            padded = f" {words.lower()} "
            if contains_any(padded, OTHER_EVENT_WORDS):
                continue
            if contains_any(padded, MODIFIED_WORDS):
                modified = modified or date
            elif not published:
                published, last = date, line.distance + MODIFIED_WITHIN if line.distance > 0 else NO_LIMIT
    return VisibleDates(published, modified)


def labelled_dates(text: str, *, day_first: bool) -> VisibleDates:
    """Return the dates in lines of a page that begin with a label: "Posted on May 2, 2024".

    >>> labelled_dates("Posted on May 2, 2024\\nLast updated: June 3, 2024", day_first=False)
    VisibleDates(published='2024-05-02', modified='2024-06-03')
    """
    published = modified = ""
    for line in islice(DATE_LABELS.lines(text), MAX_LABELLED_LINES):
        dates = find_dates(line.text[:MAX_LINE_LENGTH], day_first=day_first)
        if not dates or dates[0].start > MAX_LABEL_LENGTH:
            continue
        if contains_any(f" {line.text[: dates[0].start].lower()} ", MODIFIED_WORDS):
            modified = modified or dates[0].date
        else:
            published = published or dates[0].date
    return VisibleDates(published, modified)


def _dates_in_line(line: TitleLine, label: str, times: "_Times | None", *, day_first: bool) -> list[tuple[str, str]]:
    """Return the dates of a line, each with the words before it; without any, the first has the label."""
    text = line.text
    dates: list[tuple[str, str]] = []
    reached, other_text = 0, len(text)
    for date, start, end in find_dates(text, day_first=day_first):
        dates.append((date, text[reached:start].strip(PUNCTUATION) or ("" if dates else label)))
        reached, other_text = end, other_text - (end - start)
    if dates and other_text <= MAX_OTHER_TEXT:
        return dates
    words = text if other_text <= MAX_OTHER_TEXT else ""
    return [(date, words) for date in times.dates(line.first, line.last)] if times else []


def _times_near(page: "Page", lines: list[TitleLine]) -> "_Times | None":
    """Return the `time` elements in and around lines; None if there are none, as on most pages."""
    if not lines:
        return None
    tags, leaves = page.elements.tag, page.leaves
    # If the only `time` elements are in `noscript`, which is not in the tree, readers see other dates or none.
    time_tags = TIME_TAGS if page.tree is not None and page.tree.select_one("time") is not None else RELATIVE_TIME
    first, last = min([line.first for line in lines]), max([line.last for line in lines])
    top, end = int(leaves.element[first]), int(leaves.opened[last - 1])
    # An element that was opened before the first leaf and contains a later one contains the first as well.
    times = elements_with_tags_around(tags, page.elements.parent, time_tags, top, end)
    return _Times(page, frozenset(times)) if times else None


class _Times:
    """Some `time` elements, such as that of "3 days ago"."""

    __slots__ = ("_elements", "_holders", "_times")

    def __init__(self, page: "Page", times: frozenset[int]) -> None:
        self._elements, self._holders, self._times = page.elements, page.leaves.element, times

    def dates(self, first: int, last: int) -> Iterator[str]:
        """Yield the dates of the `time` elements around leaves."""
        parents = self._elements.parent
        for holder in dict.fromkeys(self._holders[first:last].tolist()):
            element = holder
            for _ in range(TIME_LEVELS):
                if element in self._times:
                    attr: Any = getattr(self._elements.node[element], "attr", None)
                    if attr and (date := parse_date(attr("datetime") or "")):
                        yield date
                    break
                element = parents[element] if element > 0 else 0
