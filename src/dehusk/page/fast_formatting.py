# cython: boundscheck=False, wraparound=False
"""Formatting that markup leaves open: a parser repeats it in every block that follows, and so a page can multiply.

`<b id=1><p><b id=2><p>…` makes hundreds of elements of each tag. What such repetition needs at most is known from the
tags alone. Compiled with the C types in fast_formatting.pxd; as plain Python it returns the same.
"""

from dehusk.page.formatting_costs import ATTRIBUTE_BYTES, CLONES_PER_BLOCK, ELEMENT_BYTES, MOST_BLOCKS

MOST_ALIKE = 3  # the same tag is repeated no more often (the WHATWG's Noah's Ark clause)

LONGEST_NAME = 11  # characters; one more than the names below have
MOST_READ = 2  # times that the attributes of a page are read on average
TOO_MUCH = 10**12  # bytes
# fmt: off
FORMATTING = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
# Elements that cannot keep an end tag of formatting from taking effect: the tags of blocks are counted, since many
# nested blocks can; tables, select, comments and all whose content is not markup are in neither set.
INLINE = frozenset((
    "abbr", "acronym", "audio", "bdi", "bdo", "br", "cite", "circle", "data", "del", "dfn", "ellipse", "g", "img",
    "ins", "kbd", "label", "line", "mark", "path", "picture", "polygon", "polyline", "q", "rect", "samp", "source",
    "span", "stop", "sub", "sup", "svg", "time", "use", "var", "video", "wbr",
))
BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "button", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "input",
    "li", "main", "nav", "ol", "p", "section", "summary", "ul",
))
# fmt: on


class OpenTag:
    """A formatting tag that the page may have left open."""

    def __init__(self, name: str, start: int, stop: int, cost: int, blocks: int) -> None:
        self.name = name
        self.start = start  # in the markup
        self.stop = stop
        self.cost = cost  # bytes
        self.blocks = blocks  # tags of blocks before it


def affordable(html: str, most: int) -> tuple[int, int]:
    """Return how much of the markup can be parsed before repeated formatting may need more than `most` bytes.

    The second number is the bytes that it may need at most: never fewer than it does need.

    >>> affordable("<b>bold</b>", 1_000_000)
    (11, 128)
    >>> affordable("".join(f"<b id={n}><p>" for n in range(5_000)), 1_000_000)
    (962, 1009584)
    """
    return _Formatting(html, most).run()


def count_formatting(html: str, element_bytes: int, attribute_bytes: int) -> tuple[int, int, int, int, int]:
    """Do what `tags.count_formatting` does, where that could not be compiled."""
    tags = ends = repeated = link = widest = 0
    reader = _Formatting(html, 0)
    length = len(html)
    position = html.find("<")
    while position >= 0 and reader.characters_read <= MOST_READ * length:
        tags += 1
        start = position + 1
        closes = start < length and html[start] == "/"
        start += closes
        end = _name_end(html, start)
        if start < length and _may_be_formatting(html[start], end - start):
            if closes:
                ends += 1
            else:
                reader.read_tag(end)
                cost = element_bytes + attribute_bytes * reader.attributes
                widest = max(widest, cost)
                if end - start == 1 and html[start] in "aA":
                    link = max(link, cost)
                    ends += 1
                else:
                    repeated += cost
                    tags += end - start == 4 and html[start] in "nN"
        position = html.find("<", start)
    repeated += TOO_MUCH * (reader.characters_read > MOST_READ * length)
    return tags, ends, repeated, link, widest


