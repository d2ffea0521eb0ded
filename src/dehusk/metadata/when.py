"""When: the days on which a page was published and changed, from the most trusted source that tells any."""

from typing import NamedTuple

from dehusk.metadata import vocabulary
from dehusk.metadata.clean_text import line
from dehusk.metadata.dates import in_address, iso, machine
from dehusk.metadata.said import Said
from dehusk.metadata.stamps import Stamps, labelled, stamps

MOST_TIMES = 20  # `time` elements that are looked at
Found = tuple[str, str] | None  # a date and its origin


class Dates(NamedTuple):
    """Each date with its origin, or None."""

    published: Found
    modified: Found


def dates_of(said: Said) -> Dates:
    """Return when the page was published and when it was changed."""
    day_first = said.day_first
    near = stamps(said.page, said.lines, day_first=day_first) if said.is_piece else Stamps()
    published = _published(said, day_first=day_first)
    # A page that shows an earlier day than programs are told has been moved, or is stamped in another time zone.
    if near.published and (published is None or near.published[:10] < published[0][:10]):
        published = near.published, "text"
    modified = (near.modified, "text") if near.modified else _modified(said, day_first=day_first)
    if said.is_piece and published is None:
        found = labelled(said.page.text, day_first=day_first)
        published = _last_resort(said, found, day_first=day_first)
        if modified is None and found.modified:
            modified = found.modified, "text"
    return Dates(published, modified)


def _published(said: Said, *, day_first: bool) -> Found:
    linked = said.linked
    return (
        _read("json-ld", linked.string("datePublished"), day_first=day_first)
        or _read("json-ld", linked.string("uploadDate"), day_first=day_first)
        or _told(said, vocabulary.PUBLISHED, day_first=day_first)
        or _marked(said, "datepublished", day_first=day_first)
        or _marked(said, "datecreated", day_first=day_first)
        or _read("json-ld", linked.string("dateCreated"), day_first=day_first)
    )


def _modified(said: Said, *, day_first: bool) -> Found:
    linked = said.linked
    return (
        _read("json-ld", linked.string("dateModified"), day_first=day_first)
        or _told(said, vocabulary.MODIFIED, day_first=day_first)
        or _marked(said, "datemodified", day_first=day_first)
        or _read("json-ld", linked.string("dateModified", node=linked.holder), day_first=day_first)
    )


def _last_resort(said: Said, found: Stamps, *, day_first: bool) -> Found:
    """Return what is left where neither programs nor readers are told near the title."""
    linked, page = said.linked, said.page
    if day := _read("json-ld", linked.string("datePublished", node=linked.holder), day_first=day_first):
        return day
    if filed := in_address(page.url or ""):
        return filed, "url"
    if found.published:
        return found.published, "text"
    for node in page.tree.select("time")[:MOST_TIMES] if page.tree else ():
        if day := _read("time", node.attr("datetime") or node.to_text(), day_first=day_first):
            return day
    return None


def _told(said: Said, names: vocabulary.Vocabulary, *, day_first: bool) -> Found:
    for text, origin in said.meta(names):
        if day := _read(origin, text, day_first=day_first):
            return day
    return None


def _marked(said: Said, name: str, *, day_first: bool) -> Found:
    """Return the first date that microdata has under a name, if the piece has one to itself."""
    found = said.tags.properties.get(name) if said.is_piece else None
    return _read("microdata", found[0], day_first=day_first) if found else None


def _read(origin: str, value: str, *, day_first: bool) -> Found:
    # Nearly all are in ISO 8601, for which it does not matter what the page's readers write first.
    if value and (day := iso(text := line(value)) or machine(text, day_first=day_first)):
        return day, origin
    return None
