# The C types of layers.py.
cimport cython

@cython.locals(
    width=cython.Py_ssize_t, row=cython.Py_ssize_t, place=cython.Py_ssize_t, index=cython.Py_ssize_t,
    column=cython.Py_ssize_t,
)
cpdef add_rows(const float[:, ::1] weights, const int[::1] indices, const int[::1] offsets, float[:, ::1] out)

@cython.locals(
    row=cython.Py_ssize_t, place=cython.Py_ssize_t, index=cython.Py_ssize_t, begin=cython.float, rise=cython.float,
    value=cython.float,
)
cpdef ramp(
    const float[:, ::1] matrix, const int[::1] column, const float[::1] low, const float[::1] slope, float[:, ::1] out
)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, row=cython.Py_ssize_t, column=cython.Py_ssize_t,
    value=cython.float,
)
cpdef pool(const float[:, ::1] values, float[::1] pooled)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, row=cython.Py_ssize_t, column=cython.Py_ssize_t,
    mean=cython.float, square=cython.float, scale=cython.float, value=cython.float,
)
cpdef normalise(
    const float[:, ::1] values, const float[::1] gain, const float[::1] bias, float[:, ::1] out, float[::1] pooled
)

@cython.locals(
    width=cython.Py_ssize_t, row=cython.Py_ssize_t, column=cython.Py_ssize_t, value=cython.float,
)
cpdef advance(
    float[:, ::1] state, const float[:, ::1] update, const float[::1] pooled, const float[:, ::1] weights,
    float[::1] shift
)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, reach=cython.Py_ssize_t, row=cython.Py_ssize_t,
    column=cython.Py_ssize_t, tap=cython.Py_ssize_t, other=cython.Py_ssize_t, way=cython.Py_ssize_t,
    index=cython.Py_ssize_t, share=cython.float,
)
cpdef blend(
    const float[:, ::1] values, const float[:, ::1] taps, Py_ssize_t step, const int[:, ::1] groups,
    const float[:, ::1] shares, const float[:, ::1] weights, float[:, ::1] sums, float[:, ::1] out
)
