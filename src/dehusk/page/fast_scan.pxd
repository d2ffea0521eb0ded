# The C types of fast_scan.py.
cimport cython

@cython.locals(values=dict)
cpdef dict meta_values(list nodes, frozenset known_names, Py_ssize_t max_length)

@cython.locals(links=dict, known=dict, words=list)
cpdef dict links_by_rel(list nodes, frozenset relations)

@cython.locals(elements=list, index=cython.Py_ssize_t)
cpdef list elements_with_tags(list tags, frozenset names, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t limit)

@cython.locals(elements=list)
cpdef list elements_with_tags_around(list tags, list parents, frozenset names, Py_ssize_t element, Py_ssize_t stop)

@cython.locals(
    texts=list, leaves=cython.Py_ssize_t, target=cython.Py_ssize_t, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
    middle=cython.Py_ssize_t, last=cython.Py_ssize_t, ancestor=cython.Py_ssize_t, left=cython.Py_ssize_t,
    right=cython.Py_ssize_t,
)
cpdef list element_texts(
    str text, list targets, list parents, const int[::1] start, const int[::1] end, const int[::1] element,
    const int[::1] opened
)
