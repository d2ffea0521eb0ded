"""Building an outline: from the leaves of a page's text to containers and leaf blocks.

Compiled with the C types in fast_builder.pxd; as plain Python it does the same.
"""

from typing import Any

from dehusk.outline.attributes import code_language
from dehusk.outline.fast_contexts import TextContext, TextContexts
from dehusk.outline.fast_leaf_ranges import LeafRange
from dehusk.outline.fast_nodes import CONTAINER_ENDS, Container, InlineRun, LeafBlock, RunCollector
from dehusk.outline.insertions import Insertion
from dehusk.outline.kinds import (
    BARE,
    CELL,
    CODE,
    CODE_BLOCK,
    DEFINITION,
    DISPLAY_FORMULA,
    HEADING,
    HOLD_BARE_TEXT,
    HOLD_NO_TEXT,
    INLINE_ONLY,
    LIST_ITEM,
    PARAGRAPH,
    ROOT,
    SUPERSCRIPT,
)
from dehusk.outline.nodes import Annotation, Content, FootnoteReference, Formula, InlineObject, Outline
from dehusk.page import Page, Span
from dehusk.page.walk_flags import GLUED, NEW_BLOCK, NEW_LINE


class OutlineBuilder:
    """Goes through the kept leaves once; those of one block-level element of the page become one leaf block."""

    def __init__(self, page: Page, contexts: TextContexts, insertions: list[Insertion]) -> None:
        leaves = page.leaves
        self.text = page.text
        self.starts = leaves.start
        self.ends = leaves.end
        self.owners = leaves.element
        self.parted = leaves.gap
        self.elements = page.elements
        self.contexts = contexts
        self.events: list[Any] = []
        self.open_containers: list[Container] = []
        self.container = contexts.root  # of the last leaf block
        self.container_kind = ROOT
        self.just_opened = False  # whether a container was opened since the last leaf block
        self.insertions = insertions[::-1]
        self.replaced: list[Span] = []
        # The leaf block in progress.
        self.runs = RunCollector()
        self.context = TextContext(contexts.root)
        self.annotation: Annotation | None = None
        self.last_replacement: Formula | FootnoteReference | None = None
        self.formula_block = LeafBlock(DISPLAY_FORMULA, "")  # the last formula on a line of its own
        self.block = -1  # the block-level element around it, -1 unless there are insertions
        self.only_insertions = False  # whether it has no text yet
        self.span_start = -1
        self.span_end = -1

    def build(self, spans: list[Span], ranges: list[LeafRange], annotations: list[Annotation]) -> Outline:
        """Return the outline of what the spans hold; `annotations` has one for each, or is empty."""
        index = 0
        while index < len(ranges):
            # As most pages are from end to end: nothing to insert, and no leaf block in progress.
            if not self.insertions and self.runs.is_empty():
                index = self.add_simple_ranges(ranges, annotations, index)
            if index < len(ranges):
                self.add_range(spans, ranges, annotations[index] if annotations else None, index)
            index += 1
        self.insert_before(len(self.starts))
        self.finish_leaf_block()
        self.move_to(self.contexts.root)
        return Outline(self.events, self.replaced)

    def add_simple_ranges(self, ranges: list[LeafRange], annotations: list[Annotation], index: int) -> int:
        """Add ranges from `index` on as long as they are simple; return the first that is not."""
        count = len(ranges)
        while index < count:
            leaves = ranges[index]
            annotation = annotations[index] if annotations else None
            if leaves.first < leaves.stop and not (leaves.simple and self.add_as_one(leaves, annotation)):
                break
            index += 1
        return index

    def add_as_one(self, leaves: LeafRange, annotation: Annotation | None) -> bool:
        """Add simple leaves as one leaf block; return False where that takes the long way."""
        text = self.text
        first = self.contexts.at(self.owners[leaves.first])
        context = first
        left = self.starts[leaves.first]
        gap = ""
        runs = None
        for index in range(leaves.first + 1, leaves.stop):
            other = self.contexts.at(self.owners[index])
            if other is not context:
                if other.replacement is not None:
                    return False
                if other.style != context.style or other.link != context.link:
                    right = self.ends[index - 1]
                    words = text[left:right]
                    if context.style & CODE and "\n" in words:
                        return False
                    if runs is None:
                        runs = []
                    runs.append(InlineRun(gap, words, context.style, context.link))
                    left = self.starts[index]
                    gap = text[right:left]
                context = other
        words = text[left : self.ends[leaves.stop - 1]]
        if first.replacement is not None or (context.style & CODE and "\n" in words):
            return False
        if runs is None and not context.style and not context.link:
            block = LeafBlock(first.kind, words, first.level, "", annotation)
        else:
            runs = [] if runs is None else runs
            runs.append(InlineRun(gap, words, context.style, context.link))
            block = LeafBlock(first.kind, runs, first.level, "", annotation)
        block.start = self.starts[leaves.first]
        block.end = self.ends[leaves.stop - 1]
        self.append(block, first.container)
        return True

    def append(self, leaf: LeafBlock, container: Container) -> None:
        """Put a leaf block into its container."""
        if container is not self.container:
            self.container = container
            if container.kind in HOLD_NO_TEXT:
                container = self.contexts.fitting(container, ROOT, -1)
            self.container_kind = container.kind
            self.move_to(container)
        if not self.just_opened and self.container_kind in INLINE_ONLY:
            last = self.events[-1]
            last.content = _joined_lines(last.content, leaf.content)
            if last.start < 0:
                last.start = leaf.start
            last.end = max(last.end, leaf.end)
            return
        if leaf.kind == BARE and not (self.just_opened and self.container_kind in HOLD_BARE_TEXT):
            leaf.kind = PARAGRAPH
        self.events.append(leaf)
        self.just_opened = False

    def move_to(self, target: Container) -> None:
        """Close the containers that end here and open those that begin, so that `target` is the innermost."""
        stack = self.open_containers
        opening = []
        container = target
        while container.depth > len(stack) or (container.depth and stack[container.depth - 1] is not container):
            opening.append(container)
            container = container.parent  # type: ignore[assignment]
        while len(stack) > container.depth:
            last = stack.pop()
            self.events.append(CONTAINER_ENDS[last.kind])
        for container in reversed(opening):
            # What is in a list but in none of its items goes on with the item before it.
            ended = CONTAINER_ENDS[container.kind]
            repeats = container.implied and container.kind in (LIST_ITEM, DEFINITION)
            if repeats and self.events and self.events[-1] is ended:
                self.events.pop()
            else:
                self.events.append(container)
                self.just_opened = True
            stack.append(container)

    def add_range(self, spans: list[Span], ranges: list[LeafRange], annotation: Annotation | None, index: int) -> None:
        """Add the leaves of a range: as one where that is possible, else one by one."""
        leaves = ranges[index]
        if leaves.first == leaves.stop:
            return
        if leaves.simple and self.is_undisturbed(leaves) and self.add_as_one(leaves, annotation):
            return
        before = index - 1
        while before >= 0 and ranges[before].first == ranges[before].stop:
            before -= 1
        previous = ranges[before].stop - 1 if before >= 0 else -1
        # A span may go on after its last leaf: white space there is between the two leaves.
        reached = min(spans[before][1], self.ends[previous]) if before >= 0 else self.starts[leaves.first]
        start, end = spans[index]
        begins = annotation is not None
        for leaf in range(leaves.first, leaves.stop):
            self.insert_before(leaf)
            left, right = max(self.starts[leaf], start), min(self.ends[leaf], end)
            gap = NEW_BLOCK
            if not begins and previous >= 0:
                gap = max(self.parted[previous + 1 : leaf + 1].tobytes(), default=GLUED)
            self.add_leaf(leaf, (left, right), self.text[reached:left], annotation, gap)
            begins, previous, reached = False, leaf, right

    def is_undisturbed(self, leaves: LeafRange) -> bool:
        """Insert what comes before some leaves; return whether nothing comes among them or shares their leaf block."""
        self.insert_before(leaves.first)
        if self.only_insertions and self.contexts.block_around(self.owners[leaves.first]) == self.block:
            return False
        if self.insertions and self.insertions[-1].next_leaf <= leaves.stop:
            upcoming = self.insertions[-1]
            last_block = self.contexts.block_around(self.owners[leaves.stop - 1])
            if upcoming.next_leaf < leaves.stop or self.contexts.block_around(upcoming.element) == last_block:
                return False
        self.finish_leaf_block()
        self.only_insertions = False
        return True

    def add_leaf(self, leaf: int, span: Span, between: str, annotation: Annotation | None, gap: int) -> None:
        """Add the part `span` of a leaf to the leaf block in progress or to a new one.

        `between` comes before it on the page, with the widest of the gaps there.
        """
        element = self.owners[leaf]
        context = self.contexts.at(element)
        runs = self.runs
        if gap == NEW_BLOCK and not self.continues(element, context, annotation):
            self.begin_leaf_block(context, annotation, element)
            if context.code_element:
                span = (span[0] - _indent(between), span[1])
        elif context.code_element:
            runs.gap = _code_gap(between, gap == NEW_BLOCK)
        elif gap >= NEW_LINE and not self.only_insertions:
            runs.gap = "\n"
        elif between:
            runs.gap = runs.gap or " "
        self.only_insertions = False
        if context.replacement is not None:
            self.add_replacement(context, span)
            return
        self.extend_span(span)
        self.last_replacement = None
        content = self.text[span[0] : span[1]]
        if context.code_element:
            runs.add(content, context.style, context.link)
        else:
            runs.add_collapsed(content, context.style, context.link)

    def extend_span(self, span: Span) -> None:
        """Note that the leaf block in progress has some more of the page's text."""
        if self.span_start < 0:
            self.span_start = span[0]
        self.span_end = span[1]

    def continues(self, element: int, context: TextContext, annotation: Annotation | None) -> bool:
        """Return whether what the page puts on a new line still belongs to the leaf block in progress."""
        same_code = context.code_element and context.code_element == self.context.code_element
        if same_code and annotation is self.annotation:
            return True
        return self.only_insertions and self.contexts.block_around(element) == self.block

    def begin_leaf_block(self, context: TextContext, annotation: Annotation | None, element: int) -> None:
        """Finish the leaf block in progress and begin another."""
        self.finish_leaf_block()
        self.context, self.annotation = context, annotation
        self.runs.gap = ""
        self.block = self.contexts.block_around(element) if self.insertions else -1

    def add_replacement(self, context: TextContext, span: Span) -> None:
        """Add what replaces the text of an element, once, however many leaves the element has."""
        content = context.replacement
        is_new = content is not self.last_replacement
        if is_new:
            self.replaced.append(span)
            self.last_replacement = content
            self.add_object(content, context)
        else:
            # One span for each object, so that chunks can tell them apart.
            self.replaced[-1] = (self.replaced[-1][0], span[1])
            self.runs.gap = ""
        if _is_own_block(content, context):
            block = self.formula_block
            block.start = span[0] if is_new else block.start
            block.end = span[1]
        else:
            self.extend_span(span)

    def add_object(self, content: InlineObject, context: TextContext) -> None:
        """Add an inline object; a formula that may be on a line of its own is a leaf block of its own."""
        if _is_own_block(content, context):
            self.finish_leaf_block()
            self.formula_block = LeafBlock(DISPLAY_FORMULA, [InlineRun("", content, 0, "")], 0, "", self.annotation)
            self.append(self.formula_block, context.container)
            self.runs.gap = ""
        elif isinstance(content, FootnoteReference):
            self.runs.add_object(content, context.style & ~SUPERSCRIPT, "")
        else:
            self.runs.add_object(content, context.style, context.link)

    def insert_before(self, leaf: int) -> None:
        """Add the insertions that come before a leaf."""
        while self.insertions and self.insertions[-1].next_leaf <= leaf:
            insertion = self.insertions[-1]
            context = self.contexts.at(insertion.element)
            if not context.code_element and context.replacement is None:
                in_block = self.block >= 0 and self.contexts.block_around(insertion.element) == self.block
                if not in_block or self.runs.is_empty():
                    self.begin_leaf_block(context, None, insertion.element)
                    self.only_insertions = True
                elif insertion.gap:
                    self.runs.gap = self.runs.gap or insertion.gap
                self.add_object(insertion.content, context)
            self.insertions.pop()

    def finish_leaf_block(self) -> None:
        """Put the leaf block in progress into its container."""
        context, runs = self.context, self.runs.pop_runs()
        start, end = self.span_start, self.span_end
        self.span_start = self.span_end = -1
        if not runs:
            return
        first = runs[0]
        if context.code_element:
            text = "".join([run.gap + run.content for run in runs if isinstance(run.content, str)])
            text = text.rstrip().lstrip("\n")
            if not text:
                return
            language = code_language(self.elements, context.code_element)
            block = LeafBlock(CODE_BLOCK, text, 0, language, self.annotation)
        else:
            first.gap = ""  # white space that comes before all words
            plain = len(runs) == 1 and not first.style and not first.link and isinstance(first.content, str)
            block = LeafBlock(context.kind, first.content if plain else runs, context.level, "", self.annotation)
        block.start, block.end = start, end
        self.append(block, context.container)


def _indent(before: str) -> int:
    """Return how many blanks the line that code begins on has before it; blocks may begin after them."""
    line = before[before.rfind("\n") + 1 :]
    return 0 if line.strip() else len(line)


def _code_gap(between: str, new_line: bool) -> str:
    """Return what is between two kept pieces of code: as on the page, unless words were dropped there."""
    if not between.strip() and ("\n" in between or not new_line):
        return between
    return "\n" if new_line or "\n" in between else " "


def _is_own_block(content: InlineObject, context: TextContext) -> bool:
    """Return whether an inline object is a formula that is written on a line of its own."""
    if not isinstance(content, Formula) or not content.display or context.kind in (HEADING, CODE_BLOCK):
        return False
    return context.container.kind != CELL and context.container.kind not in INLINE_ONLY


def _joined_lines(first: Content, second: Content) -> list[InlineRun]:
    """Return the contents of two leaf blocks as the lines of one."""
    left = [InlineRun("", first)] if isinstance(first, str) else first
    right = [InlineRun("", second)] if isinstance(second, str) else second
    # In place: a caption may have any number of lines.
    left.append(InlineRun("\n", right[0].content, right[0].style, right[0].link))
    left.extend(right[1:])
    return left
