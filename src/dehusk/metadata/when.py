"""When: the days on which a page was published and changed, from the most trusted source that tells any."""

from collections.abc import Iterator
from typing import NamedTuple

from dehusk.metadata import vocabulary
from dehusk.metadata.dates import in_address, iso, machine
from dehusk.metadata.lines import line
from dehusk.metadata.said import Said
from dehusk.metadata.stamps import Stamps, labelled, stamps

MOST_TIMES = 20  # `time` elements that are looked at


class Dates(NamedTuple):
    """Each date with its origin, or None."""

    published: tuple[str, str] | None
    modified: tuple[str, str] | None


def dates_of(said: Said) -> Dates:
    """Return when the page was published and when it was changed."""
    near = stamps(said.page, said.lines, day_first=said.day_first) if said.is_piece else Stamps()
    published = next(_published(said), None)
    # A page that shows an earlier day than programs are told has been moved, or is stamped in another time zone.
    if near.published and (published is None or near.published[:10] < published[0][:10]):
        published = near.published, "text"
    modified = (near.modified, "text") if near.modified else next(_modified(said), None)
    if said.is_piece and published is None:
        found = labelled(said.page.text, day_first=said.day_first)
        published = next(_last_resort(said, found), None)
        if modified is None and found.modified:
            modified = found.modified, "text"
    return Dates(published, modified)


def _published(said: Said) -> Iterator[tuple[str, str]]:
    linked, tags = said.linked, said.tags
    yield from _read(said, "json-ld", linked.string("datePublished"), linked.string("uploadDate"))
    yield from _vocabularies(said, vocabulary.PUBLISHED)
    if said.is_piece:
        yield from _read(said, "microdata", *_firsts(tags.properties, "datepublished", "datecreated"))
    yield from _read(said, "json-ld", linked.string("dateCreated"))


def _modified(said: Said) -> Iterator[tuple[str, str]]:
    yield from _read(said, "json-ld", said.linked.string("dateModified"))
    yield from _vocabularies(said, vocabulary.MODIFIED)
    if said.is_piece:
        yield from _read(said, "microdata", *_firsts(said.tags.properties, "datemodified"))
    yield from _read(said, "json-ld", said.linked.string("dateModified", node=said.linked.holder))


def _last_resort(said: Said, found: Stamps) -> Iterator[tuple[str, str]]:
    """Yield what is left where neither programs nor readers are told near the title."""
    yield from _read(said, "json-ld", said.linked.string("datePublished", node=said.linked.holder))
    if day := in_address(said.page.url or ""):
        yield day, "url"
    if found.published:
        yield found.published, "text"
    for node in said.page.tree.select("time")[:MOST_TIMES] if said.page.tree else ():
        yield from _read(said, "time", node.attr("datetime") or node.to_text())


def _vocabularies(said: Said, vocabularies: vocabulary.Vocabularies) -> Iterator[tuple[str, str]]:
    for text, origin in said.meta(vocabularies):
        yield from _read(said, origin, text)


def _read(said: Said, origin: str, *values: str) -> Iterator[tuple[str, str]]:
    for value in values:
        # Nearly all are in ISO 8601, for which it does not matter what the page's readers write first.
        if value and (day := iso(text := line(value)) or machine(text, day_first=said.day_first)):
            yield day, origin


def _firsts(properties: dict[str, list[str]], *names: str) -> list[str]:
    return [found[0] for name in names if (found := properties.get(name))]
