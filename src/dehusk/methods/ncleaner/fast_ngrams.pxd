# The C types of fast_ngrams.py.
cimport cython

from dehusk.fast_hash_table cimport find_slot

cdef int BLANK, EDGE

@cython.locals(
    most=cython.uint, count=cython.Py_ssize_t, before=cython.int, offset=cython.Py_ssize_t, point=cython.uint,
    code=cython.int,
)
cpdef Py_ssize_t fold(
    str text, Py_ssize_t first, Py_ssize_t last, const long long[::1] folding, unsigned char[::1] codes
) except -1

@cython.locals(
    sums=cython.double[::1], counts=cython.int[::1], codes=cython.uchar[::1], one=cython.longlong,
    longest=cython.longlong, block=cython.Py_ssize_t, count=cython.Py_ssize_t, key=cython.longlong,
    offset=cython.Py_ssize_t, code=cython.longlong, mask=cython.longlong, slot=cython.Py_ssize_t,
)
cpdef tuple sum_bits(
    str text, const int[::1] start, const int[::1] end, const long long[::1] folding, const long long[::1] keys,
    const float[::1] values, int order
)
