# The C types of days.py.
cimport cython

@cython.locals(found=cython.int, length=cython.Py_ssize_t, place=cython.Py_ssize_t)
cpdef int ways(str text)

@cython.locals(first=cython.Py_UCS4, second=cython.Py_UCS4)
cdef bint _is_year(str text, Py_ssize_t place, Py_ssize_t length)

@cython.locals(found=cython.int, signs=cython.bint, start=cython.Py_ssize_t)
cdef int _before(str text, Py_ssize_t place)

@cython.locals(found=cython.int, sign=cython.Py_ssize_t, start=cython.Py_ssize_t)
cdef int _after(str text, Py_ssize_t place, Py_ssize_t length)
