# cython: boundscheck=False, wraparound=False
"""Ensemble: all networks of the kernel on one page, in one call that other threads need not wait for.

The loops are in ensemble.h. Where they cannot be compiled, `network.PlainEnsemble` does the same in numpy.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_RawFree, PyMem_RawMalloc

import numpy as np

from dehusk.features.tokens import BITS
from dehusk.methods.kernel.network import LARGEST_LOGIT

cdef extern from "ensemble.h":
    int DEHUSK_GROUPINGS
    ctypedef struct vector "dehusk_v8":
        pass
    ctypedef struct dehusk_bins:
        const int *first
        const float *low
        const float *slope
        Py_ssize_t features
    ctypedef struct dehusk_network:
        dehusk_bins bins
        const vector *bin_weights
        const vector *layers
        const vector *bits
        const vector *tags
        const vector *page
        const vector *shift
        const float *out
        const float *kind
        const int *steps
        Py_ssize_t lanes, depth, taps, kinds
    ctypedef struct dehusk_seen:
        Py_ssize_t count, numbers, used, page_numbers, tokens
        const float *matrix
        const float *page
        const long long *above
        const long long *both
        const long long *whole
        const int *tag
        const int *groups
        const int *sizes
    ctypedef struct dehusk_room:
        const float *logits
    size_t dehusk_lay_out(
        dehusk_room *room, size_t begin, const dehusk_seen *seen, Py_ssize_t networks, Py_ssize_t lanes,
        Py_ssize_t features) nogil
    void dehusk_likely(
        const float *logits, Py_ssize_t count, double scale, double offset, double *likely) nogil
    void dehusk_run_next(
        const dehusk_seen *seen, const dehusk_network *networks, Py_ssize_t number, const dehusk_room *room,
        float *kinds) nogil
    void dehusk_average(
        const dehusk_seen *seen, Py_ssize_t networks, const dehusk_room *room, float largest, float *kinds,
        Py_ssize_t kind_count) nogil

cdef float LARGEST = LARGEST_LOGIT
cdef Py_ssize_t USED = BITS


cdef class Ensemble:
    """Networks with the places of their weights, which are looked up once."""

    cdef dehusk_network *networks
    cdef Py_ssize_t count, tokens, lanes, features
    cdef double scale, offset
    cdef object alive  # the networks, whose arrays the places are in

    def __cinit__(self, networks, Py_ssize_t tokens, tuning):
        self.scale, self.offset = tuning.scale, tuning.offset
        self.alive, self.count, self.tokens, self.lanes, self.features = tuple(networks), len(networks), tokens, 0, 0
        self.networks = <dehusk_network *> PyMem_Malloc(max(self.count, 1) * sizeof(dehusk_network))
        if self.networks == NULL:
            raise MemoryError
        for number, network in enumerate(self.alive):
            places(network, &self.networks[number])
            self.lanes = max(self.lanes, self.networks[number].lanes)
            self.features = max(self.features, self.networks[number].bins.features)

    def __dealloc__(self):
        PyMem_Free(self.networks)

    def run(self, features):
        """Return the probability of main text for every block of a page, and the mean logits of the kinds."""
        cdef const float[:, ::1] matrix = features.matrix
        cdef const long long[::1] above = features.above
        cdef const long long[:, ::1] both = features.tokens.both
        cdef const long long[::1] whole = features.tokens.page
        cdef const int[::1] tag = features.tag
        cdef const int[:, ::1] groups = features.groups, sizes = features.sizes
        cdef const float[::1] page = features.page
        cdef dehusk_seen seen
        likely, kinds = np.empty(tag.shape[0]), np.zeros(self.networks.kinds, np.float32)
        cdef double[::1] probabilities = likely
        cdef float[::1] kind_logits = kinds
        seen.count, seen.numbers, seen.used = tag.shape[0], both.shape[1], USED
        seen.page_numbers, seen.tokens = page.shape[0], self.tokens
        seen.matrix, seen.page, seen.above, seen.both = &matrix[0, 0], &page[0], &above[0], &both[0, 0]
        seen.whole, seen.tag, seen.groups, seen.sizes = &whole[0], &tag[0], &groups[0, 0], &sizes[0, 0]
        self.fill(&seen, probabilities, &kind_logits[0])
        return likely, kinds

    cdef int fill(self, const dehusk_seen *seen, double[::1] likely, float *kinds) except -1:
        """Run the networks without Python, on memory that is given back at once."""
        cdef dehusk_room room
        cdef Py_ssize_t number, count = self.count
        cdef void *memory = PyMem_RawMalloc(dehusk_lay_out(&room, 0, seen, count, self.lanes, self.features))
        if memory == NULL:
            raise MemoryError
        with nogil:
            dehusk_lay_out(&room, <size_t> memory, seen, count, self.lanes, self.features)
            for number in range(count):
                dehusk_run_next(seen, self.networks, number, &room, kinds)
            if count > 1:
                dehusk_average(seen, count, &room, LARGEST, kinds, self.networks.kinds)
            dehusk_likely(room.logits, seen.count, self.scale, self.offset, &likely[0])
        PyMem_RawFree(memory)
        return 0


cdef places(network, dehusk_network *found):
    """Fill in where the arrays of a network begin, and how large they are."""
    cdef const int[::1] first = network.bins.first, steps = network.steps
    cdef const float[::1] low = network.bins.low, slope = network.bins.slope, shift = network.shift, out = network.out
    cdef const float[:, ::1] bits = network.bits, tags = network.tags, page = network.page, kind = network.kind
    cdef const float[:, :, ::1] bin_weights = network.bin_weights, layers = network.layers
    found.bins.first, found.bins.low, found.bins.slope = &first[0], &low[0], &slope[0]
    found.bins.features = first.shape[0] - 1
    found.bin_weights, found.layers = <const vector *> &bin_weights[0, 0, 0], <const vector *> &layers[0, 0, 0]
    found.bits, found.tags = <const vector *> &bits[0, 0], <const vector *> &tags[0, 0]
    found.page, found.shift = <const vector *> &page[0, 0], <const vector *> &shift[0]
    found.out, found.kind, found.steps = &out[0], &kind[0, 0], &steps[0]
    found.lanes, found.depth, found.kinds = shift.shape[0] // 8, layers.shape[0], kind.shape[1]
    found.taps = layers.shape[1] - 3 - DEHUSK_GROUPINGS - 24 * found.lanes
