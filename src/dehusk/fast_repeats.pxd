# The C types of fast_repeats.py.
cimport cython

cdef int SAMPLES, MOST_TRIES, BEYOND, PART_OF_WORD, WHOLE_WORD

@cython.locals(
    size=cython.Py_ssize_t, block=cython.Py_ssize_t, slot=cython.Py_ssize_t, other=cython.Py_ssize_t,
    length=cython.Py_ssize_t, tries=cython.int,
)
cpdef fill_repeats(
    str text, const int[::1] start, const int[::1] end, const unsigned char[::1] eligible,
    const unsigned char[::1] classes, int least, int[::1] slots, int[::1] repeats
)

@cython.locals(result=cython.longlong, sample=cython.Py_ssize_t)
cdef long long sampled_hash(str text, Py_ssize_t start, Py_ssize_t length)

@cython.locals(offset=cython.Py_ssize_t)
cdef bint same_text(str text, Py_ssize_t left, Py_ssize_t right, Py_ssize_t length)

@cython.locals(offset=cython.Py_ssize_t, code=cython.Py_UCS4, kind=cython.int, halves=cython.int, inside=cython.bint)
cdef bint has_words(str text, Py_ssize_t start, Py_ssize_t end, const unsigned char[::1] classes, int least)
