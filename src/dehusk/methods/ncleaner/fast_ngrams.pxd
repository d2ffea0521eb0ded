# The C types of ncleaner.py.
cimport cython

@cython.locals(size=cython.longlong, index=cython.Py_ssize_t, place=cython.longlong)
cpdef spread(const long long[::1] keys, const float[::1] values, long long[::1] slots, float[::1] worth)

@cython.locals(most=cython.uint, count=cython.Py_ssize_t, before=cython.int, place=cython.Py_ssize_t, point=cython.uint,
               code=cython.int)
cpdef Py_ssize_t fold(
    str text, Py_ssize_t first, Py_ssize_t last, const long long[::1] folding, unsigned char[::1] codes
) except -1

@cython.locals(
    most=cython.uint, size=cython.longlong, block=cython.Py_ssize_t, key=cython.longlong, before=cython.int,
    count=cython.int, total=cython.double, step=cython.Py_ssize_t, code=cython.longlong,
    point=cython.uint, gram=cython.longlong, place=cython.longlong, mask=cython.longlong, whole=cython.longlong,
)
cpdef weigh(
    str text, const int[::1] start, const int[::1] end, int edge, const long long[::1] folding,
    const long long[::1] slots, const float[::1] worth, int order, double[::1] bits,
    int[::1] counts
)
