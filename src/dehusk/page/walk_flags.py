"""Flags of the walk over a tree, and which tag has which role. Not compiled, so that every module can import them."""

from typing import Final

# The gap between a leaf and the one before it. Plain numbers, since the walk compares them for every node.
GLUED: Final = 0
SPACED: Final = 1
NEW_LINE: Final = 2
NEW_BLOCK: Final = 3
SELF_SPACED: Final = 4  # verbatim text that has white space of its own: stored as SPACED, but nothing is put between
SEPARATOR: Final = ("", " ", "\n", "\n")

# What a leaf inherits from its ancestors.
HIDDEN: Final = 1
VERBATIM: Final = 2
LINKED: Final = 4
IN_SVG: Final = 8

# What the walk does at an element.
SKIP: Final = 1
BLOCK: Final = 2
BR: Final = 4
PRE: Final = 8
RAW: Final = 16
ANCHOR: Final = 32
SVG: Final = 64
HEAD: Final = 128
TEMPLATE: Final = 256
PASSED: Final = SKIP | BR
SPECIAL: Final = PRE | ANCHOR | SVG

# Everything that browsers show on lines of its own, and form controls, whose labels never form one word.
BLOCK_TAGS: Final = """
    address article aside blockquote body button caption center col colgroup dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noframes ol
    optgroup option p search section select summary table tbody td tfoot th thead tr ul
"""
ROLES: Final[dict[str, int]] = {
    **dict.fromkeys(BLOCK_TAGS.split(), BLOCK),
    # Outside of the head, `title`, `desc` and `metadata` belong to drawings, which do not show them.
    **dict.fromkeys(("script", "style", "title", "desc", "metadata", "iframe", "noembed"), SKIP),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext", "textarea"), BLOCK | PRE),
    "template": SKIP | TEMPLATE,
    "code": PRE,
    "noscript": RAW,
    "noframes": RAW | BLOCK,
    "br": BR,
    "a": ANCHOR,
    "svg": SVG,
    "head": HEAD,
}
