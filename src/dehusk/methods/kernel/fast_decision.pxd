# The C types of fast_decision.py.
cimport cython

@cython.locals(
    index=cython.Py_ssize_t, total=cython.double, right=cython.double, taken=cython.double, best=cython.double,
    reached=cython.double,
)
cpdef double best_f1(const double[::1] likely, const float[::1] words)

@cython.locals(index=cython.Py_ssize_t, value=cython.double)
cpdef moved(const double[::1] values, double cut, double above, double[::1] out)
