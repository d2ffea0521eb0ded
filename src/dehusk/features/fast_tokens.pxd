# The C types of fast_tokens.py.
cimport cython

from dehusk.fast_hash_table cimport find_slot

@cython.locals(
    index=cython.Py_ssize_t, above=cython.Py_ssize_t, words=cython.Py_ssize_t, word=cython.Py_ssize_t,
    whole=cython.bint, needed=cython.uchar[::1], count=cython.Py_ssize_t, known=dict, classes=cython.longlong[:, ::1],
)
cpdef read_tokens(
    list nodes, list tags, const int[::1] parent, const int[::1] holder, set annotated, const long long[::1] keys,
    const int[::1] values, long long[:, ::1] own, long long[:, ::1] anywhere, long long[::1] page
)

@cython.locals(row=cython.Py_ssize_t, word=cython.Py_ssize_t)
cdef read_class(
    str text, dict known, long long[:, ::1] classes, const long long[::1] keys, const int[::1] values,
    long long[:, ::1] own, Py_ssize_t index
)

@cython.locals(
    block=cython.Py_ssize_t, first=cython.Py_ssize_t, second=cython.Py_ssize_t, third=cython.Py_ssize_t,
    word=cython.Py_ssize_t, words=cython.Py_ssize_t,
)
cpdef join_tokens(
    const long long[:, ::1] own, const long long[:, ::1] anywhere, const int[::1] holder, const int[::1] parent,
    long long[:, ::1] both
)

@cython.locals(row=cython.Py_ssize_t, word=cython.Py_ssize_t, some=cython.bint)
cpdef bint any_bits(
    const long long[:, ::1] rows, Py_ssize_t first, const long long[::1] mask, unsigned char[::1] has_any
)

@cython.locals(
    key=cython.longlong, last=cython.longlong, length=cython.int,
    width=cython.Py_ssize_t, offset=cython.Py_ssize_t, code=cython.Py_UCS4, letter=cython.int, lower=cython.bint, upper=cython.bint, small=cython.bint, ends=cython.bint,
)
cpdef add_tokens(str text, const long long[::1] keys, const int[::1] values, long long[:, ::1] bits, Py_ssize_t row)

@cython.locals(slot=cython.Py_ssize_t, token=cython.int, one=cython.longlong)
cdef void set_token_bit(
    long long key, int length, const long long[::1] keys, const int[::1] values, long long[:, ::1] bits, Py_ssize_t row
) noexcept
