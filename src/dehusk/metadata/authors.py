"""Authors: the names in bylines, `meta` elements, microdata and JSON-LD, from the most trusted source that has any."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from dehusk.metadata import meta_names
from dehusk.metadata.claims import Claims, link_text
from dehusk.metadata.date_parsing import find_dates, month_number
from dehusk.metadata.fast_clean_text import clean_line, folded
from dehusk.metadata.fast_title_context import MAX_LINE_LENGTH, AuthorMarks, TitleLine
from dehusk.metadata.line_prefixes import LinePrefixes

if TYPE_CHECKING:
    from dehusk.page import Page

Names = tuple[str, ...]
NamesClaim = tuple[Names, str]  # names and their origin
MAX_NAME_LENGTH: Final = 60  # characters
MAX_NAME_WORDS: Final = 6
MAX_AUTHORS: Final = 50
MAX_SIGNED_LINES: Final = 50

# "By" in many languages, in front of a name.
BY: Final = (
    r"(?:(?:(?:written|posted|published|words|text|story|report(?:ing|ed)|article|authored|contributed|created|started"
    r"|submitted|asked|opinion|guest post)\s?)?by|author|thread starter|"
    r"(?:geschrieben |verfasst |ein beitrag |text )?von|autor(?:in|en|a|es|zy)?|"
    r"(?:écrit |publié |rédigé )?par|auteurs?|(?:escrito |publicado )?por|(?:scritto |articolo |a cura )?d[ai]|autore|"
    r"(?:geschreven )?door|(?:skriven |text )?av|(?:skrevet )?af|przez|автор|текст|γράφ(?:ει|ουν)|του|της|από|"
    r"作者|記者|记者|文|著者|글|بقلم|الكاتبة?|كتبت?(?=\s?:))"
)
# Lines without the last word of one of these are not searched for a byline.
# fmt: off
BY_WORDS: Final = frozenset((
    "by", "author", "starter", "von", "autor", "autorin", "autoren", "autora", "autores", "autorzy", "par", "auteur",
    "auteurs", "por", "da", "di", "autore", "door", "av", "af", "przez", "автор", "текст", "γράφει", "γράφουν", "του",
    "της", "από", "作者", "記者", "记者", "文", "著者", "글", "بقلم", "الكاتب", "الكاتبة", "كتب", "كتبت",
))
# These may be glued to the name, where a style sheet adds the blank.
BY_PREFIXES: Final = ("By", "by", "作者", "記者", "记者", "文", "著者", "글")
# Below an article, at the start of a line; "by" alone would find quotations there.
SIGNATURES: Final = LinePrefixes((
    "written by", "authored by", "words by", "story by", "article by", "post by", "this post was written by",
    "this article was written by", "author", "autor", "autorin", "écrit par", "escrito por", "scritto da",
    "geschreven door", "автор",
))
ROLES: Final = frozenset(folded(word) for word in (
    "administrator", "advisor", "analyst", "associate", "attorney", "author", "blogger", "ceo", "chief", "coach",
    "columnist", "consultant", "contributing", "contributor", "coordinator", "correspondent", "creator", "cto",
    "designer", "developer", "dietitian", "director", "editor", "editor-in-chief", "engineer", "expert", "founder",
    "co-founder", "freelance", "journalist", "lecturer", "manager", "nutritionist", "officer", "owner", "photographer",
    "president", "producer", "professor", "reporter", "representative", "researcher", "reviewer", "senior",
    "specialist", "strategist", "teacher", "therapist", "writer", "redakteur", "redakteurin", "journaliste",
    "redactor", "periodista", "redattore", "verslaggever", "korrespondent", "korrespondentin", "chefredakteur",
    "корреспондент", "редактор", "dziennikarz",
))
# Values that are given instead of a name.
NOT_NAMES: Final = frozenset(folded(word) for word in (
    "admin", "administrator", "author", "authors", "by", "byline", "default", "editor", "guest", "n/a", "na", "name",
    "nobody", "none", "null", "root", "super user", "superuser", "system", "undefined", "unknown", "user", "webmaster",
    "about", "about the author", "all posts", "view all posts", "view profile", "read more", "more", "full bio", "bio",
    "follow", "share", "comments", "posts", "threads", "joined", "members", "member", "profile", "website", "closed",
    "category", "categories", "sections", "featured", "ranking", "first name", "last name", "facebook", "twitter",
    "linkedin", "instagram", "email", "autor", "auteur", "autore", "written by", "posted by", "contributors", "home",
    "menu", "search", "log in", "login", "sign in", "sign up", "subscribe", "contact", "contact us", "news", "blog",
    "articles", "article", "no author", "veröffentlicht von", "artikel von", "par", "von", "por", "di", "today",
    "yesterday", "published", "updated", "date", "tags",
))
LOWER_CASE_WORDS: Final = frozenset((
    "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "el", "ibn", "la", "le",
    "ten", "ter", "van", "von", "y", "zu", "'t", "af", "av", "the", "of", "team", "staff", "editors", "editorial",
    "desk", "contributors",
))
# fmt: on
LEADING_BY: Final = re.compile(rf"\W{{0,3}}(?:{BY}(?:\s?[:：]\s?|\s)|by(?=(?-i:[A-ZÄÖÜÉ][a-zäöüé])))", re.IGNORECASE)
# At the start of a line, or after a date or a sign within it.
BYLINE_START: Final = re.compile(
    rf"(?:^|[\d|•·⋅●∙,:]\s?|\s[-–—]\s|(?=started by))(?={BY}[\s:：]|by(?-i:[A-Z][a-z]))", re.IGNORECASE
)
# Here and below, a pattern that begins with white space begins nowhere inside of it: a long run is read once.
BRACKETS: Final = re.compile(r"(?<!\s)\s*[(\[][^()\[\]]{0,80}[)\]]")
PUNCTUATION: Final = " .,:;|•·⋅●∙/~–—―-\"'“”»«©"
# A name in running text ends at a sign, a number or the next label.
NAME_END: Final = re.compile(
    r"[|•·⋅●∙:~»«]|\s[-–—―]\s|[–—―]|\b\d|(?:Published|Updated|Posted|Last)\b|\b(?:on|at|in|for|updated|published|posted|"
    r"last|edited|reviewed|medically|fact|from|about|is|was|has|writes|follow|share|read|am|le|el|il|em|op|den)\b",
)
TWO_WORDS: Final = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+")
SEPARATOR: Final = re.compile(r"(?<!\s)\s*[,;|/•·、]\s*")
AND: Final = re.compile(r"(?<!\s)\s+(?:and|&|\+|und|et|y|e|og|och|en|i|и|και)\s+", re.IGNORECASE)
DEGREE: Final = re.compile(r"(?:[A-Z][a-z]{0,3}\.?-?){2,6}|[A-Z]\.|\d{1,4}|[JS]r\.?")
# Addresses, account handles and unfilled template keys.
NOT_A_NAME: Final = re.compile(r"://|^www\.|^[/@#{\[<]|@\w|^(?>\S+?\.)(?>\S+?\.)\S+$|[{}<>=]")


def authors_of(claims: Claims) -> NamesClaim:
    """Return the authors and their origin.

    The name of the site, and a single word such as an account name, are used only if no source has a full name.
    """
    weak: NamesClaim = ((), "")
    for names, origin in _sources(claims):
        people = tuple(name for name in names if folded(name) not in claims.site_names)
        if any(" " in name for name in people):
            return people, origin
        weak = weak if weak[0] else (people or names, origin)
    return weak


def _sources(claims: Claims) -> Iterator[NamesClaim]:
    """Yield the names of each source that has any, most trusted first."""
    for names, origin in _machine_readable(claims):
        if names:
            yield names, origin
    if claims.has_own_byline:
        if names := byline_near_title(claims.page, claims.title_lines):
            yield names, "byline"
        if names := names_in_claims([link_text(link) for link in claims.markup.links_with_rel("author")[:1]]):
            yield names, "rel"
        if names := names_in_claims([claims.json_ld.string("author", node=claims.json_ld.page_node)]):
            yield names, "json-ld"
        if names := signature(claims.page.text):
            yield names, "byline"


def _machine_readable(claims: Claims) -> Iterator[NamesClaim]:
    meta = claims.markup.meta
    yield names_in_claims(claims.json_ld.authors()), "json-ld"
    microdata = claims.markup.microdata if claims.has_own_byline else {}
    authors = microdata.get("author") or microdata.get("creator")
    if authors and len(clean_line(authors[0])) < 100:
        yield names_in_byline(authors[0], is_name=True, is_account=True), "microdata"
    if "ritten" in claims.markup.first_meta(meta_names.CARD_LABEL):
        yield names_in_claims(meta.get(meta_names.CARD_VALUE, ())), "meta"
    for name in filter(meta.__contains__, meta_names.AUTHOR):
        yield names_in_claims(meta[name]), meta_names.AUTHOR[name]
    for origins in (meta_names.SCHOLARLY_AUTHOR, meta_names.DUBLIN_CORE_AUTHOR):
        if present := [name for name in origins if name in meta]:
            texts = [text for name in present for text in meta[name]]
            yield names_in_claims(texts, surname_first=True), origins[present[0]]


def byline_near_title(page: "Page", lines: list[TitleLine]) -> Names:
    """Return the names in the byline nearest to the title.

    >>> from dehusk.metadata.fast_title_context import lines_near
    >>> from dehusk.page import Page
    >>> page = Page.from_html("<h1>Title</h1><p class=byline><a>Ann Example</a> 2 May 2024")
    >>> byline_near_title(page, lines_near(page.text, page.leaves, 0))
    ('Ann Example',)
    """
    marks = AuthorMarks(page.elements.node, page.elements.parent, page.leaves.element)
    index, owners, has_by = marks.next_candidate(lines, 0, BY_WORDS, BY_PREFIXES)
    while index < len(lines):
        line = lines[index]
        if owners and (names := _marked_names(page, line.first, owners, marks)):
            return names
        text = _without_dates(line.text) if has_by else ""
        for start in BYLINE_START.finditer(text):
            if names := names_in_byline(text[start.end() :]):
                return names
        index, owners, has_by = marks.next_candidate(lines, index + 1, BY_WORDS, BY_PREFIXES)
    return ()


def signature(text: str) -> Names:
    """Return the names after "written by" at the start of a line, as below an article.

    >>> signature("The end.\\nWritten by Ann Example\\nMore")
    ('Ann Example',)
    """
    for line in islice(SIGNATURES.lines(text), MAX_SIGNED_LINES):
        # The name may be on a line of its own.
        byline = line.text[line.label : MAX_LINE_LENGTH].strip(" :") or line.following[:MAX_LINE_LENGTH]
        if names := names_in_byline(byline, is_name=True):
            return names
    return ()


def _marked_names(page: "Page", first: int, owners: list[int], marks: AuthorMarks) -> Names:
    """Return the names in that part of a line whose elements are marked; `owners` are the marked elements by leaf."""
    leaves, leaf = page.leaves, first
    for owner, group in groupby(owners):
        start, leaf = leaf, leaf + len(list(group))
        if owner >= 0:
            text = _without_dates(page.text[int(leaves.start[start]) : int(leaves.end[leaf - 1])])
            if names := names_in_byline(text, is_name=True, is_account="user" in marks.attributes(owner)):
                return names
    return ()


def _without_dates(text: str) -> str:
    for date in reversed(find_dates(text)):
        text = f"{text[: date.start]} | {text[date.end :]}"
    return text


def names_in_claims(claims: Iterable[str], *, surname_first: bool = False) -> Names:
    """Return the names in machine-readable claims, each of which may hold several.

    >>> names_in_claims(["By Ann Example, PhD, Senior Editor and Bob van Nobody", "https://example.org/ann"])
    ('Ann Example', 'Bob van Nobody')
    >>> names_in_claims(["Example, Ann"], surname_first=True)
    ('Ann Example',)
    """
    names = [name for claim in claims for name in _split_names(claim, surname_first=surname_first)]
    return _distinct([name for name in names if _may_be_name(name)]) if names else ()


def names_in_byline(text: str, *, is_name: bool = False, is_account: bool = False) -> Names:
    """Return the names in a line that people read; none unless it begins with "by" or is known to be a name.

    The name of an account may be one word in lower case.

    >>> names_in_byline("By Ann Example | Updated May 2, 2024"), names_in_byline("By the way, it rained")
    (('Ann Example',), ())
    >>> names_in_byline("Ann Example", is_name=True)
    ('Ann Example',)
    """
    text = clean_line(text).lstrip(PUNCTUATION)
    leading = LEADING_BY.match(text)
    if not (leading or is_name):
        return ()
    text = BRACKETS.sub("", text[leading.end() :] if leading else text).lstrip(PUNCTUATION)
    if end := NAME_END.search(text):
        text = text[: end.start()].rstrip(PUNCTUATION)
        # "May" of a date without a year, whose number was cut off.
        if " " in text and month_number(text.rpartition(" ")[2]):
            text = text.rpartition(" ")[0]
    names = [name for name in _split_names(text) if _may_be_name(name)]
    return _distinct([name for name in names if is_account or is_capitalised(name)])


def is_capitalised(name: str) -> bool:
    """Return whether every word begins with a capital, as in names; scripts without capitals pass.

    >>> is_capitalised("Ann van Example"), is_capitalised("the way"), is_capitalised("三木")
    (True, False, True)
    """
    words = name.split()
    return any(not word[0].islower() for word in words) and all(
        word in LOWER_CASE_WORDS or not word[0].islower() for word in words
    )


def _split_names(claim: str, *, surname_first: bool = False) -> list[str]:
    """Return the names in a claim, without "by", degrees and roles."""
    text = clean_line(claim)
    if not text:
        return []
    # Most claims are a plain name like this, and nothing has to be removed.
    if TWO_WORDS.fullmatch(text) and text.partition(" ")[0].lower() not in BY_WORDS:
        return [text]
    if NOT_A_NAME.search(text) or len(text) > MAX_AUTHORS * MAX_NAME_LENGTH:
        return []
    text = BRACKETS.sub("", LEADING_BY.sub("", text, count=1) if LEADING_BY.match(text) else text)
    pieces: list[str] = []
    for piece in SEPARATOR.split(text):
        sides = AND.split(piece)
        # "And" may be part of a company's name, unless there is a full name on both sides.
        pieces += sides if all(" " in side.strip() for side in sides) else [piece]
    if surname_first and len(pieces) == 2:
        pieces = [f"{pieces[1]} {pieces[0]}"]
    names = [name for piece in pieces if (name := _without_degrees(piece.strip(PUNCTUATION)))]
    # A role is dropped, unless nothing else is left: "Staff writer".
    return _without_lone_words([name for name in names if ROLES.isdisjoint(map(folded, name.split()))] or names[:1])


def _without_lone_words(names: list[str]) -> list[str]:
    """Return the names; after a full one a single word is a place, a degree or a part of a role."""
    first_full = next((index for index, name in enumerate(names) if " " in name), len(names))
    return names[:first_full] + [name for name in names[first_full:] if " " in name]


def _without_degrees(name: str) -> str:
    words = name.split(" ")
    if not name.isupper():
        while len(words) > 2 and DEGREE.fullmatch(words[-1]):
            words.pop()
    return "" if len(words) == 1 and "." in name and DEGREE.fullmatch(name) else " ".join(words)


def _may_be_name(name: str) -> bool:
    return (
        1 < len(name) <= MAX_NAME_LENGTH
        and len(name.split()) <= MAX_NAME_WORDS
        and any(map(str.isalpha, name))
        and folded(name) not in NOT_NAMES
        and month_number(name) is None
    )


def _distinct(names: Iterable[str]) -> Names:
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(folded(name), name)
        if len(distinct) == MAX_AUTHORS:
            break
    return tuple(distinct.values())
