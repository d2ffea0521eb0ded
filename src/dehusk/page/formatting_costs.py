"""What a parser takes for formatting that it repeats, measured on turbohtml, and how often the standard lets it."""

from typing import Final

ELEMENT_BYTES: Final = 128  # of a repeated element, without its attributes
ATTRIBUTE_BYTES: Final = 24  # of each attribute; its value is shared
CLONES_PER_BLOCK: Final = 4  # for one end tag, of the blocks within its element (the adoption agency algorithm)
MOST_BLOCKS: Final = 8  # that an end tag takes account of; with so many it may leave its element open
