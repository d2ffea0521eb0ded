"""Marks: the numbers and tags that the walk goes by. Not compiled, so that everybody can import them."""

from typing import Final

# What parts a leaf from the one before it. Plain numbers, since the walk compares them for every node.
GLUED: Final = 0
SPACED: Final = 1
NEW_LINE: Final = 2
NEW_BLOCK: Final = 3
APART: Final = 4  # verbatim text that brings its own white space: words are parted, yet nothing is put between
SEPARATOR: Final = ("", " ", "\n", "\n")

# What a leaf inherits from its ancestors.
HIDDEN: Final = 1
VERBATIM: Final = 2
LINKED: Final = 4
DRAWN: Final = 8

# What the walk does at an element.
SKIP: Final = 1
BLOCK: Final = 2
BR: Final = 4
PRE: Final = 8
RAW: Final = 16
ANCHOR: Final = 32
DRAWING: Final = 64
HEAD: Final = 128
PASSED: Final = SKIP | BR
SPECIAL: Final = PRE | RAW | ANCHOR | DRAWING | HEAD

# Everything that browsers show on lines of its own, and form controls, whose labels never form one word.
BLOCK_TAGS: Final = """
    address article aside blockquote body button caption center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noframes ol
    optgroup option p search section select summary table tbody td tfoot th thead tr ul
"""
ROLES: Final[dict[str, int]] = {
    **dict.fromkeys(BLOCK_TAGS.split(), BLOCK),
    # `title`, `desc` and `metadata` outside of head belong to drawings, which show them to nobody.
    **dict.fromkeys(("script", "style", "template", "title", "desc", "metadata", "iframe", "noembed"), SKIP),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext", "textarea"), BLOCK | PRE),
    "code": PRE,
    "noscript": RAW,
    "noframes": RAW | BLOCK,
    "br": BR,
    "a": ANCHOR,
    "svg": DRAWING,
    "head": HEAD,
}
