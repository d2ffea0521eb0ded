# The C types of fast_clean_text.py.
cimport cython

cdef Py_ssize_t MAX_LENGTH

@cython.locals(claims=list, text=str)
cpdef list clean_claims(dict values, dict origins)

@cython.locals(character=cython.Py_UCS4, before=cython.Py_UCS4)
cpdef bint is_clean(str text)

@cython.locals(pieces=list, start=cython.Py_ssize_t, offset=cython.Py_ssize_t)
cpdef str letters_and_digits(str text)

@cython.locals(spans=list, length=cython.Py_ssize_t, index=cython.Py_ssize_t, start=cython.int, end=cython.int)
cpdef list spans_saying(str text, const int[::1] starts, const int[::1] ends, str name, Py_ssize_t longest)

@cython.locals(
    length=cython.Py_ssize_t, reached=cython.Py_ssize_t, offset=cython.Py_ssize_t, character=cython.Py_UCS4,
    letter=cython.Py_UCS4,
)
cdef bint _says(str text, Py_ssize_t start, Py_ssize_t end, str name) except -1
