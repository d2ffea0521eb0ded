# The C types of fast_features.py.
cimport cython

from dehusk.fast_hash_table cimport find_slot

cdef int IGNORED, PART_OF_WORD, SPACE, WHOLE_WORD
cdef unsigned long long FIRST, FACTOR, MASK

@cython.locals(
    most=cython.Py_ssize_t, small=cython.Py_ssize_t, offset=cython.Py_ssize_t, code=cython.int, kind=cython.int,
    words=list, letters=list,
)
cpdef list split_words(str text, const unsigned char[::1] classes, const int[::1] lowered)

@cython.locals(key=cython.ulonglong, offset=cython.Py_ssize_t)
cpdef unsigned long long hash_word(str word)

cdef unsigned long long hash_letter(unsigned long long key, unsigned long long code) noexcept

@cython.final
cdef class LeafCounter:
    cdef long long[::1] keys
    cdef int[::1] indices, lowered
    cdef unsigned char[::1] classes
    cdef int base, first
    cdef int[::1] entry_of
    cdef readonly int size
    cdef readonly long long[::1] rows, columns
    cdef readonly float[::1] counts

    @cython.locals(
        keys=cython.longlong[::1], indices=cython.int[::1], classes=cython.uchar[::1], lowered=cython.int[::1],
        most=cython.Py_ssize_t, small=cython.Py_ssize_t, row=cython.Py_ssize_t, last=cython.Py_ssize_t,
        element=cython.int, offset=cython.Py_ssize_t, code=cython.int, kind=cython.int, key=cython.ulonglong,
    )
    cpdef count(
        self, str text, const int[::1] start, const int[::1] end, const int[::1] owner, const int[::1] tags,
        const int[::1] parents
    )

    cdef void add(self, Py_ssize_t row, int column) noexcept

@cython.locals(
    width=cython.Py_ssize_t, entry=cython.Py_ssize_t, index=cython.Py_ssize_t, row=cython.Py_ssize_t,
    column=cython.Py_ssize_t, value=cython.float,
)
cpdef void add_entries(
    const long long[::1] rows, const long long[::1] columns, const float[::1] values, const float[:, ::1] table,
    float[:, ::1] sums
)
