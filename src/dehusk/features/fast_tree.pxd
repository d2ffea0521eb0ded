# The C types of fast_tree.py.
cimport cython

@cython.locals(
    index=cython.Py_ssize_t, parent=cython.Py_ssize_t, fact=cython.longlong, one=cython.longlong, block_level=cython.longlong,
    path=cython.int, paths=cython.int, above_it=cython.int, first=cython.int[::1], beside=cython.int[::1],
    last=cython.int[::1],
)
cpdef climb(list tags, const int[::1] parents, dict facts, long long[::1] above, int[:, ::1] columns, int own)

@cython.locals(
    index=cython.Py_ssize_t, leaf=cython.Py_ssize_t, block=cython.Py_ssize_t, above=cython.Py_ssize_t,
    count=cython.Py_ssize_t, leaves=cython.Py_ssize_t, blocks=cython.Py_ssize_t,
)
cpdef block_ranges(
    const int[::1] parent, const int[::1] opened, const int[::1] element, const int[::1] first_leaf,
    const int[::1] last_leaf, int[:, ::1] ranges
)

@cython.locals(block=cython.Py_ssize_t, element=cython.int)
cpdef hold(
    const int[:, ::1] columns, const long long[::1] bits, const int[::1] owner, int[::1] holder, int[:, ::1] keys,
    long long[::1] above
)

@cython.locals(index=cython.Py_ssize_t, key=cython.int, count=cython.int)
cpdef int group(const int[::1] keys, int[::1] numbers, int[::1] sizes, int[::1] seen)

@cython.locals(block=cython.Py_ssize_t, count=cython.double, plain=cython.double)
cpdef running_totals(const float[::1] words, const float[::1] link, double prose, double[:, ::1] totals)

@cython.locals(
    block=cython.Py_ssize_t, row=cython.Py_ssize_t, leaf=cython.Py_ssize_t, first=cython.int, last=cython.int,
    links=cython.int, tags=cython.int, depth=cython.int, size=cython.int, longest=cython.int,
)
cpdef place_columns(
    float[:, ::1] matrix, const float[::1] logs, const int[:, ::1] columns, const int[::1] holder,
    const int[:, ::1] groups, const int[:, ::1] sizes, const int[::1] opened, const unsigned char[::1] state,
    const int[::1] first_leaf, const int[::1] last_leaf, int linked
)

@cython.locals(block=cython.Py_ssize_t, blocks=cython.Py_ssize_t)
cpdef page_columns(
    float[:, ::1] rows, const int[::1] start, const unsigned char[::1] hidden, const float[::1] link,
    const float[::1] words, int length
)

@cython.locals(
    block=cython.Py_ssize_t, place=cython.Py_ssize_t, size=cython.Py_ssize_t, longest=cython.Py_ssize_t,
    turn=cython.int, tries=cython.int, many=cython.int,
)
cpdef count_repeats(
    const long long[::1] marks, const float[::1] logs, long long[::1] keys, int[::1] counts, float[::1] row
)

@cython.locals(block=cython.Py_ssize_t, gone=cython.int)
cpdef since_marked(const long long[::1] bits, long long wanted, int far, const float[::1] logs, float[::1] row)

@cython.locals(
    block=cython.Py_ssize_t, blocks=cython.Py_ssize_t, count=cython.Py_ssize_t, index=cython.int,
    sums=cython.double[:, ::1],
)
cpdef group_means(
    const int[::1] groups, const int[::1] sizes, const float[::1] words, const float[::1] link, double total,
    float[:, ::1] rows
)

@cython.locals(
    block=cython.Py_ssize_t, blocks=cython.Py_ssize_t, step=cython.Py_ssize_t, steps=cython.Py_ssize_t,
    element=cython.int, level=cython.int, first=cython.int, last=cython.int, page=cython.double, held=cython.double,
    safe=cython.double, many=cython.int, below=cython.int, longest=cython.int,
)
cpdef subtrees(
    float[:, ::1] counts, float[:, ::1] shares, const float[::1] logs, const int[::1] levels,
    const int[:, ::1] columns, const int[:, ::1] ranges, const int[::1] holder, const double[:, ::1] totals
)

@cython.locals(
    index=cython.Py_ssize_t, best=cython.Py_ssize_t, deepest=cython.int, depth=cython.int, least=cython.double,
    most=cython.double, held=cython.double,
)
cdef Py_ssize_t dominant(const int[:, ::1] columns, const int[:, ::1] ranges, const double[::1] total, double share)

@cython.locals(
    block=cython.Py_ssize_t, chosen=cython.Py_ssize_t, first=cython.int, last=cython.int, inside=cython.bint,
    below=cython.int,
)
cpdef dominance(
    const int[:, ::1] columns, const int[:, ::1] ranges, const double[::1] total, double share, const int[::1] holder,
    float[:, ::1] rows
)

cdef double least(double value, double limit)
