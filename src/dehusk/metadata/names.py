"""Names: who wrote something, out of what machines and bylines say, each name by itself."""

import re
from collections.abc import Iterable
from typing import Final

from dehusk.metadata.clean_text import folded, line
from dehusk.metadata.months import month

LONGEST: Final = 60  # characters of a name
MOST_WORDS: Final = 6
MOST: Final = 50  # authors of one page

# What stands before a name: "by" and its like.
BY: Final = (
    r"(?:(?:(?:written|posted|published|words|text|story|report(?:ing|ed)|article|authored|contributed|created|started"
    r"|submitted|asked|opinion|guest post)\s?)?by|author|thread starter|"
    r"(?:geschrieben |verfasst |ein beitrag |text )?von|autor(?:in|en|a|es|zy)?|"
    r"(?:écrit |publié |rédigé )?par|auteurs?|(?:escrito |publicado )?por|(?:scritto |articolo |a cura )?d[ai]|autore|"
    r"(?:geschreven )?door|(?:skriven |text )?av|(?:skrevet )?af|przez|автор|текст|γράφ(?:ει|ουν)|του|της|από|"
    r"作者|記者|记者|文|著者|글|بقلم|الكاتبة?|كتبت?(?=\s?:))"
)
# The last word of each, by which a line is known in which it may pay to look.
# fmt: off
BY_WORDS: Final = frozenset((
    "by", "author", "starter", "von", "autor", "autorin", "autoren", "autora", "autores", "autorzy", "par", "auteur",
    "auteurs", "por", "da", "di", "autore", "door", "av", "af", "przez", "автор", "текст", "γράφει", "γράφουν", "του",
    "της", "από", "作者", "記者", "记者", "文", "著者", "글", "بقلم", "الكاتب", "الكاتبة", "كتب", "كتبت",
))
# fmt: on
# It may be glued to the name, where a style sheet puts the blank.
LEADING: Final = re.compile(rf"\W{{0,3}}(?:{BY}(?:\s?[:：]\s?|\s)|by(?=(?-i:[A-ZÄÖÜÉ][a-zäöüé])))", re.IGNORECASE)
BRACKETS: Final = re.compile(r"\s*[(\[][^()\[\]]{0,80}[)\]]")
MARKS: Final = " .,:;|•·⋅●∙/~–—―-\"'“”»«©"
# Where a name in a line of text ends: at a mark, at a number, at the next label.
AFTER: Final = re.compile(
    r"[|•·⋅●∙:~»«]|\s[-–—―]\s|[–—―]|\b\d|(?:Published|Updated|Posted|Last)\b|\b(?:on|at|in|for|updated|published|posted|"
    r"last|edited|reviewed|medically|fact|from|about|is|was|has|writes|follow|share|read|am|le|el|il|em|op|den)\b",
)
TWO_WORDS: Final = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+")
SEPARATOR: Final = re.compile(r"\s*[,;|/•·、]\s*")
AND: Final = re.compile(r"\s+(?:and|&|\+|und|et|y|e|og|och|en|i|и|και)\s+", re.IGNORECASE)
DEGREE: Final = re.compile(r"(?:[A-Z][a-z]{0,3}\.?-?){2,6}|[A-Z]\.|\d{1,4}|[JS]r\.?")
# Addresses, handles of accounts, and keys of templates that nobody filled in.
NO_NAME: Final = re.compile(r"://|^www\.|^[/@#{\[<]|@\w|^\S+\.\S+\.\S+$|[{}<>=]")
# fmt: off
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
# What stands where a name should, and is none.
NOBODY: Final = frozenset(folded(word) for word in (
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
SMALL: Final = frozenset((
    "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "el", "ibn", "la", "le",
    "ten", "ter", "van", "von", "y", "zu", "'t", "af", "av", "the", "of", "team", "staff", "editors", "editorial",
    "desk", "contributors",
))
# fmt: on


def authors(claims: Iterable[str], *, surname_first: bool = False) -> tuple[str, ...]:
    """Return the names in what machines were told; each claim may hold several.

    >>> authors(["By Ann Example, PhD, Senior Editor and Bob van Nobody", "https://example.org/ann"])
    ('Ann Example', 'Bob van Nobody')
    >>> authors(["Example, Ann"], surname_first=True)
    ('Ann Example',)
    """
    parted = [name for claim in claims for name in _parted(claim, surname_first=surname_first)]
    return _distinct([name for name in parted if _is_name(name)]) if parted else ()


def shown(text: str, *, label: bool = False, account: bool = False) -> tuple[str, ...]:
    """Return the names in a line that people read; none unless it begins with "by" or `label` says that it is one.

    The name of an `account` may be one small word.

    >>> shown("By Ann Example | Updated May 2, 2024"), shown("By the way, it rained"), shown("Ann Example", label=True)
    (('Ann Example',), (), ('Ann Example',))
    """
    text = line(text).lstrip(MARKS)
    leading = LEADING.match(text)
    if not (leading or label):
        return ()
    text = BRACKETS.sub("", text[leading.end() :] if leading else text).lstrip(MARKS)
    if end := AFTER.search(text):
        text = text[: end.start()].rstrip(MARKS)
        # "May" of a date without a year, of which the number has been cut off.
        if " " in text and month(text.rpartition(" ")[2]):
            text = text.rpartition(" ")[0]
    return _distinct([name for name in _parted(text) if _is_name(name) and (account or looks_like_name(name))])


def looks_like_name(name: str) -> bool:
    """Whether every word begins as in names; scripts without capitals are believed.

    >>> looks_like_name("Ann van Example"), looks_like_name("the way"), looks_like_name("三木")
    (True, False, True)
    """
    words = name.split()
    return any(not word[0].islower() for word in words) and all(
        word in SMALL or not word[0].islower() for word in words
    )


def _parted(claim: str, *, surname_first: bool = False) -> list[str]:
    """Return the names in a claim, without degrees, offices and what stands before."""
    text = line(claim)
    if not text:
        return []
    # Most names are as plain as this, and there is nothing to take off them.
    if TWO_WORDS.fullmatch(text) and text.partition(" ")[0].lower() not in BY_WORDS:
        return [text]
    if NO_NAME.search(text) or len(text) > MOST * LONGEST:
        return []
    text = BRACKETS.sub("", LEADING.sub("", text, count=1) if LEADING.match(text) else text)
    pieces = [side for piece in SEPARATOR.split(text) for side in _sides(piece)]
    if surname_first and len(pieces) == 2:
        pieces = [f"{pieces[1]} {pieces[0]}"]
    names = [name for piece in pieces if (name := _without_degrees(piece.strip(MARKS)))]
    # An office is dropped, unless it is all there is: "Staff writer".
    return _people([name for name in names if not _is_office(name)] or names[:1])


def _people(names: list[str]) -> list[str]:
    """Return the names; after a full one a lone word is a place, a degree or a part of an office."""
    found: list[str] = []
    full = False
    for name in names:
        if " " in name or not full:
            found.append(name)
        full = full or " " in name
    return found


def _sides(piece: str) -> list[str]:
    """Return the names on both sides of an "and"; a firm may have one in its name, so both must be full names."""
    sides = AND.split(piece)
    return sides if all(" " in side.strip() for side in sides) else [piece]


def _without_degrees(name: str) -> str:
    words = name.split(" ")
    if not name.isupper():
        while len(words) > 2 and DEGREE.fullmatch(words[-1]):
            words.pop()
    return "" if len(words) == 1 and "." in name and DEGREE.fullmatch(name) else " ".join(words)


def _is_office(name: str) -> bool:
    return not ROLES.isdisjoint(map(folded, name.split()))


def _is_name(name: str) -> bool:
    """Whether a string can be a name at all."""
    return (
        1 < len(name) <= LONGEST
        and len(name.split()) <= MOST_WORDS
        and any(map(str.isalpha, name))
        and folded(name) not in NOBODY
        and month(name) is None
    )


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(folded(name), name)
        if len(found) == MOST:
            break
    return tuple(found.values())
