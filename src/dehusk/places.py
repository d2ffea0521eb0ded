"""Places: where the blocks of a page stand in its tree, its source and its tables. Worked out when asked for."""

from dehusk.blocks import Blocks
from dehusk.page import Page, Span
from dehusk.tables import cell_places


class Places:
    """The places of all blocks of a page, each asked for by the block's number.

    >>> from dehusk.blocks import cut
    >>> page = Page.from_html("<p>One<p>Two")
    >>> places = Places(page, cut(page))
    >>> places.xpath(1), places.source(1), places.cell(1)
    ('/html/body/p[2]', (9, 12), None)
    """

    __slots__ = ("_blocks", "_cells", "_elements", "_owners", "_paths", "_sources")

    def __init__(self, page: Page, blocks: Blocks) -> None:
        self._blocks, self._elements = blocks, page.elements
        self._paths, self._sources = page.paths(), page.source_spans()
        self._owners = page.leaves.element.tolist()
        self._cells = cell_places(page.elements) if "table" in page.elements.tag else {}

    def xpath(self, block: int) -> str:
        """Return the path of the innermost element that holds all of the block."""
        inner = self._owners[self._blocks.first_leaf[block] : self._blocks.last_leaf[block]]
        # In document order the first and the last element of a run have the same ancestors in common as all of it.
        return self._paths.of(min(inner), max(inner)) if inner else "/"

    def source(self, block: int) -> Span | None:
        """Return where in the page's html the block stands, None where the parser moved or invented a part of it."""
        first, last = int(self._blocks.first_leaf[block]), int(self._blocks.last_leaf[block]) - 1
        left, right = self._sources[first], self._sources[last]
        return (left[0], right[1]) if left and right and left[0] <= right[1] else None

    def cell(self, block: int) -> tuple[int, int] | None:
        """Return the row and column of the table cell round the block, if there is one."""
        if not self._cells:
            return None
        chain = self._elements.chain(int(self._blocks.owner[block]))
        return next((self._cells[element] for element in chain if element in self._cells), None)
