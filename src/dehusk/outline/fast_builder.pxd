# The C types of fast_builder.py. Names that are imported there and declared here are C variables.
cimport cython

from dehusk.outline.fast_contexts cimport TextContext, TextContexts
from dehusk.outline.fast_leaf_ranges cimport LeafRange
from dehusk.outline.fast_nodes cimport Container, LeafBlock, InlineRun, RunCollector

cdef int BARE, CELL, CODE, CODE_BLOCK, DEFINITION, DISPLAY_FORMULA, HEADING, LIST_ITEM, PARAGRAPH, ROOT, SUPERSCRIPT
cdef int GLUED, NEW_BLOCK, NEW_LINE
cdef frozenset HOLD_BARE_TEXT, HOLD_NO_TEXT, INLINE_ONLY
cdef list CONTAINER_ENDS

cdef class OutlineBuilder:
    cdef str text
    cdef const int[::1] starts, ends, owners
    cdef object parted, elements, annotation, last_replacement
    cdef TextContexts contexts
    cdef TextContext context
    cdef LeafBlock formula_block
    cdef RunCollector runs
    cdef Container container
    cdef list events, open_containers, insertions, replaced
    cdef int container_kind, block, span_start, span_end
    cdef bint just_opened, only_insertions

    @cython.locals(index=cython.Py_ssize_t)
    cpdef build(self, list spans, list ranges, list annotations)

    @cython.locals(count=cython.Py_ssize_t, leaves=LeafRange)
    cdef Py_ssize_t add_simple_ranges(self, list ranges, list annotations, Py_ssize_t index)

    @cython.locals(
        text=str, first=TextContext, context=TextContext, other=TextContext, left=cython.Py_ssize_t,
        right=cython.Py_ssize_t, index=cython.Py_ssize_t, gap=str, words=str, runs=list,
        block=LeafBlock,
    )
    cdef bint add_as_one(self, LeafRange leaves, annotation)

    @cython.locals(last=LeafBlock)
    cdef append(self, LeafBlock leaf, Container container)

    @cython.locals(stack=list, opening=list, container=Container, last=Container, repeats=cython.bint)
    cdef move_to(self, Container target)

    @cython.locals(
        leaves=LeafRange, earlier=LeafRange, before=cython.Py_ssize_t, previous=cython.Py_ssize_t,
        reached=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, left=cython.Py_ssize_t,
        right=cython.Py_ssize_t, leaf=cython.Py_ssize_t, begins=cython.bint, gap=cython.int,
    )
    cdef add_range(self, list spans, list ranges, annotation, Py_ssize_t index)

    @cython.locals(last_block=cython.int)
    cdef bint is_undisturbed(self, LeafRange leaves)

    @cython.locals(element=cython.Py_ssize_t, context=TextContext, runs=RunCollector, content=str)
    cdef add_leaf(self, Py_ssize_t leaf, tuple span, str between, annotation, int gap)

    cdef extend_span(self, tuple span)

    @cython.locals(same_code=cython.bint)
    cdef bint continues(self, Py_ssize_t element, TextContext context, annotation)
    cdef begin_leaf_block(self, TextContext context, annotation, Py_ssize_t element)

    @cython.locals(is_new=cython.bint, block=LeafBlock)
    cdef add_replacement(self, TextContext context, tuple span)

    cdef add_object(self, content, TextContext context)

    @cython.locals(context=TextContext, in_block=cython.bint)
    cdef insert_before(self, Py_ssize_t leaf)

    @cython.locals(
        context=TextContext, runs=list, run=InlineRun, first=InlineRun, text=str, plain=cython.bint, block=LeafBlock,
        start=cython.int, end=cython.int,
    )
    cdef finish_leaf_block(self)

@cython.locals(line=str)
cdef Py_ssize_t _indent(str before)

cdef str _code_gap(str between, bint new_line)

cdef bint _is_own_block(content, TextContext context)

@cython.locals(left=list, right=list)
cdef list _joined_lines(first, second)
