# The C types of fast_touching.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int GLUED, IN_SVG, VERBATIM, UNTOUCHED

@cython.locals(
    touching=list, count=cython.Py_ssize_t, span=cython.Py_ssize_t, first=cython.Py_ssize_t, end=cython.Py_ssize_t,
    start=cython.Py_ssize_t, stop=cython.Py_ssize_t, leaf=cython.Py_ssize_t, offset=cython.Py_ssize_t,
)
cpdef list touching_leaves(
    str text, list spans, const int[::1] starts, const unsigned char[::1] gaps, const unsigned char[::1] states,
    const int[::1] owners,
)

cdef bint _touch(Py_UCS4 before, Py_UCS4 after) noexcept
