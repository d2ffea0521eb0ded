# The C types of fast_escape.py.
cimport cython

@cython.locals(letter=cython.Py_UCS4)
cpdef bint may_be_markup(str text)
