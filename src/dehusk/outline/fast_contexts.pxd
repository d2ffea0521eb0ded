# The C types of fast_contexts.py. Names that are imported there and declared here are C variables.
cimport cython

from dehusk.outline.fast_nodes cimport Container

cdef int BARE, CELL, CODE, CODE_BLOCK, DEFINITION, DEFINITION_LIST, FIGURE, FIGURE_CAPTION, FOOTNOTE, HEADING
cdef int LIST, LIST_ITEM, PARAGRAPH, ROOT, TABLE, TABLE_CAPTION, TERM, MAX_DEPTH, BLOCK
cdef frozenset INLINE_ONLY
cdef dict CONTAINERS, LEAF_BLOCKS, STYLES, ROLES

cdef class TextContext:
    cdef public int kind, level, style, code_element
    cdef public Container container
    cdef public str link
    cdef public object replacement
    cdef public dict by_tag

cdef class TextContexts:
    cdef list tags, known
    cdef const int[::1] parents
    cdef frozenset relevant_tags
    cdef set special
    cdef public Container root
    cdef object elements, tables, addresses
    cdef dict implied, replacements, footnotes, known_blocks

    @cython.locals(context=TextContext, chain=list, tag=str)
    cpdef TextContext at(self, Py_ssize_t index)

    @cython.locals(known=dict, chain=list)
    cpdef Py_ssize_t block_around(self, Py_ssize_t index) except -1

    @cython.locals(new=TextContext, style=cython.int, link=str)
    cdef TextContext inside(self, TextContext context, Py_ssize_t index, str tag)

    @cython.locals(new=TextContext, container=Container)
    cdef TextContext in_leaf_block(self, TextContext context, int kind, Py_ssize_t index, str tag)

    @cython.locals(new=TextContext, footnote=Container)
    cdef TextContext in_special(self, TextContext context, Py_ssize_t index, str tag)
    cdef str address(self, Py_ssize_t index)

    @cython.locals(new=Container, container=Container)
    cdef TextContext in_container(self, TextContext context, int kind, Py_ssize_t index, str tag)
    cdef bint is_common(self, Container container, int kind, str tag)
    cdef bint is_valid(self, Container container, int kind, Py_ssize_t index)

    @cython.locals(outer=cython.int)
    cdef Container fitting(self, Container container, int kind, Py_ssize_t key)

    @cython.locals(implied=Container)
    cdef Container imply(self, Container parent, int kind, Py_ssize_t key)
