"""The nodes of an outline: containers that open and end, the leaf blocks between them, and the runs of a leaf block.

Compiled with the C types in fast_nodes.pxd, because a page has hundreds of nodes; as plain Python it does the same.
"""

from typing import Any

from dehusk.outline.kinds import CODE


class Container:
    """A list, table, quote and the like, which opens here, and the container around it."""

    def __init__(self, kind: int, parent: "Container | None", element: int = 0) -> None:
        self.kind = kind
        self.parent = parent
        self.element = element
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.number: int | None = None  # the first number of an ordered list, or the `value` of an item
        self.step = 1  # from the number of one item to that of the next
        self.label = ""  # of a footnote
        self.cells: list[Any] = []  # of a table
        self.implied = False  # whether the page has no element for it


class ContainerEnd:
    """The innermost open container ends."""

    def __init__(self, kind: int) -> None:
        self.kind = kind


CONTAINER_ENDS = [ContainerEnd(kind) for kind in range(13)]


class LeafBlock:
    """A paragraph, heading or the like: a string where nothing in it has a style, else runs."""

    def __init__(self, kind: int, content: Any, level: int = 0, language: str = "", annotation: Any = None) -> None:
        self.kind = kind
        self.content: str | list[InlineRun] = content
        self.level = level  # of a heading
        self.language = language  # of code
        self.annotation = annotation  # an Annotation where every block is written
        # The span of the page's text that it was built from; -1 where that has nothing of it, as of a drawn formula.
        self.start = -1
        self.end = -1

    def __repr__(self) -> str:
        return f"LeafBlock(kind={self.kind}, content={self.content!r}, level={self.level})"


class InlineRun:
    """Text of one style, or an image, formula or footnote reference, and the white space before it."""

    def __init__(self, gap: str, content: Any, style: int = 0, link: str = "") -> None:
        self.gap = gap  # nothing, a space or a line end
        self.content = content
        self.style = style
        self.link = link

    def __repr__(self) -> str:
        return f"InlineRun({self.gap!r}, {self.content!r}, {self.style}, {self.link!r})"


class RunCollector:
    """Collects the content of a leaf block; neighbours of the same style and link become one run.

    >>> collector = RunCollector()
    >>> collector.add("Fry", 0, "")
    >>> collector.add_collapsed(" it  ", 0, "")
    >>> collector.add("twice", 1, "")
    >>> collector.pop_runs()
    [InlineRun('', 'Fry it', 0, ''), InlineRun(' ', 'twice', 1, '')]
    """

    def __init__(self) -> None:
        self.gap = ""  # the white space before whatever is added next
        self.runs: list[InlineRun] = []
        # The run that may still grow.
        self.parts: list[str] = []
        self.run_gap = ""
        self.style = 0
        self.link = ""

    def is_empty(self) -> bool:
        """Return whether nothing has been added since `pop_runs`."""
        return not self.runs and not self.parts

    def add(self, text: str, style: int, link: str) -> None:
        """Add text as it is."""
        gap, self.gap = self.gap, ""
        same = self.parts and self.style == style and self.link == link
        if same and (gap != "\n" or not style & CODE):  # each line of code is a run of its own
            self.parts.append(gap)
            self.parts.append(text)
            return
        self.end_run()
        # White space before the first run separates it from nothing.
        self.run_gap = gap if self.runs else ""
        self.parts, self.style, self.link = [text], style, link

    def add_collapsed(self, text: str, style: int, link: str) -> None:
        """Add text with its white space collapsed: at its ends it becomes a gap, inside a single space."""
        words = " ".join(text.split()) if "\n" in text or "  " in text else text.strip()
        if text[0].isspace() and not self.gap:
            self.gap = " "
        if words:
            self.add(words, style, link)
            self.gap = " " if text[-1].isspace() else ""

    def add_object(self, content: Any, style: int, link: str) -> None:
        """Add an image, formula or footnote reference."""
        self.end_run()
        gap, self.gap = self.gap, ""
        self.runs.append(InlineRun(gap, content, style, link))

    def end_run(self) -> None:
        """Finish the run that may still grow."""
        if self.parts:
            self.runs.append(InlineRun(self.run_gap, "".join(self.parts), self.style, self.link))
            self.parts = []

    def pop_runs(self) -> list[InlineRun]:
        """Return the runs that were added since the last call."""
        self.end_run()
        runs, self.runs = self.runs, []
        return runs
