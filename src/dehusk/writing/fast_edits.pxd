# The C types of fast_edits.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int GLUED, SPACED, VERBATIM

@cython.locals(index=cython.Py_ssize_t, start=cython.int, end=cython.int)
cpdef fill_columns(list spans, int[::1] starts, int[::1] ends)

@cython.locals(
    count=cython.Py_ssize_t, ended=cython.Py_ssize_t, begun=cython.Py_ssize_t, ended_too=cython.Py_ssize_t,
    row=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, left=cython.Py_ssize_t,
    right=cython.Py_ssize_t,
)
cpdef move_spans(
    str text, const int[::1] starts, const int[::1] ends, const unsigned char[::1] states, bint trim,
    const int[:, ::1] edits, int[::1] new_starts, int[::1] new_ends
)

@cython.locals(start=cython.Py_ssize_t, kept=cython.Py_ssize_t, result=cython.Py_ssize_t)
cdef Py_ssize_t _moved(const int[:, ::1] edits, Py_ssize_t offset, Py_ssize_t before, Py_ssize_t near) noexcept

cdef bint _touches(const int[:, ::1] edits, Py_ssize_t offset, Py_ssize_t ended, Py_ssize_t count) noexcept

@cython.locals(
    count=cython.Py_ssize_t, gap=cython.int, reached=cython.Py_ssize_t, leaf=cython.Py_ssize_t,
)
cpdef Py_ssize_t filled_leaves(
    const int[::1] starts, const int[::1] ends, const unsigned char[::1] gaps, int[::1] rows,
    unsigned char[::1] new_gaps
)

@cython.locals(count=cython.Py_ssize_t, first=cython.Py_ssize_t, last=cython.Py_ssize_t, row=cython.Py_ssize_t)
cpdef leaf_ranges(
    const int[::1] starts, const int[::1] ends, const int[::1] leaf_starts, const int[::1] leaf_ends,
    int[::1] firsts, int[::1] lasts
)
