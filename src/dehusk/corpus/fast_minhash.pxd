# The C types of fast_minhash.py.
cimport cython

cdef int BEYOND, PART, WHOLE
cdef unsigned long long MASK, OFFSET, PRIME, MIX
cdef unsigned int MASK32

@cython.locals(
    count=cython.Py_ssize_t, current=cython.ulonglong, inside=cython.bint, index=cython.Py_ssize_t,
    code=cython.uint, kind=cython.int,
)
cpdef Py_ssize_t fill_words(str text, const unsigned char[::1] classes, unsigned long long[::1] hashes)

@cython.locals(length=cython.Py_ssize_t, first=cython.Py_ssize_t, index=cython.Py_ssize_t, value=cython.ulonglong)
cpdef Py_ssize_t fill_shingles(
    const unsigned long long[::1] words, Py_ssize_t count, Py_ssize_t size, unsigned long long[::1] shingles
)

@cython.locals(count=cython.Py_ssize_t, function=cython.Py_ssize_t, index=cython.Py_ssize_t, low=cython.uint, value=cython.uint)
cpdef fill_signature(
    const unsigned long long[::1] shingles, const unsigned int[::1] factors, const unsigned int[::1] addends,
    unsigned int[::1] signature
)
