# cython: boundscheck=False, wraparound=False
"""Layers: the steps of the kernel's network that numpy would need many passes for, each in one call.

The loops are in layers.h. There is no plain Python of them: where they could not be compiled, `dehusk.methods.kernel.network`
and `dehusk.methods.kernel.bins` do the same in numpy. Rows must be a multiple of 8 wide, and at most `WIDEST`.
"""

cdef extern from "layers.h":
    int DEHUSK_MOST
    int DEHUSK_WAYS
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
    ctypedef struct dehusk_layer:
        const vector *gain
        const vector *bias
        const vector *taps
        const vector *groups
        const vector *mix
        const vector *page
        const vector *shift
        Py_ssize_t reach, step
    ctypedef struct dehusk_bins:
        const int *first
        const float *low
        const float *slope
        Py_ssize_t features
    ctypedef struct dehusk_places:
        int *rows
        float *shares
        long long *ends
    ctypedef struct dehusk_facts:
        const int *tag
        const long long *above
        const long long *words
        const vector *shift
        const vector *tags
        const vector *bits
        Py_ssize_t numbers, used
        dehusk_places places
        const vector *risen
    void dehusk_look(
        const float *matrix, const dehusk_bins *bins, const dehusk_places *places, Py_ssize_t count)
    void dehusk_enter(const dehusk_facts *facts, vector *state, Py_ssize_t count, Py_ssize_t lanes)
    void dehusk_advance(const dehusk_page *page, const dehusk_layer *layer)
    void dehusk_leave(const dehusk_page *page, const vector *out, float *logits)

WIDEST = 8 * DEHUSK_MOST
WAYS = DEHUSK_WAYS
TILE = DEHUSK_TILE


def look(
    const float[:, ::1] matrix, const int[::1] first, const float[::1] low, const float[::1] slope, int[::1] rows,
    float[::1] shares, long long[::1] ends
):
    """Write to `rows` the bins that each block's features are in, to `shares` how far they have come in them.

    A feature that has not reached its first bin is left out; `ends` is where each block's bins end. `rows` and
    `shares` have room for all features of all blocks and of `TILE` more.
    """
    cdef dehusk_bins bins
    cdef dehusk_places places
    if ends.shape[0]:
        bins.first, bins.low, bins.slope, bins.features = &first[0], &low[0], &slope[0], first.shape[0] - 1
        places.rows, places.shares, places.ends = &rows[0], &shares[0], &ends[0]
        dehusk_look(&matrix[0, 0], &bins, &places, ends.shape[0])


def enter(
    float[:, ::1] state, const float[::1] shift, const int[::1] tag, const float[:, ::1] tags,
    const long long[::1] above, const long long[:, ::1] words, const float[:, ::1] bits, Py_ssize_t used,
    int[::1] rows, float[::1] shares, long long[::1] ends, const float[:, :, ::1] risen
):
    """Add to every row of `state` the shift, the row of its tag and those of all bits that are set; nothing below 0.

    A row's bits are a number of `above` and those of `words`; `used` bits of each count. Of each bin that `look` found
    a row of `risen` is added, what the bins before it weigh, and a share of the other, what it weighs itself.
    """
    cdef dehusk_facts facts
    if state.shape[0]:
        facts.tag, facts.above, facts.words = &tag[0], &above[0], &words[0, 0]
        facts.shift, facts.tags = <const vector *> &shift[0], <const vector *> &tags[0, 0]
        facts.bits, facts.numbers, facts.used = <const vector *> &bits[0, 0], words.shape[1], used
        facts.places.rows, facts.places.shares, facts.places.ends = &rows[0], &shares[0], &ends[0]
        facts.risen = <const vector *> &risen[0, 0, 0]
        dehusk_enter(&facts, <vector *> &state[0, 0], state.shape[0], state.shape[1] // 8)


def advance(
    float[:, ::1] state, const float[:, :, ::1] weights, const int[::1] steps, const int[:, ::1] groups,
    const float[:, ::1] shares, float[::1] room
):
    """Pass `state` through layers, in `room` for three rows and for all rows once and once for each of `WAYS` to group.

    Of each layer, the rows of `weights` are gain, bias and shift, one, then taps, groups, mix and page, several. The
    rows are normalised and pooled. The taps weigh the rows a step apart, the row itself in the middle; what lies
    beyond the edges is zero. Each row of `groups` numbers the rows' groups in the order in which they first come,
    `shares` has one over the size of each. What is positive of the sum times mix, of what page makes of the pooled
    rows and of the shift is added.
    """
    cdef dehusk_page given
    cdef dehusk_layer layer
    cdef const vector *rows
    cdef Py_ssize_t count = state.shape[0], lanes = state.shape[1] // 8, number
    cdef Py_ssize_t taps = weights.shape[1] - 3 - DEHUSK_WAYS - 24 * lanes
    if not count:
        return
    given.count, given.lanes = count, lanes
    given.state, given.groups, given.shares = <vector *> &state[0, 0], &groups[0, 0], &shares[0, 0]
    given.pooled = <vector *> &room[0]
    given.beyond = given.pooled + 2 * lanes
    given.normal = given.beyond + lanes
    given.means = given.normal + count * lanes
    for number in range(weights.shape[0]):
        rows = <const vector *> &weights[number, 0, 0]
        layer.gain, layer.bias, layer.shift, layer.taps = rows, rows + lanes, rows + 2 * lanes, rows + 3 * lanes
        layer.groups = layer.taps + taps * lanes
        layer.mix = layer.groups + DEHUSK_WAYS * lanes
        layer.page = layer.mix + 8 * lanes * lanes
        layer.reach, layer.step = taps // 2, steps[number]
        dehusk_advance(&given, &layer)


def leave(float[:, ::1] state, const float[::1] out, float[::1] logits, float[::1] pooled):
    """Write the sum of every row, weighed by `out`, to `logits`, and the pooled rows: means, then largest values."""
    cdef dehusk_page given
    if state.shape[0]:
        given.count, given.lanes = state.shape[0], state.shape[1] // 8
        given.state = <vector *> &state[0, 0]
        given.normal = given.means = given.beyond = given.pooled = <vector *> &pooled[0]
        given.groups, given.shares = NULL, NULL
        dehusk_leave(&given, <const vector *> &out[0], &logits[0])
