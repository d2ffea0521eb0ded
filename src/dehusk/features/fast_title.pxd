# The C types of fast_title.py.
cimport cython

@cython.locals(
    block=cython.Py_ssize_t, best=cython.Py_ssize_t, most=cython.double, share=cython.double, common=cython.int,
    count=cython.int, words=list,
)
cpdef title_columns(
    str text, const int[::1] start, const int[::1] end, const long long[::1] above, long long headings, set wanted,
    double alike, int far, const float[::1] logs, float[:, ::1] matrix
)

cdef double least(double value, double limit)
