# The C types of fast_blocks.py.
cimport cython

cdef int FIRST_LEAF, END_LEAF, START, END, OWNER, LINK_CHARS
cdef int HIDDEN, LINKED, VERBATIM

@cython.locals(leaf=cython.Py_ssize_t, here=cython.Py_ssize_t, count=cython.Py_ssize_t, blank=cython.bint)
cpdef Py_ssize_t block_columns(
    str text, const unsigned char[::1] begins, const unsigned char[::1] state, const int[::1] start,
    const int[::1] end, const int[::1] element, int[:, ::1] rows, unsigned char[::1] all_hidden
)

@cython.locals(
    result=list, block=cython.Py_ssize_t, index=cython.Py_ssize_t, count=cython.Py_ssize_t, code=cython.int,
    mine=cython.int, depth=cython.int,
)
cpdef list kind_codes(
    list tags, const int[::1] parents, dict own, const unsigned char[::1] in_layout, const int[::1] owners,
    list blocks, int[::1] codes, int[::1] chain
)

@cython.locals(index=cython.Py_ssize_t, parent=cython.int, mine=cython.int, table=cython.int)
cpdef fill_enclosing_tables(
    list tags, const int[::1] parents, dict parts, int[::1] enclosing, unsigned char[::1] is_layout
)
