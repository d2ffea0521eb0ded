"""Text features: the shape of a block's text, counted by classes of characters that every script has."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.characters import character_classes
from dehusk.features import LOGS, Column, Longs, Matrix, row_names
from dehusk.features.fast_text import ROOM, TextRow, text_columns

CLASSES: Final = character_classes()
NAMES: Final = row_names(TextRow)


@dataclass(frozen=True, slots=True, eq=False)
class TextFeatures:
    """The text features, and two columns that other families build on."""

    matrix: Matrix  # one row per `TextRow`
    words: Column
    hashes: Longs  # equal for blocks with the same text


def text_features(blocks: Blocks) -> TextFeatures:
    """Count the characters of all blocks.

    >>> features = text_features(Blocks.of(("Home", 4), ("A plain sentence.", 0)))
    >>> features.matrix.shape == (len(NAMES), 2), features.words.tolist()
    (True, [1.0, 3.0])
    """
    count = len(blocks)
    matrix: Matrix = np.empty((len(NAMES), count), np.float32)
    words: Column = np.empty(count, np.float32)
    hashes: Longs = np.empty(count, np.int64)
    room = np.zeros(ROOM, np.int32)
    text_columns(blocks.text, blocks.start, blocks.end, CLASSES, LOGS, room, matrix, words, hashes)
    return TextFeatures(matrix, words, hashes)
