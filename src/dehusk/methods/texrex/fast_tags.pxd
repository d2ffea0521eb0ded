# The C types of fast_tags.py.
cimport cython

from dehusk.fast_hash_table cimport find_slot

cdef int END, OPENING_TAGS, CLOSING_TAGS, HREFS, NAMES_WITH_A, COMMENTS, CONTAINER, CLOSES
cdef int CONTAINER_NUMBER, NO_TEXT, ANCHOR, TEXT, OPENING_TAG, CLOSING_TAG, COMMENT, PAGE_END, LOOK_AHEAD

@cython.locals(
    length=cython.Py_ssize_t, run_limit=cython.Py_ssize_t, row_limit=cython.Py_ssize_t, offset=cython.Py_ssize_t,
    mark=cython.Py_ssize_t, name=cython.Py_ssize_t, run=cython.Py_ssize_t, row=cython.Py_ssize_t, in_run=cython.bint,
    unclosed=cython.int, markup=cython.int, flag=cython.int,
)
cpdef tuple scan_source(
    const unsigned int[::1] html, const long long[::1] keys, const int[::1] flags, int[::1] run_start, int[::1] run_row,
    int[:, ::1] boundaries
)

cdef int markup_kind(unsigned int first, unsigned int second) noexcept

@cython.locals(column=cython.Py_ssize_t)
cdef void end_boundary(
    int[:, ::1] boundaries, Py_ssize_t row, Py_ssize_t offset, int container, bint closes
) noexcept

cdef bint is_letter(int code) noexcept

cdef bint is_blank(unsigned int code) noexcept

@cython.locals(length=cython.Py_ssize_t)
cdef Py_ssize_t after_comment(const unsigned int[::1] html, Py_ssize_t offset) noexcept

@cython.locals(length=cython.Py_ssize_t, key=cython.longlong, limit=cython.Py_ssize_t, code=cython.uint)
cpdef long long name_key(const unsigned int[::1] html, Py_ssize_t offset) noexcept

@cython.locals(length=cython.Py_ssize_t, equals=cython.bint, code=cython.uint)
cdef Py_ssize_t after_tag(const unsigned int[::1] html, Py_ssize_t offset) noexcept

cdef bint has_href(const unsigned int[::1] html, Py_ssize_t offset, Py_ssize_t end) noexcept

@cython.locals(length=cython.Py_ssize_t, width=cython.Py_ssize_t, same=cython.Py_ssize_t)
cdef Py_ssize_t closing_tag(const unsigned int[::1] html, Py_ssize_t name, Py_ssize_t offset) noexcept

@cython.locals(index=cython.Py_ssize_t, kind=cython.int)
cpdef find_containers(list tags, const int[::1] parents, dict container_numbers, int[::1] kinds, int[::1] nearest)

@cython.locals(
    leaf=cython.Py_ssize_t, leaves=cython.Py_ssize_t, run=cython.Py_ssize_t, runs=cython.Py_ssize_t, last=cython.int,
    ahead=cython.Py_ssize_t,
)
cpdef match_leaves(
    str text, const int[::1] start, const int[::1] end, const unsigned int[::1] html, const int[::1] run_start,
    const int[::1] run_row, int[::1] rows
)

@cython.locals(leaves=cython.Py_ssize_t, runs=cython.Py_ssize_t, step=cython.Py_ssize_t)
cdef Py_ssize_t next_match(
    str text, const int[::1] start, const int[::1] end, const unsigned int[::1] html, const int[::1] run_start,
    Py_ssize_t leaf, Py_ssize_t run
) noexcept

@cython.locals(length=cython.Py_ssize_t, same=cython.int, code=cython.uint)
cdef bint reads_alike(
    str text, Py_ssize_t offset, Py_ssize_t end, const unsigned int[::1] html, Py_ssize_t mark
) noexcept

@cython.locals(first=cython.uint, second=cython.uint, third=cython.uint, fourth=cython.uint)
cdef bint is_no_break_space(const unsigned int[::1] html, Py_ssize_t mark, Py_ssize_t length) noexcept
