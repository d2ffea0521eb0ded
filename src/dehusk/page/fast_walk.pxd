# The C types of fast_walk.py. What returns None there returns 0 here, or -1 where it raises. Names that are imported
# there and declared here are C variables, looked up in no dictionary.
cimport cython

cdef type Comment, Element, Text
cdef object CLOSE, LEAF, OTHER, ENTER_FRAGMENT, LEAVE_FRAGMENT
cdef dict ROLES
cdef tuple SEPARATOR
cdef int GLUED, SPACED, NEW_LINE, NEW_BLOCK, SELF_SPACED
cdef int HIDDEN, VERBATIM, LINKED, IN_SVG
cdef int BLOCK, BR, PRE, RAW, ANCHOR, SVG, HEAD, TEMPLATE, PASSED, SPECIAL
cdef Py_ssize_t MOST_FRAGMENTS

@cython.locals(walker=_Walker)
cpdef walk(tree, Py_ssize_t limit, bint shadows, list steps=*)

@cython.final
cdef class _Walker:
    cdef list tags, nodes, pieces, suspended, steps, element_columns, leaf_columns
    cdef set hidden, annotated
    cdef dict known
    cdef object nodes_ahead
    cdef bint shadows, complete, whole_fragments, shadow_roots
    cdef long long affordable
    cdef Py_ssize_t limit, element_room, element_count, leaf_room, leaf_count, length, here, left
    cdef int state, role, gap
    cdef int[::1] parents, remaining, start, end, element, opened
    cdef unsigned char[::1] states, roles, gaps, leaf_states

    cdef int run(self) except -1
    cdef inline int record(self, step) except -1
    cdef inline int record_element(self, node) except -1
    cdef inline int leave_finished_elements(self) except -1
    @cython.locals(length=cython.Py_ssize_t, cost=cython.longlong)
    cdef object fragment(self, str markup)
    cdef int enter_fragment(self, root) except -1
    @cython.locals(raw=cython.Py_ssize_t)
    cdef int leave_fragment(self) except -1
    cdef inline int add_text(self, str data) except -1
    cdef int add_verbatim(self, str text) except -1
    @cython.locals(text=str)
    cdef int add_collapsed(self, str data) except -1
    @cython.locals(leaf=cython.Py_ssize_t)
    cdef inline int add_leaf(self, str text) except -1
    @cython.locals(tag=str, known=tuple, role=cython.int, size=cython.Py_ssize_t)
    cdef int meet_element(self, node) except -1
    cdef inline int add_element(self, str tag, node) except -1
    cdef inline int enter_element(self, node, int role, Py_ssize_t size) except -1
    cdef int leave_out(self, Py_ssize_t size) except -1
    cdef int pass_over(self, Py_ssize_t size) except -1
    cdef inline Py_ssize_t child_count(self, node) except -1
    cdef int open_element_columns(self) except -1
    cdef int open_leaf_columns(self) except -1
    cdef int double_element_room(self) except -1
    cdef int double_leaf_room(self) except -1
    cdef result(self)

@cython.locals(blank=cython.bint, letter=cython.Py_UCS4)
cdef bint _has_other_space(str text)
