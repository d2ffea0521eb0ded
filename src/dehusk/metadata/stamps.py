"""Stamps: the dates that readers see near a title, and whether they tell of writing or of changing."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dehusk.metadata.around import LONGEST, Line
from dehusk.metadata.beginnings import Beginnings
from dehusk.metadata.dates import machine, written
from dehusk.page.fast_scan import dated, holds, places_round

if TYPE_CHECKING:
    from dehusk.page import Page

RELATIVE: Final = frozenset({"relative-time"})
TIMES: Final = RELATIVE | {"time"}
LEVELS: Final = 3  # elements above a text among which a `time` is looked for
ROOM: Final = 60  # characters that may stand in a line beside its dates; with more of them it tells of something else
FOLLOW: Final = 3  # lines after the date of writing in which that of changing stands
FURTHEST: Final = 1 << 30  # lines: more than there are
# What is said of a date, in lower case with blanks round it: first of changing …
CHANGED: Final = (
    "updat", "modif", "edited", "revis", "reviewed", "changed", "aktualisier", "geändert", " stand", "mis à jour",
    "mise à jour", "actualiz", "aggiornat", "atualiz", "bijgewerkt", "gewijzigd", "aktualiz", "обновл", "измен",
    "uppdater", "ändrad", "opdater", "oppdater", "ενημερώ", "τροποπ", "更新", "修改", "수정",
)  # fmt: skip
# … then of something else: when a reader joined, an offer ends, a concert is.
ELSE: Final = (
    "©", "copyright", "joined", "member", "registered", "deadline", " due ", "expire", "valid", "born", "until",
    "through", "release", "event", " end ", " ends ", "starts", "opens", "next", "mitglied", "inscrit", "registrado",
    " as of ", "since", "available", "accessed", "retrieved", "visited",
)  # fmt: skip
MARKS: Final = " ,;:|•·-–—"

# At the start of a line, before a date.
BEFORE: Final = ("", "last ", "page last ", "date ", "first ", "originally ", "content last ")
AFTER: Final = ("posted", "published", "updated", "modified", "reviewed", "created")
LABELS: Final = (
    *(before + after for before in BEFORE for after in AFTER),
    "veröffentlicht", "erschienen", "aktualisiert", "zuletzt geändert", "stand:", "publié", "mis à jour", "publicado",
    "actualizado", "pubblicato", "aggiornato", "atualizado", "gepubliceerd", "geplaatst", "bijgewerkt", "opublikowano",
    "dodano", "aktualizacja", "опубликовано", "обновлено", "publicerad", "uppdaterad", "δημοσ", "ενημ", "公開日",
    "更新日", "发布时间", "发表于",
)  # fmt: skip
BEGINNINGS: Final = Beginnings(LABELS)
MOST_LABELS: Final = 50
NEAR: Final = 30  # characters between the start of such a line and its date


class Stamps(NamedTuple):
    """The first date of either sort, or ""."""

    published: str = ""
    modified: str = ""


def stamps(page: "Page", lines: list[Line], *, day_first: bool) -> Stamps:
    """Return the dates in the lines near the title, of which the nearest comes first.

    >>> from dehusk.metadata.around import lines_around
    >>> from dehusk.page import Page
    >>> page = Page.from_html("<h1>Title</h1><p>2 May 2024, updated 3 June 2024")
    >>> stamps(page, lines_around(page, 0), day_first=False)
    Stamps(published='2024-05-02', modified='2024-06-03')
    """
    times = _times(page, lines)
    published = modified = ""
    end = 0
    # Below the title comes before above it, since above stand the dates of other pieces too.
    for near, label, reach in dated(lines, times is not None, ROOM // 2):
        if published and (modified or reach > end):
            break
        for date, words in _dates(near, label, times, day_first=day_first):
            said = f" {words.lower()} "
            if holds(said, ELSE):
                continue
            if holds(said, CHANGED):
                modified = modified or date
            elif not published:
                # Above the title nothing is too far from a date that stands there.
                published, end = date, near[3] + FOLLOW if near[3] > 0 else FURTHEST
    return Stamps(published, modified)


def labelled(text: str, *, day_first: bool) -> Stamps:
    """Return the dates in a page's lines that say of themselves what they are: "Posted on May 2, 2024".

    >>> labelled("Posted on May 2, 2024\\nLast updated: June 3, 2024", day_first=False)
    Stamps(published='2024-05-02', modified='2024-06-03')
    """
    published = modified = ""
    for near, _, _ in islice(BEGINNINGS.lines(text), MOST_LABELS):
        days = written(near[:LONGEST], day_first=day_first)
        if not days or days[0].start > NEAR:
            continue
        said = f" {near[: days[0].start].lower()} "
        if holds(said, CHANGED):
            modified = modified or days[0].date
        else:
            published = published or days[0].date
    return Stamps(published, modified)


def _dates(near: Line, label: str, times: "_Times | None", *, day_first: bool) -> list[tuple[str, str]]:
    """Return the dates of a line, each with the words before it; where there are none, with the line before."""
    text, first, last, _ = near
    found: list[tuple[str, str]] = []
    reached, length = 0, len(text)
    for date, start, end in written(text, day_first=day_first):
        found.append((date, text[reached:start].strip(MARKS) or ("" if found else label)))
        reached, length = end, length - (end - start)
    if found and length <= ROOM:
        return found
    said = text if length <= ROOM else ""
    return [(date, said) for date in times.of(first, last)] if times else []


def _times(page: "Page", lines: list[Line]) -> "_Times | None":
    """Return the `time` elements in and round lines; None where there are none, as on most pages."""
    if not lines:
        return None
    tags, leaves = page.elements.tag, page.leaves
    # A page whose only times are for browsers without scripts shows its readers others, or none.
    wanted = TIMES if page.tree is not None and page.tree.select_one("time") is not None else RELATIVE
    first, last = min([near[1] for near in lines]), max([near[2] for near in lines])
    top, end = int(leaves.element[first]), int(leaves.opened[last - 1])
    # What was opened before the first leaf and is round a later one is round the first as well.
    found = places_round(tags, page.elements.parent, wanted, top, end)
    return _Times(page, frozenset(found)) if found else None


class _Times:
    """Some `time` elements, such as that of "3 days ago"."""

    __slots__ = ("_elements", "_found", "_holders")

    def __init__(self, page: "Page", found: frozenset[int]) -> None:
        self._elements, self._holders, self._found = page.elements, page.leaves.element, found

    def of(self, first: int, last: int) -> Iterator[str]:
        """Yield what the `time` elements round some leaves say."""
        parents = self._elements.parent
        for holder in dict.fromkeys(self._holders[first:last].tolist()):
            element = holder
            for _ in range(LEVELS):
                if element in self._found:
                    if date := self._said(element):
                        yield date
                    break
                element = parents[element] if element > 0 else 0

    def _said(self, element: int) -> str | None:
        attr: Any = getattr(self._elements.node[element], "attr", None)
        return machine(attr("datetime") or "") if attr else None
