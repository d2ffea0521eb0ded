# The C types of fast_marks.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int LINKED, UNKNOWN, NO_MARK, UNSEEN, EDIT, HEADING

@cython.locals(
    marked=list, names=dict, others=cython.bint, leaf=cython.Py_ssize_t, count=cython.Py_ssize_t,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t, owner=cython.Py_ssize_t, mark=cython.int, is_link=cython.bint,
    is_sign=cython.bint,
)
cpdef list marked_leaves(
    str text, list spans, const int[::1] starts, const int[::1] ends, const unsigned char[::1] states,
    const int[::1] owners, list tags, list nodes, const int[::1] parents, dict block_marks, dict class_marks,
    unsigned char[::1] known
)

@cython.locals(chain=list, mark=cython.int, ended=cython.int)
cdef int marks_above(
    Py_ssize_t index, list tags, list nodes, const int[::1] parents, dict block_marks, dict class_marks, dict names,
    unsigned char[::1] known
) except -1

@cython.locals(mark=cython.int)
cdef int class_mark(str name, dict class_marks, dict names) except -1

cdef bint _is_link_sign(Py_UCS4 character, int mark) noexcept
