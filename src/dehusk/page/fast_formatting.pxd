# The C types of fast_formatting.py.
cimport cython

cdef Py_ssize_t ELEMENT_BYTES
cdef Py_ssize_t ATTRIBUTE_BYTES
cdef Py_ssize_t CLONES_PER_BLOCK
cdef Py_ssize_t MOST_BLOCKS
cdef Py_ssize_t MOST_ALIKE
cdef Py_ssize_t LONGEST_NAME
cdef Py_ssize_t MOST_READ
cdef long long TOO_MUCH

cdef class OpenTag:
    cdef str name
    cdef Py_ssize_t start
    cdef Py_ssize_t stop
    cdef long long cost
    cdef Py_ssize_t blocks

cpdef tuple affordable(str html, long long most)

@cython.locals(
    tags=cython.longlong, ends=cython.longlong, repeated=cython.longlong, link=cython.longlong,
    widest=cython.longlong, reader=_Formatting, length=cython.Py_ssize_t, position=cython.Py_ssize_t,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t, closes=cython.bint, cost=cython.longlong
)
cpdef tuple count_formatting(str html, long long element_bytes, long long attribute_bytes)

cdef class _Formatting:
    cdef str html
    cdef long long most
    cdef long long cost
    cdef long long repeated
    cdef Py_ssize_t blocks
    cdef list open
    cdef dict stuck
    cdef long long link
    cdef long long widest
    cdef Py_ssize_t stop
    cdef Py_ssize_t attributes
    cdef Py_ssize_t characters_read
    @cython.locals(
        html=str, length=cython.Py_ssize_t, position=cython.Py_ssize_t, start=cython.Py_ssize_t, closes=cython.bint
    )
    cdef tuple run(self)
    @cython.locals(html=str, end=cython.Py_ssize_t, name=str)
    cdef Py_ssize_t meet(self, Py_ssize_t position, Py_ssize_t start, bint closes)
    @cython.locals(
        html=str, following=cython.Py_ssize_t, cost=cython.longlong
    )
    cdef Py_ssize_t meet_start(self, str name, Py_ssize_t position, Py_ssize_t end)
    @cython.locals(index=cython.Py_ssize_t, tag=OpenTag, blocks=cython.Py_ssize_t)
    cdef object meet_end(self, str name)
    @cython.locals(following=cython.Py_ssize_t)
    cdef object meet_other(self, str name, Py_ssize_t end, bint closes)
    @cython.locals(most=cython.longlong, tag=OpenTag)
    cdef long long largest(self)
    @cython.locals(tag=OpenTag, alike=cython.Py_ssize_t, source=str)
    cdef object close_off(self)
    @cython.locals(
        html=str, length=cython.Py_ssize_t, start=cython.Py_ssize_t, attributes=cython.Py_ssize_t
    )
    cdef object read_tag(self, Py_ssize_t position)

cdef bint _begins_formatting(Py_UCS4 character)

cdef bint _may_be_formatting(Py_UCS4 first, Py_ssize_t length)

@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef bint _is_end(str html, Py_ssize_t position, str name)

@cython.locals(last=cython.Py_ssize_t)
cdef Py_ssize_t _name_end(str html, Py_ssize_t position)

@cython.locals(length=cython.Py_ssize_t, start=cython.Py_ssize_t, quote=cython.Py_UCS4)
cdef Py_ssize_t _value_end(str html, Py_ssize_t position)
