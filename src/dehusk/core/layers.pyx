# cython: boundscheck=False, wraparound=False
"""Layers: the steps of the kernel's network that numpy would need many passes for, each in one call.

The loops are in layers.h. There is no plain Python of them: where they could not be compiled,
`dehusk.methods.network` does the same in numpy. Rows must be a multiple of 8 wide, and at most `WIDEST`.
"""

cdef extern from "layers.h":
    int DEHUSK_MOST
    ctypedef struct vector "dehusk_v8":
        pass
    ctypedef struct dehusk_page:
        Py_ssize_t count, lanes, ways
        vector *state
        vector *normal
        vector *sums
        vector *pooled
        const int *groups
        const float *shares
    ctypedef struct dehusk_layer:
        const vector *gain
        const vector *bias
        const vector *taps
        const vector *groups
        const vector *mix
        const vector *page
        const vector *shift
        Py_ssize_t reach, step
    ctypedef struct dehusk_facts:
        const int *tag
        const long long *above
        const long long *words
        const vector *shift
        const vector *tags
        const vector *bits
        Py_ssize_t numbers, used
    void dehusk_ramp(
        const float *matrix, const int *columns, const float *low, const float *slope, float *out, Py_ssize_t bins,
        Py_ssize_t count)
    void dehusk_enter(const dehusk_facts *facts, vector *state, Py_ssize_t count, Py_ssize_t lanes)
    void dehusk_advance(const dehusk_page *page, const dehusk_layer *layer)
    void dehusk_leave(const dehusk_page *page, const vector *out, float *logits)

WIDEST = 8 * DEHUSK_MOST


def ramp(
    const float[:, ::1] matrix, const int[::1] column, const float[::1] low, const float[::1] slope, float[:, ::1] out
):
    """Write to every row of `out` how far a feature has come in one of its bins: 0 before it, 1 beyond it."""
    if out.shape[1]:
        dehusk_ramp(&matrix[0, 0], &column[0], &low[0], &slope[0], &out[0, 0], out.shape[0], out.shape[1])


def enter(
    float[:, ::1] state, const float[::1] shift, const int[::1] tag, const float[:, ::1] tags,
    const long long[::1] above, const long long[:, ::1] words, const float[:, ::1] bits, Py_ssize_t used
):
    """Add to every row of `state` the shift, the row of its tag and those of all bits that are set; nothing below 0.

    A row's bits are a number of `above` and those of `words`; `used` bits of each count.
    """
    cdef dehusk_facts facts
    if state.shape[0]:
        facts.tag, facts.above, facts.words = &tag[0], &above[0], &words[0, 0]
        facts.shift, facts.tags = <const vector *> &shift[0], <const vector *> &tags[0, 0]
        facts.bits, facts.numbers, facts.used = <const vector *> &bits[0, 0], words.shape[1], used
        dehusk_enter(&facts, <vector *> &state[0, 0], state.shape[0], state.shape[1] // 8)


def advance(
    float[:, ::1] state, const float[::1] gain, const float[::1] bias, const float[:, ::1] taps, Py_ssize_t step,
    const int[:, ::1] groups, const float[:, ::1] shares, const float[:, ::1] weights, const float[:, ::1] mix,
    const float[:, ::1] page, const float[::1] shift, float[::1] room
):
    """Pass `state` through a layer, in `room` for two rows and for all rows once and once for every way to group.

    The rows are normalised and pooled. `taps` weigh the rows `step` apart, the row itself in the middle; what lies
    beyond the edges is zero. Each row of `groups` numbers the rows' groups, `shares` has one over the size of each,
    `weights` what their means count for. What is positive of the sum times `mix`, of what `page` makes of the pooled
    rows and of `shift` is added.
    """
    cdef dehusk_page given
    cdef dehusk_layer layer
    cdef Py_ssize_t count = state.shape[0], lanes = state.shape[1] // 8
    if not count:
        return
    given.count, given.lanes, given.ways = count, lanes, groups.shape[0]
    given.state, given.groups, given.shares = <vector *> &state[0, 0], &groups[0, 0], &shares[0, 0]
    given.pooled = <vector *> &room[0]
    given.normal = given.pooled + 2 * lanes
    given.sums = given.normal + count * lanes
    layer.gain, layer.bias = <const vector *> &gain[0], <const vector *> &bias[0]
    layer.taps, layer.groups = <const vector *> &taps[0, 0], <const vector *> &weights[0, 0]
    layer.mix, layer.page = <const vector *> &mix[0, 0], <const vector *> &page[0, 0]
    layer.shift, layer.reach, layer.step = <const vector *> &shift[0], taps.shape[0] // 2, step
    dehusk_advance(&given, &layer)


def leave(float[:, ::1] state, const float[::1] out, float[::1] logits, float[::1] pooled):
    """Write the sum of every row, weighed by `out`, to `logits`, and the pooled rows: means, then largest values."""
    cdef dehusk_page given
    if state.shape[0]:
        given.count, given.lanes, given.ways = state.shape[0], state.shape[1] // 8, 0
        given.state = <vector *> &state[0, 0]
        given.normal = given.sums = given.pooled = <vector *> &pooled[0]
        given.groups, given.shares = NULL, NULL
        dehusk_leave(&given, <const vector *> &out[0], &logits[0])
