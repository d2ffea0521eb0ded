# The C types of boilernet.py.
cimport cython

cdef unsigned long long FIRST, FACTOR, MASK

@cython.locals(
    most=cython.Py_ssize_t, small=cython.Py_ssize_t, place=cython.Py_ssize_t, code=cython.int, kind=cython.int,
    words=list, letters=list,
)
cpdef list split_words(str text, const unsigned char[::1] classes, const int[::1] lowered)

@cython.locals(key=cython.ulonglong, place=cython.Py_ssize_t)
cpdef unsigned long long hash_word(str word)

cdef unsigned long long hash_letter(unsigned long long key, unsigned long long code) noexcept

@cython.locals(size=cython.longlong, spot=cython.longlong)
cdef int find_word(long long wanted, const long long[::1] keys, const int[::1] values) noexcept

cdef int add_one(
    int column, Py_ssize_t row, int first, int entry, int[::1] seen, long long[::1] rows, long long[::1] columns,
    float[::1] counts
) noexcept

@cython.locals(
    most=cython.Py_ssize_t, small=cython.Py_ssize_t, row=cython.Py_ssize_t, entry=cython.int, first=cython.int,
    last=cython.Py_ssize_t, element=cython.int, place=cython.Py_ssize_t, code=cython.int, kind=cython.int,
    key=cython.ulonglong, wanted=cython.ulonglong,
)
cpdef int count_leaves(
    str text, const int[::1] start, const int[::1] end, const int[::1] owner, const int[::1] tags,
    const int[::1] parents, const unsigned char[::1] classes, const int[::1] lowered, const long long[::1] keys,
    const int[::1] values, int base, int[::1] seen, long long[::1] rows, long long[::1] columns, float[::1] counts
)

@cython.locals(
    width=cython.Py_ssize_t, entry=cython.Py_ssize_t, place=cython.Py_ssize_t, row=cython.Py_ssize_t,
    column=cython.Py_ssize_t, value=cython.float,
)
cpdef void add_entries(
    const long long[::1] rows, const long long[::1] columns, const float[::1] values, const float[:, ::1] table,
    float[:, ::1] sums
)
