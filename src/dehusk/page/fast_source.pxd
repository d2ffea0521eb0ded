# The C types of fast_source.py.
cimport cython

cdef object CLOSE, LEAF, OTHER, ENTER_FRAGMENT, LEAVE_FRAGMENT
cdef long long IS_LEAF, IS_OTHER

@cython.locals(
    count=cython.Py_ssize_t, base=cython.longlong, last_tag=cython.longlong, closing_tags=list, bases=list,
)
cpdef Py_ssize_t fill_events(list steps, long long[::1] start, long long[::1] end) except -1

@cython.locals(
    limit=cython.Py_ssize_t, leaves=cython.Py_ssize_t, cursor=cython.Py_ssize_t, index=cython.Py_ssize_t,
    stop=cython.Py_ssize_t, comment=cython.Py_ssize_t,
)
cpdef Py_ssize_t fill_between(
    str html, const long long[::1] start, const long long[::1] end, Py_ssize_t count, long long[::1] following,
    long long[::1] left, long long[::1] right
) except -1

@cython.locals(offset=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef Py_ssize_t _after_comment(str html, Py_ssize_t cursor, Py_ssize_t limit) except -2
