# The C types of tagged.py. Names that are imported there and declared here are C variables.
cimport cython

from dehusk.outline.fast_outline cimport Box

cdef int CAPTION, CELL, GLOSSARY, HEADING, ITEM, PARAGRAPH, ROOT, TABLE
cdef tuple NOTHING

@cython.locals(letter=cython.Py_UCS4, marks=cython.bint, odd=cython.bint)
cpdef str escaped(str text)

cdef class Writer:
    cdef public list events, boxes, outs, out, ends, last, levels
    cdef public str line_end
    cdef public tuple divisions
    cdef public dict plain, changes

    @cython.locals(index=cython.Py_ssize_t, form=cython.int, text=str)
    cpdef str written(self)

    @cython.locals(kind=cython.int, tags=tuple)
    cdef open(self, Box box, Py_ssize_t index)

    @cython.locals(closing=cython.int)
    cpdef str division(self, int level)

    cdef bint is_counted(self, Box box)

    @cython.locals(text=str)
    cdef close(self, int kind)

    @cython.locals(
        out=list, marks=cython.int, new_marks=cython.int, link=str, new_link=str, end=str, gap=str, parted=str,
        text=str, start=str, closing=str, opening=str,
    )
    cpdef str inline(self, content)

    @cython.locals(key=cython.int)
    cdef tuple change(self, int old, int new)
