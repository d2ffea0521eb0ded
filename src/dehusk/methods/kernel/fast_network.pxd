# The C types of fast_network.py.
cimport cython

@cython.locals(way=cython.Py_ssize_t, index=cython.Py_ssize_t)
cpdef group_shares(const int[:, ::1] sizes, float[:, ::1] shares)

@cython.locals(number=cython.Py_ssize_t)
cpdef spread_bits(const long long[::1] bits, int used, float[::1] out)

@cython.locals(row=cython.Py_ssize_t, column=cython.Py_ssize_t)
cpdef add_rows(const float[::1] given, const float[:, ::1] weights, float[::1] total)
