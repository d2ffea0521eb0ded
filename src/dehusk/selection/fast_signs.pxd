# The C types of fast_signs.py.
cimport cython

cdef int UNSEEN, BRACKET, IS_BLOCK, MODAL, MAY_BE_MODAL, BUTTON, MAY_BE_BUTTON, NEAR, HIGH

@cython.locals(
    known=dict, block=cython.Py_ssize_t, index=cython.Py_ssize_t, count=cython.Py_ssize_t, above=cython.int,
    mine=cython.int, any_signs=cython.int, letter=cython.Py_UCS4,
)
cpdef int fill_signs(
    str text, const int[::1] start, const int[::1] owners, const unsigned char[::1] kept, list tags, list nodes,
    const int[::1] parents, dict tag_signs, frozenset unseen, int[::1] of_elements, int[::1] chain, int[::1] signs
) except -1

@cython.locals(sign=cython.int)
cdef int class_sign(str name, frozenset unseen, dict known) except -1

cdef bint is_high(Py_ssize_t index, const int[::1] parents) noexcept
