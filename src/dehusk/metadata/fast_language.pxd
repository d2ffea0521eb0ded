# The C types of language.py. Names that are imported there and declared here are C variables.
cimport cython

cdef double E
cdef float LEAST
cdef Py_ssize_t LONGEST, CHAINS

cdef class Room:
    cdef public unsigned int[::1] rows
    cdef public int[::1] told, table, found, often
    cdef public float[::1] scores

cdef class Bayes:
    cdef const unsigned int[::1] moves
    cdef unsigned int first
    cdef Py_ssize_t memory
    cdef const short[:, ::1] weights
    cdef const float[::1] prior
    cdef const float[::1] logs
    cdef list same, rooms

    @cython.locals(
        room=Room, found="float[::1]", classes=cython.Py_ssize_t, place=cython.Py_ssize_t, best=cython.Py_ssize_t,
        shrink=cython.float, most=cython.float, power=cython.float, total=cython.float, likelihood=cython.double,
        first=cython.Py_ssize_t, second=cython.Py_ssize_t, count=cython.int,
    )
    cpdef tuple likeliest(self, bytes text)

    @cython.locals(
        moves="const unsigned int[::1]", features="unsigned int", rows="unsigned int[::1]", told="int[::1]",
        length=cython.Py_ssize_t, part=cython.Py_ssize_t, chain=cython.Py_ssize_t, step=cython.Py_ssize_t,
        place=cython.Py_ssize_t, move="unsigned int",
    )
    cpdef read(self, bytes text, Room room)

    @cython.locals(
        told="const int[::1]", table="int[::1]", found="int[::1]", often="int[::1]", size=cython.Py_ssize_t,
        place=cython.Py_ssize_t, count=cython.int, index=cython.Py_ssize_t, feature=cython.int,
    )
    cpdef int count(self, Py_ssize_t length, Room room)

    @cython.locals(
        weights="const short[:, ::1]", prior="const float[::1]", logs="const float[::1]", scores="float[::1]",
        classes=cython.Py_ssize_t, place=cython.Py_ssize_t, index=cython.Py_ssize_t, feature=cython.Py_ssize_t,
        weight=cython.float,
    )
    cpdef weigh(self, Room room, int count)

    @cython.locals(
        weights="const short[:, ::1]", found="const int[::1]", classes=cython.Py_ssize_t, bits=cython.int,
        index=cython.Py_ssize_t, place=cython.Py_ssize_t,
    )
    cpdef int asked(self, Room room, int count)

@cython.locals(letter=cython.Py_UCS4)
cpdef bint has_letters(str text, Py_ssize_t least)
