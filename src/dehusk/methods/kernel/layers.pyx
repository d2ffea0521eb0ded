# cython: boundscheck=False, wraparound=False
"""Layers: the steps of the kernel's networks that would take numpy many passes, each in one call.

The loops are in layers.h. They have no plain Python form: where they cannot be compiled, `bins` and `network` do the
same in numpy. Rows must be a multiple of 8 wide, and at most `WIDEST`.
"""

from dehusk.features.tokens import BITS

cdef extern from "layers.h":
    int DEHUSK_MOST
    int DEHUSK_GROUPINGS
    int DEHUSK_TILE
    ctypedef struct vector "dehusk_v8":
        pass
    ctypedef struct dehusk_page:
        Py_ssize_t count, lanes
        vector *state
        vector *normal
        vector *means
        vector *pooled
        vector *beyond
        const int *groups
        const float *shares
    ctypedef struct dehusk_bins:
        const int *first
        const float *low
        const float *slope
        Py_ssize_t features
    ctypedef struct dehusk_bin_values:
        int *rows
        float *shares
        long long *ends
    ctypedef struct dehusk_facts:
        const int *tag
        const long long *above
        const long long *tokens
        const vector *shift
        const vector *tags
        const vector *bits
        const vector *bin_weights
        Py_ssize_t numbers, used
        dehusk_bin_values values
    void dehusk_find_bins(
        const float *matrix, const dehusk_bins *bins, const dehusk_bin_values *values, Py_ssize_t count)
    void dehusk_embed(const dehusk_facts *facts, vector *state, Py_ssize_t count, Py_ssize_t lanes)
    void dehusk_run_layers(
        const dehusk_page *page, const vector *rows, const int *steps, Py_ssize_t depth, Py_ssize_t taps)
    void dehusk_read_out(const dehusk_page *page, const vector *out, float *logits)

WIDEST = 8 * DEHUSK_MOST
GROUPINGS = DEHUSK_GROUPINGS
TILE = DEHUSK_TILE


cdef dehusk_bin_values pointers(values):
    """Return where the arrays of `BinValues` begin."""
    cdef int[::1] rows = values.rows
    cdef float[::1] shares = values.shares
    cdef long long[::1] ends = values.ends
    cdef dehusk_bin_values found
    found.rows, found.shares, found.ends = &rows[0], &shares[0], &ends[0]
    return found


def find_bins(const float[:, ::1] matrix, bins, values):
    """Write to `values` which bins each block's features are in, and how much they have passed of them.

    A feature that has not reached its first bin is left out. `values` has room for all features of all blocks and of
    `TILE` more.
    """
    cdef const int[::1] first = bins.first
    cdef const float[::1] low = bins.low, slope = bins.slope
    cdef dehusk_bins given
    cdef dehusk_bin_values found
    if matrix.shape[1]:
        given.first, given.low, given.slope, given.features = &first[0], &low[0], &slope[0], first.shape[0] - 1
        found = pointers(values)
        dehusk_find_bins(&matrix[0, 0], &given, &found, matrix.shape[1])


def embed(float[:, ::1] state, const float[::1] shift, given, network):
    """Add to every row of `state` the shift and the rows of its tag, bits and bins; what is below 0 becomes 0.

    A row's bits are those of a number of `given.above` and of several of `given.tokens`. For each bin, the weights of
    the bins before it are added, and of its own as much as the feature has passed of it.
    """
    cdef const int[::1] tag = given.tag
    cdef const long long[::1] above = given.above
    cdef const long long[:, ::1] tokens = given.tokens
    cdef const float[:, ::1] tags = network.tags, bits = network.bits
    cdef const float[:, :, ::1] bin_weights = network.bin_weights
    cdef dehusk_facts facts
    if state.shape[0]:
        facts.tag, facts.above, facts.tokens = &tag[0], &above[0], &tokens[0, 0]
        facts.shift, facts.tags = <const vector *> &shift[0], <const vector *> &tags[0, 0]
        facts.bits, facts.numbers, facts.used = <const vector *> &bits[0, 0], tokens.shape[1], BITS
        facts.values = pointers(given.values)
        facts.bin_weights = <const vector *> &bin_weights[0, 0, 0]
        dehusk_embed(&facts, <vector *> &state[0, 0], state.shape[0], state.shape[1] // 8)


def run_layers(float[:, ::1] state, given, network, float[::1] room):
    """Pass `state` through all layers; `room` holds three rows, all rows once, and once for each of `GROUPINGS`.

    Of each layer, the rows of the weights are gain, bias and shift, one each, then taps, groups, mix and page, several
    each. The rows are normalised and pooled. The taps weigh the rows a step apart, the row itself in the middle; beyond
    the edges everything is zero. Each row of `given.groups` numbers the groups of the rows in order of appearance,
    `given.shares` has one over the size of each. What is positive of the sum times mix, of the pooled rows times page
    and of the shift is added.
    """
    cdef const float[:, :, ::1] weights = network.layers
    cdef const int[::1] steps = network.steps
    cdef const int[:, ::1] groups = given.groups
    cdef const float[:, ::1] shares = given.shares
    cdef dehusk_page page
    cdef Py_ssize_t count = state.shape[0], lanes = state.shape[1] // 8
    cdef Py_ssize_t taps = weights.shape[1] - 3 - DEHUSK_GROUPINGS - 24 * lanes
    if not count:
        return
    page.count, page.lanes = count, lanes
    page.state, page.groups, page.shares = <vector *> &state[0, 0], &groups[0, 0], &shares[0, 0]
    page.pooled = <vector *> &room[0]
    page.beyond = page.pooled + 2 * lanes
    page.normal = page.beyond + lanes
    page.means = page.normal + count * lanes
    dehusk_run_layers(&page, <const vector *> &weights[0, 0, 0], &steps[0], weights.shape[0], taps)


def read_out(float[:, ::1] state, const float[::1] out, float[::1] logits, float[::1] pooled):
    """Write to `logits` the sum of every row, weighed by `out`, and to `pooled` the means, then the largest values."""
    cdef dehusk_page page
    if state.shape[0]:
        page.count, page.lanes = state.shape[0], state.shape[1] // 8
        page.state = <vector *> &state[0, 0]
        page.normal = page.means = page.beyond = page.pooled = <vector *> &pooled[0]
        page.groups, page.shares = NULL, NULL
        dehusk_read_out(&page, <const vector *> &out[0], &logits[0])
