# The C types of fast_clean_text.py.
cimport cython

cdef Py_ssize_t MAX_LENGTH

@cython.locals(found=list, text=str)
cpdef list clean_claims(dict values, dict origins)

@cython.locals(character=cython.Py_UCS4, before=cython.Py_UCS4)
cpdef bint is_clean(str text)

@cython.locals(pieces=list, start=cython.Py_ssize_t, place=cython.Py_ssize_t)
cpdef str letters_and_digits(str text)
