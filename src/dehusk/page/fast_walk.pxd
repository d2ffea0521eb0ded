# The C types of walk.py. Names that are imported there and declared here are C variables, looked up in no dictionary.
cimport cython

cdef type Element, Text
cdef dict ROLES
cdef tuple SEPARATOR
cdef int GLUED, SPACED, NEW_LINE, NEW_BLOCK, APART
cdef int HIDDEN, VERBATIM, LINKED, DRAWN
cdef int BLOCK, BR, PRE, RAW, ANCHOR, DRAWING, HEAD, PASSED, SPECIAL

@cython.locals(
    tags=list, nodes=list, pieces=list, stack=list, veiled=set, known=dict, pair=tuple,
    places=cython.int[:, ::1], spans=cython.int[:, ::1], held=cython.uchar[:, ::1], marks=cython.uchar[:, ::1],
    rows=cython.Py_ssize_t, room=cython.Py_ssize_t, count=cython.Py_ssize_t, leaf=cython.Py_ssize_t,
    at=cython.Py_ssize_t, here=cython.Py_ssize_t, left=cython.Py_ssize_t, size=cython.Py_ssize_t,
    raw=cython.Py_ssize_t,
    state=cython.int, role=cython.int, kind=cython.int, parted=cython.int, after=cython.int, complete=cython.bint,
    data=str, string=str, last=str, tag=str, blank=cython.bint, letter=cython.Py_UCS4,
)
cpdef walk(tree, Py_ssize_t limit, bint shadows)

cdef object _pass_over(line, Py_ssize_t size, bint shadows)
