# The C types of fast_lines.py.
cimport cython

@cython.locals(
    low=cython.Py_ssize_t, high=cython.Py_ssize_t, here=cython.Py_ssize_t, place=cython.Py_ssize_t,
    count=cython.Py_ssize_t, found=cython.Py_ssize_t, edges=list,
)
cpdef tuple line_edges(
    const unsigned char[::1] parted, Py_ssize_t leaf, Py_ssize_t above, Py_ssize_t below, Py_ssize_t most, int new
)
