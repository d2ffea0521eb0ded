"""Who: the authors of a page, from the most trusted source that names any."""

from collections.abc import Iterator

from dehusk.metadata import vocabulary
from dehusk.metadata.bylines import byline, signed
from dehusk.metadata.clean_text import folded, line
from dehusk.metadata.names import authors, shown
from dehusk.metadata.said import Said
from dehusk.metadata.tags import text_of

Claim = tuple[tuple[str, ...], str]


def authors_of(said: Said) -> Claim:
    """Return the authors and their origin.

    The site's own name, and a single word such as the name of an account, give way to a full name that readers see.
    """
    weak: Claim = ((), "")
    for names, origin in _claims(said):
        people = tuple(name for name in names if folded(name) not in said.sites)
        if any(" " in name for name in people):
            return people, origin
        weak = weak if weak[0] else (people or names, origin)
    return weak


def _claims(said: Said) -> Iterator[Claim]:
    """Yield who each source names, in the order of trust; sources that name nobody are passed over."""
    for names, origin in _told(said):
        if names:
            yield names, origin
    if said.is_piece:
        if names := byline(said.page, said.lines):
            yield names, "byline"
        yield from _marked(said)
        if names := signed(said.page.text):
            yield names, "byline"


def _told(said: Said) -> Iterator[Claim]:
    """Yield what programs are told."""
    meta = said.tags.meta
    yield authors(said.linked.authors()), "json-ld"
    yield _property(said), "microdata"
    label, card = vocabulary.CARD
    if "ritten" in said.tags.first(label):
        yield authors(meta.get(card, ())), "meta"
    for name in filter(meta.__contains__, vocabulary.AUTHOR):
        yield authors(meta[name]), vocabulary.AUTHOR[name]
    for names in (vocabulary.SCHOLAR, vocabulary.DUBLIN_CORE):
        if found := [name for name in names if name in meta]:
            yield authors([text for name in found for text in meta[name]], surname_first=True), names[found[0]]


def _property(said: Said) -> tuple[str, ...]:
    """Return the first author in microdata, if the piece has one to itself."""
    if not said.is_piece:
        return ()
    found = said.tags.properties.get("author") or said.tags.properties.get("creator")
    return shown(found[0], label=True, account=True) if found and len(line(found[0])) < 100 else ()


def _marked(said: Said) -> Iterator[Claim]:
    """Yield links to an author, and the author of the page as a file."""
    if names := authors([text_of(link) for link in said.tags.related("author")[:1]]):
        yield names, "rel"
    if names := authors([said.linked.string("author", node=said.linked.holder)]):
        yield names, "json-ld"
