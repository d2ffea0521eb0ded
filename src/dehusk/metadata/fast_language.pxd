# The C types of fast_language.py. Names that are imported there and declared here are C variables.
cimport cython

cdef double E
cdef float MIN_EXPONENT
cdef Py_ssize_t MAX_BYTES, CHAINS

cdef class Workspace:
    cdef public unsigned int[::1] rows
    cdef public int[::1] feature_at, slots, features, counts
    cdef public float[::1] scores

cdef class NaiveBayes:
    cdef const unsigned int[::1] moves
    cdef unsigned int first_row
    cdef Py_ssize_t memory
    cdef const short[:, ::1] weights
    cdef const float[::1] prior
    cdef const float[::1] logs
    cdef list same, free

    @cython.locals(
        work=Workspace, scores="float[::1]", classes=cython.Py_ssize_t, index=cython.Py_ssize_t,
        best=cython.Py_ssize_t, shrink=cython.float, most=cython.float, power=cython.float, total=cython.float,
        probability=cython.double, first=cython.Py_ssize_t, second=cython.Py_ssize_t, count=cython.int,
    )
    cpdef tuple likeliest(self, bytes text)

    @cython.locals(
        moves="const unsigned int[::1]", step_size="unsigned int", rows="unsigned int[::1]", feature_at="int[::1]",
        length=cython.Py_ssize_t, part=cython.Py_ssize_t, chain=cython.Py_ssize_t, step=cython.Py_ssize_t,
        offset=cython.Py_ssize_t, move="unsigned int",
    )
    cpdef find_features(self, bytes text, Workspace work)

    @cython.locals(
        feature_at="const int[::1]", slots="int[::1]", features="int[::1]", counts="int[::1]",
        size=cython.Py_ssize_t, slot=cython.Py_ssize_t, count=cython.int, index=cython.Py_ssize_t,
        feature=cython.int,
    )
    cpdef int count_features(self, Py_ssize_t length, Workspace work)

    @cython.locals(
        weights="const short[:, ::1]", prior="const float[::1]", logs="const float[::1]", scores="float[::1]",
        classes=cython.Py_ssize_t, column=cython.Py_ssize_t, index=cython.Py_ssize_t, feature=cython.Py_ssize_t,
        weight=cython.float,
    )
    cpdef add_scores(self, Workspace work, int count)

    @cython.locals(
        weights="const short[:, ::1]", features="const int[::1]", classes=cython.Py_ssize_t, bits=cython.int,
        index=cython.Py_ssize_t, column=cython.Py_ssize_t,
    )
    cpdef int prefetch_weights(self, Workspace work, int count)

@cython.locals(letter=cython.Py_UCS4)
cpdef bint has_letters(str text, Py_ssize_t least)
