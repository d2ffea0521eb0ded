"""Where the blocks of a page are in its tree, its source and its tables; computed on demand."""

from functools import cached_property

from dehusk.blocks import Blocks
from dehusk.html_tables import cell_positions
from dehusk.page import Page, Span
from dehusk.page.xpaths import XPaths


class BlockLocations:
    """The locations of all blocks of a page, by the number of the block.

    >>> from dehusk.blocks import cut
    >>> page = Page.from_html("<p>One<p>Two")
    >>> locations = BlockLocations(page, cut(page))
    >>> locations.xpath(1), locations.source(1), locations.cell(1)
    ('/html/body/p[2]', (9, 12), None)
    """

    def __init__(self, page: Page, blocks: Blocks) -> None:
        self._page, self._blocks = page, blocks

    def xpath(self, block: int) -> str | None:
        """Return the path of the innermost element that holds all of the block, None where it is too long."""
        inner = self._owners[self._blocks.first_leaf[block] : self._blocks.last_leaf[block]]
        # In document order the first and the last element of a run have the same ancestors in common as all of it.
        return self._paths.of(min(inner), max(inner)) if inner else "/"

    def source(self, block: int) -> Span | None:
        """Return the block's span in the page's html, None where the parser moved or invented a part of it."""
        first, last = int(self._blocks.first_leaf[block]), int(self._blocks.last_leaf[block]) - 1
        left, right = self._sources[first], self._sources[last]
        return (left[0], right[1]) if left and right and left[0] <= right[1] else None

    def cell(self, block: int) -> tuple[int, int] | None:
        """Return the row and column of the table cell around the block, if there is one."""
        cells, parents = self._cells, self._page.elements.parent
        if not cells:
            return None
        element, inside = int(self._blocks.owner[block]), []
        while element >= 0 and element not in cells:
            inside.append(element)
            element = parents[element]
        cell = cells.get(element)
        # Blocks may be thousands of elements deep in one cell, and share most of these.
        cells.update(dict.fromkeys(inside, cell))
        return cell

    # The sources need another parse of the page, the others a pass over all of its elements: each only on demand.

    @cached_property
    def _owners(self) -> list[int]:
        owners: list[int] = self._page.leaves.element.tolist()
        return owners

    @cached_property
    def _paths(self) -> XPaths:
        return self._page.paths()

    @cached_property
    def _sources(self) -> list[Span | None]:
        return self._page.source_spans()

    @cached_property
    def _cells(self) -> dict[int, tuple[int, int] | None]:
        """Row and column by the element of a cell, and by each element that was looked up."""
        return {**cell_positions(self._page.elements)} if self._page.elements.may_have("table") else {}
