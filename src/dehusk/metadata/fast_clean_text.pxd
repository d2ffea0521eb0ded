# The C types of lines.py.
cimport cython

cdef Py_ssize_t LONGEST

@cython.locals(found=list, text=str)
cpdef list under(dict told, dict names)

@cython.locals(letter=cython.Py_UCS4, before=cython.Py_UCS4)
cpdef bint is_plain(str text)

@cython.locals(pieces=list, start=cython.Py_ssize_t, place=cython.Py_ssize_t)
cpdef str letters(str text)
