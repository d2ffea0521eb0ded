# The C types of fast_markup.py. Names that are imported there and declared here are C variables.
cimport cython

from dehusk.outline.fast_nodes cimport Container, LeafBlock, InlineRun

cdef int CELL, CODE_BLOCK, DEFINITION_LIST, LIST_ITEM, PARAGRAPH, ROOT, TABLE, TABLE_CAPTION, TERM
cdef InlineRun END

@cython.locals(letter=cython.Py_UCS4, has_markup=cython.bint, has_forbidden=cython.bint)
cpdef str escaped(str text)

cpdef str quoted(str text)

@cython.locals(letter=cython.Py_UCS4)
cpdef bint may_be_markdown(str text)

@cython.locals(letter=cython.Py_UCS4)
cpdef bint has_controls(str text)

cdef bint is_control(Py_UCS4 letter) noexcept

cdef class StyleTags:
    cdef dict tags, changes

    @cython.locals(key=cython.int, styles=list, ends=list, starts=list)
    cpdef tuple change(self, int old, int new)

cdef class OpenTable:
    cdef list cells
    cdef int cell, written
    cdef str caption
    cdef dict texts

cdef class MarkupWriter:
    cdef list events, outputs, output, end_tags, previous, tables
    cdef object vocabulary
    cdef StyleTags styles
    cdef str line_break
    cdef dict container_tags

    @cython.locals(index=cython.Py_ssize_t)
    cpdef str write(self)

    @cython.locals(text=str)
    cdef leaf_block(self, LeafBlock leaf)

    @cython.locals(kind=cython.int, parent=Container, is_numbered=cython.bint, tags=tuple)
    cdef open(self, Container container, Py_ssize_t index)
    cdef close(self, int kind)

    @cython.locals(table=OpenTable)
    cdef open_cell(self, Container container)

    @cython.locals(table=OpenTable, text=str)
    cdef close_cell(self, int kind)

    @cython.locals(table=OpenTable, rows=list, row=list, cells=list, caption=str, stop=cython.int)
    cdef write_table(self)

    @cython.locals(
        output=list, run=InlineRun, style=cython.int, link=str, link_end=str, gap=str, start=str, starts=str, ends=str,
    )
    cdef str inline(self, content)
    cdef str line_broken(self, str text)
