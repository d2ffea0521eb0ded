# The C types of texrex.py.
cimport cython

@cython.locals(
    block=cython.Py_ssize_t, place=cython.Py_ssize_t, first=cython.Py_ssize_t, last=cython.Py_ssize_t, most=cython.int,
    code=cython.int, kind=cython.int, digits=cython.int, number=cython.int, stop=cython.int, in_uri=cython.int,
    before=cython.int, following=cython.int,
)
cpdef count_characters(
    str text, const int[::1] start, const int[::1] end, const unsigned char[::1] classes, int[:, ::1] counts
)

cdef bint ahead(str text, Py_ssize_t place, Py_ssize_t last, int code) noexcept

cdef bint is_www(str text, Py_ssize_t place, Py_ssize_t last) noexcept

@cython.locals(most=cython.int, limit=cython.Py_ssize_t, dot=cython.int, seen=cython.int, code=cython.int, kind=cython.int)
cdef bint is_host(str text, Py_ssize_t place, Py_ssize_t last, const unsigned char[::1] classes) noexcept

@cython.locals(limit=cython.Py_ssize_t, code=cython.int)
cdef bint is_tag(str text, Py_ssize_t place, Py_ssize_t last) noexcept

cdef bint is_letter(int code) noexcept

cdef bint is_blank(unsigned int code) noexcept

@cython.locals(
    length=cython.Py_ssize_t, room=cython.Py_ssize_t, spots=cython.Py_ssize_t, place=cython.Py_ssize_t,
    mark=cython.Py_ssize_t, name=cython.Py_ssize_t, run=cython.Py_ssize_t, cut=cython.Py_ssize_t, in_run=cython.int,
    misses=cython.int, code=cython.uint, closing=cython.int, fact=cython.int, column=cython.Py_ssize_t,
)
cpdef scan(
    const unsigned int[::1] html, const long long[::1] keys, const int[::1] values, int[:, ::1] runs,
    int[:, ::1] breaks, int[::1] found
)

@cython.locals(length=cython.Py_ssize_t)
cdef Py_ssize_t after_comment(const unsigned int[::1] html, Py_ssize_t place) noexcept

@cython.locals(
    length=cython.Py_ssize_t, size=cython.longlong, key=cython.longlong, limit=cython.Py_ssize_t, code=cython.uint,
    spot=cython.longlong,
)
cdef int find_name(
    const unsigned int[::1] html, Py_ssize_t place, const long long[::1] keys, const int[::1] values
) noexcept

@cython.locals(length=cython.Py_ssize_t, quote=cython.uint, equals=cython.int, code=cython.uint)
cdef Py_ssize_t tag_end(const unsigned int[::1] html, Py_ssize_t place) noexcept

cdef bint has_address(const unsigned int[::1] html, Py_ssize_t place, Py_ssize_t end) noexcept

@cython.locals(length=cython.Py_ssize_t, width=cython.Py_ssize_t, same=cython.Py_ssize_t)
cdef Py_ssize_t after_raw(const unsigned int[::1] html, Py_ssize_t name, Py_ssize_t place) noexcept

@cython.locals(index=cython.Py_ssize_t, kind=cython.int)
cpdef containers(list tags, const int[::1] parents, dict numbers, int[::1] kinds, int[::1] nearest)

@cython.locals(
    leaf=cython.Py_ssize_t, run=cython.Py_ssize_t, last=cython.int, leaves=cython.Py_ssize_t, skip=cython.Py_ssize_t,
    past=cython.Py_ssize_t, step=cython.Py_ssize_t,
)
cpdef match_leaves(
    str text, const int[::1] start, const int[::1] end, const unsigned int[::1] html, const int[:, ::1] runs,
    Py_ssize_t count, Py_ssize_t far, int[::1] breaks
)

@cython.locals(length=cython.Py_ssize_t, same=cython.int, code=cython.uint)
cdef bint reads_alike(
    str text, Py_ssize_t place, Py_ssize_t end, const unsigned int[::1] html, Py_ssize_t mark
) noexcept

@cython.locals(first=cython.uint, second=cython.uint, third=cython.uint, fourth=cython.uint)
cdef bint is_no_break(const unsigned int[::1] html, Py_ssize_t mark, Py_ssize_t length) noexcept
