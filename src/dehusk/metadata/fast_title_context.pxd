# The C types of fast_title_context.py. Names that are imported there and declared here are C variables.
cimport cython

cdef Py_ssize_t LEAVES_PER_LINE, MARK_LEVELS
cdef int NEW_LINE

@cython.locals(
    lines=list, edges=list, own=cython.Py_ssize_t, start="const int[::1]", end="const int[::1]",
    count=cython.Py_ssize_t, distance=cython.Py_ssize_t, index=cython.Py_ssize_t, first=cython.Py_ssize_t,
    last=cython.Py_ssize_t, left=cython.Py_ssize_t, right=cython.Py_ssize_t, longest=cython.Py_ssize_t,
)
cpdef list lines_near(str text, object leaves, Py_ssize_t leaf)

@cython.locals(
    low=cython.Py_ssize_t, high=cython.Py_ssize_t, own=cython.Py_ssize_t, index=cython.Py_ssize_t,
    before=cython.Py_ssize_t, after=cython.Py_ssize_t, edges=list,
)
cpdef tuple line_edges(const unsigned char[::1] parted, Py_ssize_t leaf, Py_ssize_t above, Py_ssize_t below)

@cython.locals(
    dated=list, label=str, text=str, reach=cython.Py_ssize_t, distance=cython.Py_ssize_t, sign=cython.Py_ssize_t,
)
cpdef list dated_lines(list lines, bint every, Py_ssize_t max_label)

cdef class AuthorMarks:
    cdef list nodes
    cdef list parents
    cdef const int[::1] holders
    cdef dict known
    cdef set marked

    @cython.locals(text=str)
    cpdef str attributes(self, Py_ssize_t element)

    @cython.locals(owners=list, some=cython.bint, leaf=cython.Py_ssize_t, owner=cython.Py_ssize_t)
    cpdef marked_elements(self, Py_ssize_t first, Py_ssize_t last)

    @cython.locals(
        count=cython.Py_ssize_t, text=str, first=cython.Py_ssize_t, last=cython.Py_ssize_t, has_word=cython.bint,
    )
    cpdef tuple next_candidate(self, list lines, Py_ssize_t index, frozenset words, tuple prefixes)

    @cython.locals(below=str, own=str)
    cpdef Py_ssize_t nearest_marked(self, Py_ssize_t element)

    cpdef bint in_comment(self, Py_ssize_t element)

@cython.locals(word=str)
cpdef bint contains_any(str text, tuple words)

@cython.locals(word=str)
cdef bint _has_word(str text, frozenset words)
