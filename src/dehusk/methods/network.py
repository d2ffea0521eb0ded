"""Network: the kernel's layers. Each block sees itself, its neighbours, blocks in like places, and the whole page.

A layer normalises the blocks' vectors, adds up those of the neighbours and the means of four groups (same path of
tags, same parent, same grandparent, same ancestor further up), and passes the sum on together with what the page as a
whole looks like. Everything is numpy; the loops over neighbours and groups run compiled where `core` is.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.core import layers
from dehusk.core.columns import spread
from dehusk.errors import ModelError
from dehusk.features import Ints
from dehusk.features.tokens import BITS, unpacked
from dehusk.features.view import NAMES, PAGE_NAMES, TAGS, View

Floats = NDArray[np.float32]
PLAIN: Final = ("low", "slope", "numbers", "bits", "tags", "page", "shift", "out", "kind")
# Loops over single numbers, uncompiled, would take half a second a page.
COMPILED: Final = not str(layers.__file__).endswith(".py")


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The weights of one layer."""

    gain: Floats
    bias: Floats
    taps: Floats  # one row a neighbour
    step: int  # how far the neighbours stand apart
    groups: Floats  # one row a way to group
    mix: Floats
    page: Floats
    shift: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """A page as the network takes it."""

    numbers: Floats  # one row a bin: how far each block's feature has come in it, from 0 to 1
    indices: Ints  # which tags above and which tokens are set, block after block
    offsets: Ints  # where in `indices` each block begins, and the end
    tag: Ints
    page: Floats
    groups: Ints
    shares: Floats  # one over the size of each group


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """All weights."""

    column: Ints  # which feature each bin belongs to
    low: Floats  # where the bin begins
    slope: Floats  # one over its width
    numbers: Floats
    bits: Floats  # `BITS` rows for tags above, then for tokens near, then for tokens anywhere above
    tags: Floats
    page: Floats
    shift: Floats
    layers: tuple[Layer, ...]
    out: Floats  # the first entry is the constant
    kind: Floats

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Make a network of named arrays, as the weights' file holds them."""
        try:
            found = tuple(_layer(arrays, number, step) for number, step in enumerate(arrays["steps"].tolist()))
            low, slope, numbers, bits, tags, page, shift, out, kind = (_floats(arrays[name]) for name in PLAIN)
            column = arrays["column"].astype(np.int32)
            return cls(column, low, slope, numbers, bits, tags, page, shift, found, out, kind)
        except KeyError as error:
            raise ModelError(f"the kernel's weights lack {error}; install dehusk again or train it anew") from error

    def check(self, tokens: int) -> None:
        """Raise ModelError unless the weights fit the features that this version computes."""
        found = (int(self.column.max()) + 1, len(self.bits), len(self.tags), len(self.page))
        expected = (len(NAMES), BITS * (1 + 2 * -(-tokens // BITS)), TAGS, len(PAGE_NAMES) + tokens)
        if found != expected:
            raise ModelError(
                f"the kernel was trained on {found} features, this version computes {expected}; retrain it"
            )

    def input(self, view: View, tokens: int) -> Input:
        """Turn what was seen of a page into what the network takes; `tokens` is the size of the vocabulary."""
        numbers = np.empty((len(self.column), len(view)), np.float32)
        ramp(view.matrix, self.column, self.low, self.slope, numbers)
        indices, offsets = _set_bits(view)
        shares = np.reciprocal(np.maximum(view.sizes, 1), dtype=np.float32)
        said = unpacked(view.tokens.page[None], tokens)[0].astype(np.float32)
        return Input(numbers, indices, offsets, view.tag, np.concatenate((view.page, said)), view.groups, shares)

    def run(self, given: Input) -> tuple[Floats, Floats]:
        """Return the logit of main text for every block, and those of the kinds of page."""
        state = given.numbers.T @ self.numbers
        said = np.flatnonzero(given.page)  # few of the tokens, so that most weights need not be read
        state += given.page[said] @ self.page[said] + self.shift
        state += self.tags[given.tag]
        add_rows(self.bits, given.indices, given.offsets, state)
        np.maximum(state, 0, out=state)
        normal, blended, sums = np.empty_like(state), np.empty_like(state), np.zeros_like(state)
        pooled = np.empty(2 * state.shape[1], np.float32)
        for layer in self.layers:
            normalise(state, layer.gain, layer.bias, normal, pooled)
            blend(normal, layer.taps, layer.step, given.groups, given.shares, layer.groups, sums, blended)
            advance(state, blended @ layer.mix, pooled, layer.page, layer.shift.copy())
        pool(state, pooled)
        return state @ self.out[1:] + self.out[0], pooled @ self.kind


def _layer(arrays: dict[str, NDArray[np.generic]], number: int, step: int) -> Layer:
    names = ("gain", "bias", "taps", "groups", "mix", "layer_page", "layer_shift")
    gain, bias, taps, groups, mix, page, shift = (_floats(arrays[f"{name}{number}"]) for name in names)
    return Layer(gain, bias, taps, step, groups, mix, page, shift)


def _floats(array: NDArray[np.generic]) -> Floats:
    return np.ascontiguousarray(array, np.float32)


def _set_bits(view: View) -> tuple[Ints, Ints]:
    """Return the places of all that is set about each block: tags above it, then tokens near it and above it."""
    offsets: Ints = np.empty(len(view) + 1, np.int32)
    room = 64 * len(view)  # twice what most pages need
    while True:
        indices: Ints = np.empty(room, np.int32)
        total = spread(view.above, view.tokens.both, BITS, indices, offsets)
        if total <= room:
            return indices[:total], offsets
        room = total


def _add_rows(weights: Floats, indices: Ints, offsets: Ints, out: Floats) -> None:
    rows = np.repeat(np.arange(len(out)), np.diff(offsets))
    np.add.at(out, rows, weights[indices])


def _ramp(matrix: Floats, column: Ints, low: Floats, slope: Floats, out: Floats) -> None:
    np.multiply(matrix[column] - low[:, None], slope[:, None], out=out)
    np.clip(out, 0, 1, out=out)


def _normalise(values: Floats, gain: Floats, bias: Floats, out: Floats, pooled: Floats) -> None:
    np.subtract(values, values.mean(axis=1, keepdims=True), out=out)
    out /= np.sqrt((out * out).mean(axis=1, keepdims=True) + 1e-5)
    out *= gain
    out += bias
    _pool(out, pooled)


def _pool(values: Floats, pooled: Floats) -> None:
    pooled[:] = np.concatenate((values.mean(axis=0), values.max(axis=0)))


def _advance(state: Floats, update: Floats, pooled: Floats, weights: Floats, shift: Floats) -> None:
    state += np.maximum(update + (pooled @ weights + shift), 0)


def _blend(  # noqa: PLR0913, PLR0917
    values: Floats, taps: Floats, step: int, groups: Ints, shares: Floats, weights: Floats, sums: Floats, out: Floats
) -> None:
    count, reach = len(values), len(taps) // 2
    padded = np.pad(values, ((reach * step, reach * step), (0, 0)))
    out[:] = 0
    for tap, weight in enumerate(taps):
        out += padded[tap * step : tap * step + count] * weight
    for group, share, weight in zip(groups, shares, weights, strict=True):
        sums[:] = 0
        np.add.at(sums, group, values)
        out += (sums * share[:, None])[group] * weight
    sums[:] = 0


add_rows = layers.add_rows if COMPILED else _add_rows
ramp = layers.ramp if COMPILED else _ramp
pool = layers.pool if COMPILED else _pool
normalise = layers.normalise if COMPILED else _normalise
advance = layers.advance if COMPILED else _advance
blend = layers.blend if COMPILED else _blend
