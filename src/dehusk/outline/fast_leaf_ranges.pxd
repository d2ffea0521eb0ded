# The C types of fast_leaf_ranges.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int LINKED, NEW_BLOCK, VERBATIM

cdef class LeafRange:
    cdef public Py_ssize_t first, stop
    cdef public bint simple

@cython.locals(
    count=cython.Py_ssize_t, leaf=cython.Py_ssize_t, previous=cython.Py_ssize_t, stop=cython.Py_ssize_t,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t, simple=cython.bint, on_new_line=cython.bint,
    ranges=list, short_links=list, kept=bytearray, last=LeafRange,
)
cpdef kept_leaves(
    list spans, const int[::1] starts, const int[::1] ends, const unsigned char[::1] parted,
    const unsigned char[::1] state, int max_link_length,
)
