# The C types of fast_features.py, and the loops of other modules that it calls without going through Python.
cimport cython

from dehusk.features.fast_text cimport link_shares, text_columns, title_columns
from dehusk.features.fast_tokens cimport join_tokens, read_tokens
from dehusk.features.fast_tree cimport (
    blocks_since, count_columns, count_repeats, dominance_columns, find_contents, find_holders, inherit, number_groups,
    path_means, position_columns, running_totals, subtree_columns,
)

cdef int TEXT_ROWS, TREE_ROWS, REPEATED, SINCE_HEADING, SINCE_H1, INSIDE_20
cdef int WORDS, TAG, PARENT, BY_PATH, GROUPINGS
cdef int ALL_WORDS, LINK_WORDS, PLAIN_WORDS, PROSE
cdef int FARTHEST, FARTHEST_TITLE, LINKED, PROSE_WORDS, TAG_SHIFT
cdef long long HEADING_BITS, H1_BIT
cdef tuple SHARES
cdef dict TAG_FACTS

@cython.locals(columns=_Columns)
cpdef fill_features(features, page, blocks, vocabulary)

@cython.final
cdef class _Columns:
    cdef Py_ssize_t count, size
    cdef const float[::1] logs
    cdef const unsigned char[::1] classes, state, hidden
    cdef const int[::1] steps_up, start, end, owner, first_leaf, last_leaf, link_chars, opened
    cdef float[:, ::1] matrix
    cdef float[::1] words, links
    cdef int[::1] tag, holder
    cdef long long[::1] above, hashes
    cdef int[:, ::1] groups, sizes, elements
    cdef double[:, ::1] totals

    @cython.locals(way=cython.Py_ssize_t, block=cython.Py_ssize_t, bits=cython.longlong[::1], seen=cython.int[:, ::1])
    cdef read_tree(self, page)
    @cython.locals(rows=cython.float[:, ::1])
    cdef count_text(self, str text)
    @cython.locals(
        rows=cython.float[:, ::1], totals=cython.double[:, ::1], keys=cython.longlong[::1],
        counts=cython.int[::1], words=cython.double, index=cython.int, row=cython.int,
    )
    cdef describe_places(self, Py_ssize_t length)
    @cython.locals(rows=cython.float[:, ::1], above=cython.longlong[::1], headed=cython.bint, block=cython.Py_ssize_t)
    cdef compare_with_title(self, page, str text)
    @cython.locals(
        longs=cython.Py_ssize_t, own=cython.longlong[:, ::1], anywhere=cython.longlong[:, ::1],
        parent=cython.int[::1],
    )
    cdef read_attributes(self, page, vocabulary, long long[:, ::1] both, long long[::1] whole)
    @cython.locals(words=cython.double, last=cython.Py_ssize_t, totals=cython.double[:, ::1])
    cdef summarise(self, float[::1] values)
