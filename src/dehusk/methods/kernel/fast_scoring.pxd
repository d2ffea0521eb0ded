# The C types of fast_scoring.py.
cimport cython

@cython.locals(way=cython.Py_ssize_t, index=cython.Py_ssize_t)
cpdef group_shares(const int[:, ::1] sizes, float[:, ::1] shares)

@cython.locals(bit=cython.Py_ssize_t)
cpdef spread_bits(const long long[::1] bits, int used, float[::1] out)

@cython.locals(row=cython.Py_ssize_t, column=cython.Py_ssize_t)
cpdef add_rows(const float[::1] factors, const float[:, ::1] weights, float[::1] total)

@cython.locals(
    index=cython.Py_ssize_t, total=cython.double, right=cython.double, taken=cython.double, best=cython.double,
    reached=cython.double,
)
cpdef double expected_f1(const double[::1] likely, const float[::1] words) noexcept nogil

@cython.locals(index=cython.Py_ssize_t, value=cython.double)
cpdef stretch(const double[::1] values, double cut, double above, double[::1] out)
