# cython: cdivision=True, wraparound=False, boundscheck=False
# The C types of fast_hash_table.py, and its search in C.
cimport cython

cpdef inline Py_ssize_t find_slot(long long key, const long long[::1] keys) noexcept:
    cdef Py_ssize_t size = keys.shape[0]
    cdef Py_ssize_t slot = key % size
    while keys[slot] != 0 and keys[slot] != key:
        slot = slot + 1 if slot + 1 < size else 0
    return slot

@cython.locals(size=cython.Py_ssize_t, slot=cython.Py_ssize_t)
cpdef Py_ssize_t _find_slot(long long key, const long long[::1] keys) noexcept

@cython.locals(index=cython.Py_ssize_t, slot=cython.Py_ssize_t)
cpdef insert_keys(const long long[::1] keys, long long[::1] table, long long[::1] slots)
