# The C types of fast_spans.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int BEYOND, PART_OF_WORD, WHOLE_WORD

@cython.locals(pieces=list, previous=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t)
cpdef str joined(str text, list spans)

cpdef bint ends_line(str text, Py_ssize_t start, Py_ssize_t end)

@cython.locals(
    pieces=list, count=cython.Py_ssize_t, index=cython.Py_ssize_t, previous=cython.Py_ssize_t,
    block=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, span=tuple,
)
cpdef whole_pieces(list spans, const unsigned char[::1] kept, const int[::1] starts, const int[::1] ends)

@cython.locals(
    characters=cython.Py_ssize_t, kept_characters=cython.Py_ssize_t, kept_blocks=cython.Py_ssize_t,
    scored=cython.Py_ssize_t, blocks=cython.Py_ssize_t, weighted=cython.double, plain=cython.double,
    block=cython.Py_ssize_t, length=cython.Py_ssize_t, value=cython.double,
)
cpdef tuple totals(
    const int[::1] starts, const int[::1] ends, const unsigned char[::1] kept, const double[::1] values
)

@cython.locals(block=cython.Py_ssize_t, spans=list)
cpdef list kept_spans(const int[::1] starts, const int[::1] ends, const unsigned char[::1] kept)

@cython.locals(block=cython.Py_ssize_t, previous=cython.Py_ssize_t)
cpdef bint one_apart(const int[::1] starts, const int[::1] ends, Py_ssize_t length)

@cython.locals(
    block=cython.Py_ssize_t, start=cython.Py_ssize_t, inside=cython.bint, count=cython.int, offset=cython.Py_ssize_t,
    kind=cython.int,
)
cpdef count_words(
    str text, const int[::1] starts, const int[::1] ends, const unsigned char[::1] classes, int[::1] words
)

@cython.locals(code=cython.long)
cdef int _class(Py_UCS4 character, const unsigned char[::1] classes) noexcept

@cython.locals(
    block=cython.Py_ssize_t, first=cython.int, last=cython.int, leaf=cython.Py_ssize_t, owner=cython.int
)
cpdef edge_elements(
    const int[::1] owners, const int[::1] first_leaves, const int[::1] last_leaves, int[::1] firsts, int[::1] lasts
)
