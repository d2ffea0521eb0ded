# The C types of fast_tree.py.
cimport cython

cdef int PARENT, LEVEL, HOLDER, PATH, TAG, FIRST_BLOCK, END_BLOCK, SIZE
cdef int BY_PATH, BY_PARENT, BY_GRANDPARENT, BY_ANCESTOR
cdef int ALL_WORDS, LINK_WORDS, PLAIN_PROSE, PLAIN_WORDS, PROSE
cdef int DEPTH, LEAVES, TAGS, LINK_LEAVES, SAME_PATH
cdef int WORDS_1, BLOCKS_1, ELEMENTS_1, LINKS_1, PROSE_1, PAGE_1
cdef int BLOCK_POSITION, TEXT_POSITION, HIDDEN, LINK_DENSITY, ALL_LINKS
cdef int SAME_PATH_WORDS, SAME_PATH_LINKS, SAME_PATH_PAGE

@cython.locals(
    index=cython.Py_ssize_t, parent=cython.Py_ssize_t, fact=cython.longlong, one=cython.longlong,
    block_level=cython.longlong, path=cython.int, paths=cython.int, shorter=cython.int, first=cython.int[::1],
    sibling=cython.int[::1], last=cython.int[::1],
)
cpdef inherit(list tags, const int[::1] parents, dict facts, long long[::1] above, int[:, ::1] elements, int tag_shift)

@cython.locals(
    index=cython.Py_ssize_t, leaf=cython.Py_ssize_t, block=cython.Py_ssize_t, above=cython.Py_ssize_t,
    count=cython.Py_ssize_t, leaves=cython.Py_ssize_t, blocks=cython.Py_ssize_t,
)
cpdef find_contents(
    int[:, ::1] elements, const int[::1] opened, const int[::1] element, const int[::1] first_leaf,
    const int[::1] last_leaf
)

@cython.locals(block=cython.Py_ssize_t, element=cython.int)
cpdef find_holders(
    const int[:, ::1] elements, const long long[::1] bits, const int[::1] owner, int[::1] holder, int[:, ::1] keys,
    long long[::1] above
)

@cython.locals(index=cython.Py_ssize_t, key=cython.int, count=cython.int)
cpdef number_groups(int[::1] keys, int[::1] sizes, int[::1] seen)

@cython.locals(block=cython.Py_ssize_t, count=cython.double, plain=cython.double)
cpdef running_totals(const float[::1] words, const float[::1] link_density, double prose, double[:, ::1] totals)

@cython.locals(
    block=cython.Py_ssize_t, way=cython.Py_ssize_t, leaf=cython.Py_ssize_t, first=cython.int, last=cython.int,
    links=cython.int, longest=cython.int,
)
cpdef count_columns(
    float[:, ::1] matrix, const float[::1] logs, const int[:, ::1] elements, const int[::1] holder,
    const int[:, ::1] groups, const int[:, ::1] sizes, const int[::1] opened, const unsigned char[::1] state,
    const int[::1] first_leaf, const int[::1] last_leaf, int linked
)

@cython.locals(block=cython.Py_ssize_t, blocks=cython.Py_ssize_t)
cpdef position_columns(
    float[:, ::1] matrix, const int[::1] start, const unsigned char[::1] hidden, const float[::1] link_density,
    int length
)

@cython.locals(
    block=cython.Py_ssize_t, slot=cython.Py_ssize_t, size=cython.Py_ssize_t, longest=cython.int,
    turn=cython.int, tries=cython.int, count=cython.int,
)
cpdef count_repeats(
    const long long[::1] hashes, const float[::1] logs, long long[::1] keys, int[::1] counts, float[::1] row
)

@cython.locals(block=cython.Py_ssize_t, gone=cython.int)
cpdef blocks_since(const long long[::1] bits, long long mask, int farthest, const float[::1] logs, float[::1] row)

@cython.locals(
    block=cython.Py_ssize_t, blocks=cython.Py_ssize_t, count=cython.Py_ssize_t, index=cython.int,
    sums=cython.double[:, ::1],
)
cpdef path_means(
    float[:, ::1] matrix, const int[::1] groups, const int[::1] sizes, const float[::1] words,
    const float[::1] log_words, const float[::1] link_density, double total
)

@cython.locals(
    block=cython.Py_ssize_t, blocks=cython.Py_ssize_t, step=cython.Py_ssize_t, element=cython.int, level=cython.int,
    first=cython.int, last=cython.int, page=cython.double, words=cython.double, divisor=cython.double,
    count=cython.int, longest=cython.int,
)
cpdef subtree_columns(
    float[:, ::1] matrix, const float[::1] logs, const int[::1] steps_up, const int[:, ::1] elements,
    const int[::1] holder, const double[:, ::1] totals
)

@cython.locals(
    index=cython.Py_ssize_t, best=cython.Py_ssize_t, deepest=cython.int, depth=cython.int, enough=cython.double,
    most=cython.double, words=cython.double,
)
cdef Py_ssize_t dominant(const int[:, ::1] elements, const double[::1] total, double share)

@cython.locals(
    block=cython.Py_ssize_t, chosen=cython.Py_ssize_t, first=cython.int, last=cython.int, inside=cython.bint,
    below=cython.int,
)
cpdef dominance_columns(
    float[:, ::1] matrix, int row, const int[:, ::1] elements, const double[::1] total, double share,
    const int[::1] holder
)
