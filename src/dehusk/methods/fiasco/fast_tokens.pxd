# The C types of fast_tokens.py.
cimport cython

from dehusk.fast_hash_table cimport find_slot

cdef int BLANK, UPPER, LETTER, UNSPACED_LETTER, DIGIT, STOP, COMMA, CURRENCY, SIGN, RULE, QUOTE, OTHER
cdef int WORD, NUMBER, SYMBOL, SENTENCE_END
cdef unsigned long long FIRST, FACTOR, MASK

@cython.locals(key=cython.ulonglong, offset=cython.Py_ssize_t)
cpdef unsigned long long key_of(str word)

cdef unsigned long long next_key(unsigned long long key, unsigned long long code) noexcept

@cython.final
cdef class TokenReader:
    cdef const unsigned char[::1] classes
    cdef const int[::1] lowered
    cdef readonly long long[::1] keys
    cdef readonly int[::1] leaves, ends
    cdef readonly unsigned char[::1] kinds
    cdef readonly Py_ssize_t size

    @cython.locals(code=cython.int, most=cython.Py_ssize_t, kind=cython.int)
    cdef int kind_at(self, str text, Py_ssize_t offset, Py_ssize_t end) noexcept

    @cython.locals(
        small=cython.Py_ssize_t, leaf=cython.Py_ssize_t, last=cython.Py_ssize_t, offset=cython.Py_ssize_t,
        key=cython.ulonglong, letters=cython.int, length=cython.int, after_word=cython.bint, kind=cython.int,
        code=cython.int, ends=cython.bint,
    )
    cpdef read(self, str text, const int[::1] start, const int[::1] end, const unsigned char[::1] selected)

    @cython.locals(after=cython.int)
    cdef bint closes(self, str text, Py_ssize_t offset, Py_ssize_t end) noexcept

    cdef void add(self, unsigned long long key, Py_ssize_t leaf, int kind, Py_ssize_t end) noexcept

@cython.locals(row=cython.Py_ssize_t, slot=cython.Py_ssize_t)
cpdef look_up(const long long[::1] keys, const long long[::1] table, const unsigned char[::1] values, unsigned char[::1] flags)

@cython.locals(index=cython.Py_ssize_t, parent=cython.int, mine=cython.int)
cpdef inherit(
    list tags, list nodes, const int[::1] parents, dict own, unsigned char[::1] flags, int[::1] depth,
    unsigned char[::1] has_address
)
