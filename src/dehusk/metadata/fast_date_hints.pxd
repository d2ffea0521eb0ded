# The C types of fast_date_hints.py.
cimport cython

@cython.locals(formats=cython.int, length=cython.Py_ssize_t, offset=cython.Py_ssize_t)
cpdef int date_hints(str text)

@cython.locals(first=cython.Py_UCS4, second=cython.Py_UCS4)
cdef bint _is_year(str text, Py_ssize_t offset, Py_ssize_t length)

@cython.locals(formats=cython.int, signs=cython.bint, start=cython.Py_ssize_t)
cdef int _hints_before(str text, Py_ssize_t offset)

@cython.locals(formats=cython.int, sign=cython.Py_ssize_t, start=cython.Py_ssize_t)
cdef int _hints_after(str text, Py_ssize_t offset, Py_ssize_t length)
