"""Inputs: mutated pages, each a pure function of the seed pages, a seed and an index."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from fuzz import snippets

TAG: Final = re.compile(rb"<[^<>]{1,400}>")
USUAL_BYTES: Final = 50_000
MOST_BYTES: Final = 1_000_000
LARGE_SHARE: Final = 0.004  # of inputs that may grow up to MOST_BYTES
MOST_REPEATS: Final = 2_000
ENCODINGS: Final = (
    "utf-16",
    "utf-16-le",
    "utf-8-sig",
    "latin-1",
    "shift_jis",
    "gb18030",
    "iso-2022-jp",
    "utf-32",
    "utf-7",
)
Mutation = Callable[[Random, bytes, Sequence[bytes]], bytes]


@dataclass(frozen=True, slots=True)
class Case:
    """One input: a page as it would arrive."""

    data: bytes
    url: str | None = None
    charset: str | None = None
    plain: bool = False  # plain text, without markup


def make(pages: Sequence[bytes], seed: int, index: int) -> Case:
    """Return one input; the same arguments always give the same.

    >>> make([b"<p>Rain"], 1, 2) == make([b"<p>Rain"], 1, 2) != make([b"<p>Rain"], 1, 3)
    True
    """
    random = Random(f"{seed}:{index}")
    data = _start(random, pages)
    most = MOST_BYTES if random.random() < LARGE_SHARE else USUAL_BYTES
    for _ in range(random.choice((1, 1, 2, 3, 4, 6, 10))):
        mutated = random.choice(MUTATIONS)(random, data, pages)
        data = mutated if len(mutated) <= most else data
    if random.random() < 0.04:
        data = _encoded(random, data)
    return Case(
        data,
        random.choice(snippets.URLS) if random.random() < 0.5 else snippets.URLS[1],
        random.choice(snippets.CHARSETS) if random.random() < 0.05 else None,
        random.random() < 0.02,
    )


def _start(random: Random, pages: Sequence[bytes]) -> bytes:
    """Return a page, a window of it if it is long, or now and then nothing but snippets."""
    if random.random() < 0.15:
        return _text("".join(random.choices(snippets.SNIPPETS, k=random.randint(1, 8))))
    data = random.choice(pages)
    length = random.choice((2_000, 5_000, 10_000, 20_000, USUAL_BYTES))
    if len(data) <= length:
        return data
    start = random.choice((0, random.randrange(len(data) - length)))
    return data[start : start + length]


def _text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _place(random: Random, data: bytes) -> int:
    """Return a place between two tags, mostly, or anywhere."""
    place = random.randint(0, len(data))
    if random.random() < 0.9 and (found := TAG.search(data, place)):
        return found.end() if random.random() < 0.5 else found.start()
    return place


def _stretch(random: Random, data: bytes, most: int = 2_000) -> tuple[int, int]:
    """Return the ends of a stretch that mostly begins and ends between tags."""
    start = _place(random, data)
    return start, max(start, _place(random, data[: start + random.randint(1, most)]))


def _inserted(data: bytes, place: int, piece: bytes) -> bytes:
    return data[:place] + piece + data[place:]


def _one_tag(random: Random, data: bytes) -> re.Match[bytes] | None:
    return TAG.search(data, random.randint(0, len(data))) or TAG.search(data)


def flip(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Change a few bytes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 2, 8, 30)) if changed else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def delete(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Leave out a stretch."""
    start, end = _stretch(random, data)
    return data[:start] + data[end:]


