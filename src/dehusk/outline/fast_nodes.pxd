# The C types of fast_nodes.py. Names that are imported there and declared here are C variables.
cimport cython

cdef int CODE

cdef class Container:
    cdef public int kind, element, depth, step
    cdef public bint implied
    cdef public Container parent
    cdef public object number
    cdef public str label
    cdef public list cells

cdef class ContainerEnd:
    cdef public int kind

cdef class LeafBlock:
    cdef public int kind, level, start, end
    cdef public str language
    cdef public object content, annotation

cdef class InlineRun:
    cdef public int style
    cdef public str gap, link
    cdef public object content

cdef class RunCollector:
    cdef public str gap, run_gap, link
    cdef public list runs, parts
    cdef public int style

    cpdef bint is_empty(self)

    @cython.locals(same=cython.bint)
    cpdef add(self, str text, int style, str link)

    @cython.locals(words=str)
    cpdef add_collapsed(self, str text, int style, str link)
    cpdef add_object(self, content, int style, str link)
    cpdef end_run(self)

    @cython.locals(runs=list)
    cpdef list pop_runs(self)
