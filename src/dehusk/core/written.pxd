# The C types of written.py. Names that are imported there and declared here are C variables.
cimport cython

cdef str LETTERS

@cython.locals(letter=cython.Py_UCS4, common=cython.bint)
cpdef str escaped(str text)

cpdef str quoted(str text)

@cython.locals(parts=list, said=str, name=str)
cpdef str members(dict record)

@cython.locals(found=list, number=cython.Py_ssize_t, comment=cython.int)
cpdef list fates(list numbers, bytes kept, bytes comments, bytes hidden, list table)

@cython.locals(letter=cython.Py_UCS4)
cpdef bint may_be_markup(str text)

@cython.locals(pieces=list, previous=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t)
cpdef str joined(str text, list spans)

cdef bint _ends_line(str text, Py_ssize_t start, Py_ssize_t end)

@cython.locals(scaled=cython.double, number=cython.int)
cpdef str decimals(double value)

@cython.locals(
    found=list, number=cython.Py_ssize_t, index=cython.Py_ssize_t, count=cython.Py_ssize_t, code=cython.int,
    mine=cython.int, depth=cython.int,
)
cpdef list kind_codes(
    list tags, const int[::1] parents, dict own, const unsigned char[::1] laid_out, const int[::1] owners,
    list numbers, int[::1] codes, int[::1] chain
)

@cython.locals(index=cython.Py_ssize_t, parent=cython.int, mine=cython.int, round_it=cython.int)
cpdef tables_round(
    list tags, const int[::1] parents, dict parts, int[::1] nearest, unsigned char[::1] lays
)

@cython.locals(
    number=cython.Py_ssize_t,
)
cpdef list escaped_blocks(str text, list numbers, const int[::1] starts, const int[::1] ends)

@cython.locals(
    pieces=list, place=cython.Py_ssize_t, number=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    previous=cython.Py_ssize_t,
)
cpdef joined_blocks(
    str text, list spans, list blocks, list numbers, const int[::1] starts, const int[::1] ends
)

@cython.locals(
    rows=list, place=cython.Py_ssize_t, number=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    value=cython.double, tenth=cython.int, letter=str, score=str,
)
cpdef list json_rows(
    list blocks, list numbers, const int[::1] starts, const int[::1] ends, const double[::1] values, list marks,
    list kinds, list more
)

@cython.locals(
    rows=list, place=cython.Py_ssize_t, number=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    value=cython.double, tenth=cython.int, score=str, piece=str, mark=str,
)
cpdef list xml_rows(str text, list pieces, const double[::1] values, list kinds, dict marks)

@cython.locals(
    pieces=list, count=cython.Py_ssize_t, place=cython.Py_ssize_t, previous=cython.Py_ssize_t,
    number=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, span=tuple,
)
cpdef whole_pieces(list spans, const unsigned char[::1] kept, const int[::1] starts, const int[::1] ends)

@cython.locals(
    characters=cython.Py_ssize_t, kept_characters=cython.Py_ssize_t, kept_blocks=cython.Py_ssize_t,
    scored=cython.Py_ssize_t, blocks=cython.Py_ssize_t, weighted=cython.double, plain=cython.double,
    number=cython.Py_ssize_t, length=cython.Py_ssize_t, value=cython.double,
)
cpdef tuple totals(
    const int[::1] starts, const int[::1] ends, const unsigned char[::1] kept, const double[::1] values
)

@cython.locals(
    low=cython.Py_ssize_t, high=cython.Py_ssize_t, here=cython.Py_ssize_t, place=cython.Py_ssize_t,
    count=cython.Py_ssize_t, found=cython.Py_ssize_t, edges=list,
)
cpdef tuple line_edges(
    const unsigned char[::1] parted, Py_ssize_t leaf, Py_ssize_t above, Py_ssize_t below, Py_ssize_t most, int new
)