class _Formatting:
    """Which formatting may be open at a place in the markup, and what its repetition has cost up to there."""

    def __init__(self, html: str, most: int) -> None:
        self.html = html
        self.most = most
        self.cost = 0
        self.repeated = 0  # bytes for one repetition of all that may be open
        self.blocks = 0
        self.open: list[OpenTag] = []  # whose end tag would certainly take effect
        self.stuck: dict[str, int] = {}  # how many of each tag are open whose end tag might not
        self.link = 0  # bytes of the largest link among these
        self.widest = 0  # bytes of the largest of all
        # Of the tag that was read last.
        self.stop = 0
        self.attributes = 0
        self.characters_read = 0

    def run(self) -> tuple[int, int]:
        html = self.html
        length = len(html)
        position = html.find("<")
        while position >= 0:
            self.cost += self.repeated
            start = position + 1
            closes = start < length and html[start] == "/"
            start += closes
            if self.open or ((not closes or self.repeated) and start < length and _begins_formatting(html[start])):
                start = self.meet(position, start, closes)
            if self.cost > self.most:
                return position, self.cost
            # Tags in the values of attributes too: this may be a comment, or a script, where quotes mean nothing.
            position = html.find("<", start)
        return length, self.cost

    def meet(self, position: int, start: int, closes: bool) -> int:
        """Take account of the tag at `position` whose name begins at `start`; return where to go on."""
        html = self.html
        end = _name_end(html, start)
        if not self.open and not _may_be_formatting(html[start], end - start):
            return start
        name = html[start:end].lower()
        if name in FORMATTING:
            if not closes:
                return self.meet_start(name, position, end)
            self.meet_end(name)
        elif self.open:
            self.meet_other(name, end, closes)
        return start

    def meet_start(self, name: str, position: int, end: int) -> int:
        html = self.html
        self.read_tag(end)
        following = html.find("<", end)
        cost = ELEMENT_BYTES + ATTRIBUTE_BYTES * self.attributes
        if name == "a":
            self.meet_end(name)  # one link ends where the next begins
        elif name == "nobr":
            self.cost += self.repeated  # both before and after the one that it ends
        if following >= self.stop and _is_end(html, following, name):
            # As most are: with nothing but text up to the end tag.
            self.cost += self.repeated + cost
            return following + 2
        self.open.append(OpenTag(name, position, self.stop, cost, self.blocks))
        self.repeated += cost
        if 0 <= following < self.stop:
            self.close_off()
        return end

    def meet_end(self, name: str) -> None:
        for index in range(len(self.open) - 1, -1, -1):
            tag = self.open[index]
            if tag.name == name:
                blocks = self.blocks - tag.blocks
                if blocks:
                    self.cost += CLONES_PER_BLOCK * min(blocks, MOST_BLOCKS) * self.largest()
                if blocks < MOST_BLOCKS:
                    self.repeated -= tag.cost
                    del self.open[index]
                else:
                    self.close_off()
                return
        if self.widest:
            self.cost += CLONES_PER_BLOCK * MOST_BLOCKS * self.largest()

    def meet_other(self, name: str, end: int, closes: bool) -> None:
        if name in BLOCKS:
            self.blocks += not closes
        elif name not in INLINE:
            self.close_off()
            return
        # Markup in an attribute looks as if it were the page's.
        self.read_tag(end)
        following = self.html.find("<", end)
        if 0 <= following < self.stop:
            self.close_off()

    def largest(self) -> int:
        most = self.widest
        for tag in self.open:
            most = max(most, tag.cost)
        return most

    def close_off(self) -> None:
        """Note that from here on no end tag is certain to take effect on what is open."""
        for tag in self.open:
            self.repeated -= tag.cost
            if tag.name == "a":  # of which no more than one is open at a time
                self.repeated += max(0, tag.cost - self.link)
                self.link = max(self.link, tag.cost)
            else:
                source = self.html[tag.start : tag.stop]
                alike = self.stuck.get(source, 0)
                if alike < MOST_ALIKE:
                    self.stuck[source] = alike + 1
                    self.repeated += tag.cost
            self.widest = max(self.widest, tag.cost)
        self.open.clear()

    def read_tag(self, position: int) -> None:
        """Find where a tag ends whose name ends at `position`, as browsers read it, and count its attributes."""
        html = self.html
        length = len(html)
        start = position
        attributes = 0
        while position < length and html[position] != ">":
            if html[position] in " \t\n\f\r/":
                position += 1
                continue
            attributes += 1
            # A name may begin with any character, even with "=".
            position += 1
            while position < length and html[position] not in " \t\n\f\r/>=":
                position += 1
            position = _value_end(html, position)
        self.stop = min(position + 1, length)
        self.attributes = attributes
        self.characters_read += position - start
        if self.characters_read > MOST_READ * length:
            # Tags within tags within tags: reading each to its end would take for ever, so it counts as too much.
            self.cost += TOO_MUCH


def _begins_formatting(character: str) -> bool:
    return character in "abcefinstuABCEFINSTU"


def _may_be_formatting(first: str, length: int) -> bool:
    """Return whether some formatting tag has a name of this length that begins so: most other tags do not."""
    if length == 1:
        return first in "abisuABISU"
    if length == 2:
        return first in "etET"
    if length == 3:
        return first in "bB"
    if length == 4:
        return first in "cfnCFN"
    return length in (5, 6) and first in "sS"


def _is_end(html: str, position: int, name: str) -> bool:
    """Return whether the end tag of `name` is at `position`."""
    start = position + 2
    end = start + len(name)
    return (
        end < len(html) and html[position + 1] == "/" and html[end] in " \t\n\f\r/>" and html[start:end].lower() == name
    )


def _name_end(html: str, position: int) -> int:
    """Return where the name of a tag ends that begins at `position`; only the beginning of a long name counts."""
    last = min(position + LONGEST_NAME, len(html))
    while position < last and html[position] not in " \t\n\f\r/>":
        position += 1
    return position


def _value_end(html: str, position: int) -> int:
    """Return where the value of an attribute ends whose name ends at `position`; there, if it has none."""
    length = len(html)
    start = position
    while start < length and html[start] in " \t\n\f\r":
        start += 1
    if start == length or html[start] != "=":
        return position
    start += 1
    while start < length and html[start] in " \t\n\f\r":
        start += 1
    if start < length and html[start] in "\"'":
        quote = html[start]
        start += 1
        while start < length and html[start] != quote:
            start += 1
        return min(start + 1, length)
    while start < length and html[start] not in " \t\n\f\r>":
        start += 1
    return start
