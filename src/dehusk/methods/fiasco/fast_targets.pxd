# The C types of fast_targets.py.
cimport cython

cdef int NOTHING, INLINE, BLOCK_LIKE

@cython.locals(leaf=cython.Py_ssize_t, index=cython.Py_ssize_t, parent=cython.int)
cpdef sum_up(
    const int[::1] parents, const unsigned char[::1] is_block, const int[::1] element, const int[::1] lengths,
    int[::1] own, int[::1] whole, int[::1] first, unsigned char[::1] holds_block
)

@cython.locals(last=cython.uchar[::1], leaf=cython.Py_ssize_t, index=cython.Py_ssize_t, parent=cython.int)
cpdef find_breaks(
    const int[::1] parents, const unsigned char[::1] block_like, const int[::1] whole, const int[::1] first,
    const int[::1] element, const int[::1] opened, const unsigned char[::1] gap, unsigned char[::1] widest
)

cdef class TargetFinder:
    cdef public int[::1] element_run, leaf_run, current, run_own, run_whole, run_target
    cdef public int[::1] of_element, of_leaf, target_element
    cdef public unsigned char[::1] is_virtual
    cdef public int runs, targets

    @cython.locals(run=cython.int)
    cpdef int run_at(self, int parent, int gap, int break_at)

    @cython.locals(leaf=cython.Py_ssize_t, index=cython.Py_ssize_t, parent=cython.int, run=cython.int)
    cpdef cut_paragraphs(
        self, const int[::1] parents, const unsigned char[::1] block_like, const int[::1] whole, const int[::1] first,
        const int[::1] element, const int[::1] opened, const unsigned char[::1] gap, const int[::1] lengths,
        const unsigned char[::1] break_at
    )

    @cython.locals(leaf=cython.Py_ssize_t, index=cython.Py_ssize_t, parent=cython.int, target=cython.int)
    cpdef choose(
        self, const int[::1] parents, const int[::1] own, const int[::1] whole, const int[::1] element,
        const int[::1] opened, const unsigned char[::1] break_at, double least
    )

    @cython.locals(target=cython.int)
    cpdef int target_of_run(self, int run, int parent, double least)

    cpdef int new_target(self, int element, bint virtual)
