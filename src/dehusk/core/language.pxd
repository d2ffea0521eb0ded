# The C types of language.py. Names that are imported there and declared here are C variables.
cimport cython

cdef double E
cdef Py_ssize_t LONGEST

cdef class Bayes:
    cdef const unsigned int[::1] moves
    cdef unsigned int first
    cdef const float[:, ::1] weights
    cdef const float[::1] prior
    cdef const float[::1] logs
    cdef list same

    @cython.locals(
        counts=dict, classes=cython.Py_ssize_t, found="float[::1]", place=cython.Py_ssize_t, best=cython.Py_ssize_t,
        feature=cython.Py_ssize_t, count=cython.int, weight=cython.float, shrink=cython.float, most=cython.float,
        total=cython.float, weights="const float[:, ::1]", prior="const float[::1]", first=cython.Py_ssize_t, second=cython.Py_ssize_t,
    )
    cpdef tuple likeliest(self, bytes text)

    @cython.locals(
        counts=dict, moves="const unsigned int[::1]", features="unsigned int", row="unsigned int",
        letter="unsigned char", found="unsigned int", feature="unsigned int",
    )
    cpdef dict counted(self, bytes text)
