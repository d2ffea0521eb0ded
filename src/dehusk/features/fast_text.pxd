# The C types of fast_text.py.
cimport cython

cdef int CHARACTERS, WORDS, STOPS, WORD_LENGTH, UPPER_SHARE, LETTER_SHARE, UNSPACED_SHARE, DIGIT_SHARE, OTHER_SHARE
cdef int CAPITALISED, STOPS_PER_WORD, COMMAS_PER_WORD, OTHER_PER_WORD, RULES_PER_WORD, QUOTES_PER_WORD, MONEY, SIGNS
cdef int ENDS_IN_STOP, ENDS_IN_COMMA, ENDS_IN_LETTER, STARTS_UPPER, STARTS_DIGIT, STARTS_OTHER
cdef int SINCE_TITLE, TITLE_OVERLAP, BEFORE_TITLE
cdef int BLANK, UPPER, LETTER, UNSPACED_LETTER, DIGIT, STOP, COMMA, CURRENCY, SIGN, RULE, QUOTE, OTHER
cdef int CAPITALS, LAST_CLASS

@cython.locals(
    block=cython.Py_ssize_t, most=cython.int, length=cython.int, count=cython.int, code=cython.Py_UCS4,
)
cpdef text_columns(
    str text, const int[::1] start, const int[::1] end, const unsigned char[::1] classes, const float[::1] logs,
    int[::1] counts, float[:, ::1] matrix, float[::1] words, long long[::1] hashes
)

@cython.locals(
    offset=cython.Py_ssize_t, most=cython.int, kind=cython.int, before=cython.int, code=cython.Py_UCS4, entry=cython.int,
    text_hash=cython.longlong, mask=cython.longlong,
)
cdef long long count_characters(
    str text, Py_ssize_t start, Py_ssize_t end, const unsigned char[::1] classes, int[::1] counts
) noexcept

@cython.locals(longest=cython.int, characters=cython.double, per_word=cython.double)
cdef void write_counts(
    Py_ssize_t block, int length, int words, const int[::1] counts, const float[::1] logs, float[:, ::1] matrix
) noexcept

cdef void write_edges(Py_ssize_t block, int first, int last, float[:, ::1] matrix) noexcept

@cython.locals(
    block=cython.Py_ssize_t, best=cython.Py_ssize_t, most=cython.double, overlap=cython.double, common=cython.int,
    count=cython.int, words=list,
)
cpdef title_columns(
    str text, const int[::1] start, const int[::1] end, const long long[::1] above, long long headings,
    set title_words, int farthest, const float[::1] logs, float[:, ::1] matrix
)

@cython.locals(block=cython.Py_ssize_t)
cpdef link_shares(const int[::1] link_chars, const int[::1] start, const int[::1] end, float[::1] shares)
