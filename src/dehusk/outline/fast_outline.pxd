# The C types of outline.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int BARE, CELL, CODE, HEADING, PARAGRAPH, ROOT, TABLE, VERBATIM, ITEM, LIST, MEANING
cdef int LINKED, NEW_BLOCK, KEPT_AS_IT_IS
cdef frozenset CHOOSY, FLAT, HOLD_TEXT
cdef list CLOSES

@cython.locals(
    count=cython.Py_ssize_t, leaf=cython.Py_ssize_t, previous=cython.Py_ssize_t, stop=cython.Py_ssize_t,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t, simple=cython.bint, fresh=cython.bint,
    pieces=list, linked=list, kept=bytearray,
)
cpdef ranges(
    list spans, const int[::1] starts, const int[::1] ends, const unsigned char[::1] parted,
    const unsigned char[::1] state, int short,
)

cdef class Box:
    cdef public int kind, element, depth, step
    cdef public bint implied
    cdef public Box parent
    cdef public object number
    cdef public str label
    cdef public list cells

cdef class Place:
    cdef public int form, level, marks, code
    cdef public Box box
    cdef public str link
    cdef public object instead
    cdef public dict below

cdef class Places:
    cdef public list tags, known
    cdef const int[::1] parents
    cdef public frozenset telling
    cdef public dict boxes, forms, marks
    cdef public set special
    cdef public Box root
    cdef int deepest

    @cython.locals(place=Place, chain=list, tag=str)
    cpdef Place at(self, Py_ssize_t index)

    @cython.locals(new=Place, kind=cython.int)
    cpdef Place below(self, Place place, Py_ssize_t index, str tag)

    cdef bint is_common(self, Box box, int kind, str tag)

    @cython.locals(new=Place, box=Box)
    cdef Place formed(self, Place place, int form, Py_ssize_t index, str tag)

cdef class Trunk:
    cdef public Places places
    cdef public str text
    cdef const int[::1] starts, ends, owners
    cdef public list events, stack
    cdef public Box box
    cdef public int kind
    cdef public bint opened

    @cython.locals(
        text=str, first=Place, place=Place, other=Place, left=cython.Py_ssize_t, right=cython.Py_ssize_t,
        index=cython.Py_ssize_t, gap=str, words=str, runs=list,
    )
    cpdef bint take(self, Py_ssize_t leaf, Py_ssize_t stop, mark)
    cpdef write(self, tuple leaf, Box box)

    @cython.locals(count=cython.Py_ssize_t, leaf=cython.Py_ssize_t, stop=cython.Py_ssize_t, piece=tuple)
    cpdef Py_ssize_t take_while(self, list pieces, list marks, Py_ssize_t number)

    @cython.locals(stack=list, opening=list, box=Box, last=Box)
    cpdef move(self, Box target)
