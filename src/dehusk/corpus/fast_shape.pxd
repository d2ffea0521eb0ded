# The C types of fast_shape.py.
cimport cython

cdef int BEYOND, SPACE, MARK, END, LINE_END

@cython.locals(
    words=cython.longlong, characters=cython.longlong, marks=cython.longlong, lines=cython.longlong,
    in_lines=cython.longlong, ended=cython.longlong, in_word=cython.bint, length=cython.longlong, last=cython.int,
    index=cython.Py_ssize_t, code=cython.uint,
)
cpdef fill_shape(str text, const unsigned char[::1] classes, long long[::1] totals)

@cython.locals(entry=cython.Py_ssize_t, index=cython.Py_ssize_t)
cpdef fill_counts(
    const unsigned long long[::1] words, const unsigned long long[::1] profile, long long[::1] counts
)
