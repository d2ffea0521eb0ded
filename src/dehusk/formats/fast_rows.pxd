# The C types of fast_rows.py.
cimport cython

from dehusk.fast_spans cimport ends_line

cdef str LETTERS

cpdef str json_string(str text)

@cython.locals(letter=cython.Py_UCS4, common=cython.bint)
cpdef str json_escaped(str text)

@cython.locals(parts=list, value_text=str, name=str)
cpdef str json_members(dict record)

@cython.locals(flags=list, index=cython.Py_ssize_t, comment=cython.int)
cpdef list block_flags(list indexes, bytes kept, bytes comments, bytes hidden, list table)

@cython.locals(index=cython.Py_ssize_t)
cpdef list escaped_blocks(str text, list indexes, const int[::1] starts, const int[::1] ends)

@cython.locals(
    pieces=list, row=cython.Py_ssize_t, index=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    previous=cython.Py_ssize_t,
)
cpdef joined_blocks(
    str text, list spans, list blocks, list indexes, const int[::1] starts, const int[::1] ends
)

@cython.locals(
    rows=list, row=cython.Py_ssize_t, index=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    value=cython.double, tenth=cython.int, letter=str, score=str,
)
cpdef list json_rows(
    list blocks, list indexes, const int[::1] starts, const int[::1] ends, const double[::1] values, list flags,
    list kinds, list extras
)

@cython.locals(scaled=cython.double, rounded=cython.int)
cpdef str decimals(double value)

@cython.locals(
    rows=list, row=cython.Py_ssize_t, index=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    value=cython.double, tenth=cython.int, score=str, piece=str, flag=str,
)
cpdef list xml_rows(str text, list pieces, const double[::1] values, list kinds, dict flags)

@cython.locals(
    lines=list, row=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t, code=cython.Py_ssize_t
)
cpdef list cleaneval_lines(str text, list pieces, list codes, list tags, object tag_in_text)

@cython.locals(line=str)
cpdef str cleaneval_line(str text, object tag_in_text)
