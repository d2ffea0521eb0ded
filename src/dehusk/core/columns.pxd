# The C types of columns.py.
cimport cython

cdef double least(double value, double limit)

@cython.locals(leaf=cython.Py_ssize_t, here=cython.Py_ssize_t, count=cython.Py_ssize_t, blank=cython.bint)
cpdef Py_ssize_t block_columns(
    str text, const unsigned char[::1] begins, const unsigned char[::1] state, const int[::1] start,
    const int[::1] end, const int[::1] element, int hidden, int linked, int verbatim, int[:, ::1] rows,
    unsigned char[::1] veiled
)

@cython.locals(
    block=cython.Py_ssize_t, place=cython.Py_ssize_t, row=cython.Py_ssize_t, most=cython.int, longest=cython.int,
    kind=cython.int, before=cython.int, capitalised=cython.int, length=cython.int, many=cython.int, code=cython.Py_UCS4,
    mark=cython.longlong, mask=cython.longlong, spot=cython.int,
)
cpdef text_columns(
    str text, const int[::1] start, const int[::1] end, const unsigned char[::1] classes, const float[::1] logs,
    int[::1] counts, float[:, ::1] matrix, float[::1] words, long long[::1] marks, const int[::1] link_chars,
    float[::1] link
)

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
    block=cython.Py_ssize_t, best=cython.Py_ssize_t, most=cython.double, share=cython.double, common=cython.int,
    count=cython.int, words=list,
)
cpdef title_columns(
    str text, const int[::1] start, const int[::1] end, const long long[::1] above, long long headings, set wanted,
    double alike, int far, const float[::1] logs, float[:, ::1] matrix
)

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

@cython.locals(
    index=cython.Py_ssize_t, total=cython.double, right=cython.double, taken=cython.double, best=cython.double,
    reached=cython.double,
)
cpdef double best_f1(const double[::1] likely, const float[::1] words)

@cython.locals(way=cython.Py_ssize_t, index=cython.Py_ssize_t)
cpdef group_shares(const int[:, ::1] sizes, float[:, ::1] shares)

@cython.locals(number=cython.Py_ssize_t)
cpdef spread_bits(const long long[::1] bits, int used, float[::1] out)

@cython.locals(row=cython.Py_ssize_t, column=cython.Py_ssize_t)
cpdef add_rows(const float[::1] given, const float[:, ::1] weights, float[::1] total)

@cython.locals(index=cython.Py_ssize_t, value=cython.double)
cpdef moved(const double[::1] values, double cut, double above, double[::1] out)

@cython.locals(
    block=cython.Py_ssize_t, first=cython.Py_ssize_t, second=cython.Py_ssize_t, third=cython.Py_ssize_t,
    word=cython.Py_ssize_t, words=cython.Py_ssize_t,
)
cpdef join_tokens(
    const long long[:, ::1] own, const long long[:, ::1] anywhere, const int[::1] holder, const int[::1] parent,
    long long[:, ::1] both
)

@cython.locals(
    index=cython.Py_ssize_t, above=cython.Py_ssize_t, words=cython.Py_ssize_t, word=cython.Py_ssize_t,
    whole=cython.bint, needed=cython.uchar[::1],
)
cpdef read_tokens(
    list nodes, list tags, const int[::1] parent, const int[::1] holder, set meaning, const long long[::1] keys,
    const int[::1] values, long long[:, ::1] own, long long[:, ::1] anywhere, long long[::1] page
)

@cython.locals(
    index=cython.Py_ssize_t, words=cython.Py_ssize_t, word=cython.Py_ssize_t, same=cython.Py_ssize_t, known=dict,
    text=str,
)
cdef read_classes(
    list nodes, const unsigned char[::1] needed, const long long[::1] keys, const int[::1] values, long long[:, ::1] own
)

@cython.locals(row=cython.Py_ssize_t, word=cython.Py_ssize_t, one=cython.bint)
cpdef bint any_bits(
    const long long[:, ::1] rows, Py_ssize_t first, const long long[::1] wanted, unsigned char[::1] found
)

@cython.locals(
    key=cython.longlong, last=cython.longlong, length=cython.int, size=cython.Py_ssize_t,
    width=cython.Py_ssize_t, place=cython.Py_ssize_t, code=cython.Py_UCS4, letter=cython.int, lower=cython.bint, upper=cython.bint, small=cython.bint, ends=cython.bint,
)
cpdef add_tokens(str text, const long long[::1] keys, const int[::1] values, long long[:, ::1] bits, Py_ssize_t row)

@cython.locals(place=cython.Py_ssize_t, number=cython.int, one=cython.longlong)
cdef void find_token(
    long long key, int length, Py_ssize_t size, const long long[::1] keys, const int[::1] values,
    long long[:, ::1] bits, Py_ssize_t row
)
