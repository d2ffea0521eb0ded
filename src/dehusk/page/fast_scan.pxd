# The C types of near.py. Names that are imported there and declared here are C variables.
cimport cython

cdef Py_ssize_t LEVELS

@cython.locals(found=dict)
cpdef dict told(list nodes, frozenset known, Py_ssize_t longest)

@cython.locals(found=dict, known=dict, words=list)
cpdef dict related(list nodes, frozenset wanted)

@cython.locals(found=list, place=cython.Py_ssize_t)
cpdef list places_of(list tags, frozenset wanted, Py_ssize_t low, Py_ssize_t high, Py_ssize_t most)

@cython.locals(
    found=list,
)
cpdef list places_round(list tags, list parents, frozenset wanted, Py_ssize_t element, Py_ssize_t high)

@cython.locals(
    found=list, leaves=cython.Py_ssize_t, place=cython.Py_ssize_t, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
    middle=cython.Py_ssize_t, last=cython.Py_ssize_t, above=cython.Py_ssize_t, left=cython.Py_ssize_t,
    right=cython.Py_ssize_t,
)
cpdef list texts_below(
    str text, list places, list parents, const int[::1] start, const int[::1] end, const int[::1] element,
    const int[::1] opened
)

@cython.locals(
    found=list, count=cython.Py_ssize_t, distance=cython.Py_ssize_t, number=cython.Py_ssize_t,
    first=cython.Py_ssize_t, last=cython.Py_ssize_t, left=cython.Py_ssize_t, right=cython.Py_ssize_t,
)
cpdef list lines(
    str text, const int[::1] start, const int[::1] end, list edges, Py_ssize_t here, list distances, Py_ssize_t longest
)

@cython.locals(
    found=list, label=str, text=str, reach=cython.Py_ssize_t, distance=cython.Py_ssize_t, sign=cython.Py_ssize_t,
    near=tuple,
)
cpdef list dated(list lines, bint every, Py_ssize_t short)

cdef class Marks:
    cdef list nodes
    cdef list parents
    cdef const int[::1] holders
    cdef tuple hints
    cdef tuple marks
    cdef tuple others
    cdef dict known
    cdef set marked

    @cython.locals(text=str)
    cpdef str said(self, Py_ssize_t index)

    @cython.locals(found=list, some=cython.bint, leaf=cython.Py_ssize_t, owner=cython.Py_ssize_t)
    cpdef owners(self, Py_ssize_t first, Py_ssize_t last)

    @cython.locals(
        count=cython.Py_ssize_t, text=str, first=cython.Py_ssize_t, last=cython.Py_ssize_t, says=cython.bint,
    )
    cpdef tuple next_named(self, list lines, Py_ssize_t place, frozenset words, tuple glued)

    @cython.locals(below=str, said=str, level=cython.int)
    cpdef Py_ssize_t nearest(self, Py_ssize_t index)

    cpdef bint in_comment(self, Py_ssize_t index)

@cython.locals(word=str)
cpdef bint holds(str text, tuple words)

@cython.locals(word=str)
cdef bint _says(str text, frozenset words)
