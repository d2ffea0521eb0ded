"""Title features: which heading repeats the page's title, and where a block is relative to it."""

from typing import Final

from dehusk.features import row_names
from dehusk.features.fast_text import TitleRow

NAMES: Final = row_names(TitleRow)
FARTHEST: Final = 200  # blocks: those further down count as if they were this far from the title
