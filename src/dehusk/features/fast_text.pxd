# The C types of fast_text.py.
cimport cython

@cython.locals(
    block=cython.Py_ssize_t, place=cython.Py_ssize_t, row=cython.Py_ssize_t, most=cython.int, longest=cython.int,
    kind=cython.int, before=cython.int, capitalised=cython.int, length=cython.int, many=cython.int, code=cython.Py_UCS4,
    mark=cython.longlong, mask=cython.longlong, spot=cython.int,
)
cpdef text_columns(
    str text, const int[::1] start, const int[::1] end, const unsigned char[::1] classes, const float[::1] logs,
    int[::1] counts, float[:, ::1] matrix, float[::1] words, long long[::1] marks, const int[::1] link_chars,
    float[::1] link
)

cdef double least(double value, double limit)
