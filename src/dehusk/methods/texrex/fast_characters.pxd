# The C types of fast_characters.py.
cimport cython

cdef int BLANK, UPPER, LOWER, LETTER, NUMBER, PUNCTUATION, OTHER, SENTENCES, COPYRIGHT, YEARS, YEARS_QUIRK, MAILS, URIS
cdef int HASHTAGS, LITERAL_TAGS, ENDS, SENTENCES_QUIRK, ENDS_QUIRK, STOP, STOP_ANYWHERE, CLOSING

@cython.locals(block=cython.Py_ssize_t)
cpdef count_characters(
    str text, const int[::1] start, const int[::1] end, const unsigned char[::1] classes, int[:, ::1] counts
)

@cython.locals(
    offset=cython.Py_ssize_t, code=cython.int, kind=cython.int, digits=cython.int, number=cython.int, stop=cython.int,
    in_uri=cython.int, before=cython.int, most=cython.int,
)
cdef void count_block(
    str text, Py_ssize_t first, Py_ssize_t last, const unsigned char[::1] classes, int[:, ::1] counts, Py_ssize_t block
) noexcept

@cython.locals(
    offset=cython.Py_ssize_t, code=cython.int, kind=cython.int, mark=cython.int, ended=cython.int, most=cython.int,
)
cdef void count_sentences(
    str text, Py_ssize_t first, Py_ssize_t last, const unsigned char[::1] classes, int[:, ::1] counts, Py_ssize_t block
) noexcept

cdef void count_year(int number, bint inside, int[:, ::1] counts, Py_ssize_t block) noexcept

@cython.locals(most=cython.int)
cdef int class_of(int code, const unsigned char[::1] classes) noexcept

@cython.locals(code=cython.int, word_begins=cython.bint)
cdef bint count_sign(
    str text, Py_ssize_t offset, Py_ssize_t last, int before, const unsigned char[::1] classes, int[:, ::1] counts,
    Py_ssize_t block
) noexcept

cdef bint is_www(str text, Py_ssize_t offset, Py_ssize_t last) noexcept

@cython.locals(limit=cython.Py_ssize_t, dot=cython.bint, seen=cython.bint, code=cython.int)
cdef bint is_host(str text, Py_ssize_t offset, Py_ssize_t last, const unsigned char[::1] classes) noexcept

@cython.locals(limit=cython.Py_ssize_t, code=cython.int)
cdef bint is_tag(str text, Py_ssize_t offset, Py_ssize_t last) noexcept