def duplicate(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Repeat a stretch somewhere."""
    start, end = _stretch(random, data)
    return _inserted(data, _place(random, data), data[start:end] * random.choice((1, 1, 2, 10, 50)))


def truncate(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Cut off the end, anywhere."""
    return data[: random.randint(0, len(data))]


def insert_magic(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Insert bytes that decoders and parsers know, often at the beginning."""
    place = random.choice((0, random.randint(0, len(data))))
    return _inserted(data, place, random.choice(snippets.MAGIC) * random.choice((1, 1, 1, 3, 100)))


def splice(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Insert a stretch of another page."""
    other = random.choice(pages)
    start, end = _stretch(random, other, 5_000)
    return _inserted(data, _place(random, data), other[start:end])


def wrap(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Wrap a stretch in one or more elements."""
    start, end = _stretch(random, data, 10_000)
    tags = [random.choice(snippets.TAGS) for _ in range(random.choice((1, 1, 2, 5)))]
    opened = "".join(f"<{tag}{_attribute(random)}>" for tag in tags)
    closed = "".join(f"</{tag}>" for tag in reversed(tags))
    return data[:start] + _text(opened) + data[start:end] + _text(closed) + data[end:]


def _attribute(random: Random) -> str:
    return f" {random.choice(snippets.ATTRIBUTES)}" if random.random() < 0.4 else ""


def repeat_tag(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Repeat a tag, of the page or another, with or without text behind it."""
    found = _one_tag(random, data) if random.random() < 0.5 else None
    tag = found[0] if found else _text(f"<{random.choice(snippets.TAGS)}{_attribute(random)}>")
    other = _text(f"<{random.choice(snippets.TAGS)}>") if random.random() < 0.3 else b""
    text = random.choice((b"", b"", b"x", b"a word ", b"</p>"))
    return _inserted(data, _place(random, data), (tag + other + text) * _repeats(random))


def _repeats(random: Random) -> int:
    """Return a number that is small most of the time."""
    return min(MOST_REPEATS, int(2 ** random.uniform(1, random.choice((4, 6, 11)))))


def repeat_attribute(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Give a tag many attributes, or one long one, or the same again."""
    if not (found := _one_tag(random, data)):
        return data
    count = _repeats(random)
    kinds = (
        "".join(f" a{number}=b" for number in range(count)),
        f" {random.choice(snippets.ATTRIBUTES)}" * count,
        f" {random.choice(('class', 'id', 'title', 'href', 'style', 'alt'))}='{random.choice(snippets.TEXTS) * count}'",
    )
    return _inserted(data, found.end() - 1, _text(random.choice(kinds)))


def unclose(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Drop closing tags: one, all of one name, or all."""
    closing = re.findall(rb"</[a-zA-Z0-9]+>", data)
    if not closing:
        return data
    one = random.choice(closing)
    if random.random() < 0.1:
        return re.sub(rb"</[^<>]{1,40}>", b"", data)
    return data.replace(one, b"", random.choice((1, -1)))


def swap_tags(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Swap two tags."""
    first, second = _one_tag(random, data), _one_tag(random, data)
    if not first or not second or first.end() > second.start():
        return data
    between = data[first.end() : second.start()]
    return data[: first.start()] + second[0] + between + first[0] + data[second.end() :]


def rename(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Turn elements of one name into those of another."""
    found = _one_tag(random, data)
    name = re.match(rb"</?([a-zA-Z0-9]+)", found[0]) if found else None
    if not name:
        return data
    new = _text(random.choice(snippets.TAGS))
    pattern = re.compile(rb"(</?)" + re.escape(name[1]) + rb"(?=[\s>/])")
    return pattern.sub(lambda match: match[1] + new, data, count=random.choice((0, 0, 1, 2)))


def insert_snippet(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Insert hostile markup between tags."""
    snippet = _text(random.choice(snippets.SNIPPETS))
    return _inserted(data, _place(random, data), snippet * random.choice((1, 1, 1, 2, 20)))


def insert_text(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Insert hostile characters, line ends or syntax of other languages anywhere, inside of tags too."""
    for _ in range(random.choice((1, 2, 5, 20))):
        kind = random.choice((snippets.LINE_ENDS, snippets.CHARACTERS, snippets.TEXTS))
        place = random.choice((_place(random, data), random.randint(0, len(data))))
        data = _inserted(data, place, _text(random.choice(kind)))
    return data


def put_in_code(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Insert code or a formula that holds hostile characters and line ends."""
    kinds = (snippets.LINE_ENDS, snippets.CHARACTERS, snippets.TEXTS)
    inside = "".join(random.choice(random.choice(kinds)) for _ in range(random.randint(1, 6)))
    opened, closed = random.choice(
        (("<code>", "</code>"), ("<pre>", "</pre>"), ("<pre><code>", "</code></pre>"), ("<li><pre>", "</pre>"),
         ("<math alttext='", "'>x</math>"), ("<script type=math/tex>", "</script>"), ("<td><code>", "</code>"))
    )  # fmt: skip
    return _inserted(data, _place(random, data), _text(f"{opened}{inside}{closed}"))


def nest(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Open a few elements many times over without closing them."""
    tags = "".join(f"<{random.choice(snippets.TAGS)}{_attribute(random)}>" for _ in range(random.choice((1, 1, 2, 3))))
    return _inserted(data, _place(random, data), _text(tags) * _repeats(random))


def number_tags(random: Random, data: bytes, pages: Sequence[bytes]) -> bytes:
    """Open formatting elements that differ, which a parser has to rebuild in every block."""
    tag, block = random.choice(("b", "i", "font", "a", "code")), random.choice(("p", "div", "li", "td", "h2"))
    pieces = "".join(f"<{tag} id=n{number}><{block}>x" for number in range(min(300, _repeats(random))))
    return _inserted(data, _place(random, data), _text(pieces))


def _encoded(random: Random, data: bytes) -> bytes:
    """Return the page in another encoding, declared or not."""
    name = random.choice(ENCODINGS)
    text = data.decode("utf-8", "replace")
    if random.random() < 0.5:
        text = f"<meta charset={name}>{text}"
    return text.encode(name, "replace")


MUTATIONS: Final[tuple[Mutation, ...]] = (
    *(
        flip,
        delete,
        duplicate,
        truncate,
        insert_magic,
        splice,
        splice,
        wrap,
        wrap,
        repeat_tag,
        repeat_attribute,
        unclose,
    ),
    *(swap_tags, rename, insert_snippet, insert_snippet, insert_snippet, insert_text, insert_text, put_in_code, nest),
    *(number_tags,),
)
