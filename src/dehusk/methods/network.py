"""Network: the kernel's layers. Each block sees itself, its neighbours, blocks in like places, and the whole page.

A layer normalises the blocks' vectors, adds up those of the neighbours and the means of four groups (same path of
tags, same parent, same grandparent, same ancestor further up), and passes the sum on together with what the page as a
whole looks like. Everything is numpy; the steps that numpy would need many passes for run compiled where `core` is.
Several networks that were trained apart are right more often together than each alone: their probabilities are
averaged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.core.columns import add_rows, group_shares, mean_odds, spread_bits
from dehusk.errors import ModelError
from dehusk.features import Ints, Longs
from dehusk.features.tokens import BITS, unpacked
from dehusk.features.tree import WAYS
from dehusk.features.view import NAMES, PAGE_NAMES, TAGS, View

Floats = NDArray[np.float32]
PLAIN: Final = ("low", "slope", "numbers", "bits", "tags", "page", "shift", "out", "kind")
WIDEST: Final = 128  # numbers a row; the compiled layers take them eight at a time
STEPS: Final = range(1, 1 << 20)  # how far neighbours may stand apart
SUREST: Final = 1e-7  # no mean of probabilities comes closer to 0 or 1, where a logit has no end


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
    above: Longs  # bits of the tags above each block
    tokens: Longs  # bits of the tokens near it, then of those anywhere above it
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
            found = tuple(
                _layer(arrays, number, step) for number, step in enumerate(np.atleast_1d(arrays["steps"]).tolist())
            )
            low, slope, numbers, bits, tags, page, shift, out, kind = (_floats(arrays[name]) for name in PLAIN)
            column = arrays["column"].astype(np.int32)
        except KeyError as error:
            raise ModelError(f"the kernel's weights lack {error}; install dehusk again or train it anew") from error
        network = cls(column, low, slope, numbers, bits, tags, page, shift, found, out, kind)
        if not network._fits():
            raise ModelError("the kernel's weights do not fit together; install dehusk again or train it anew")
        return network

    def _fits(self) -> bool:
        """Tell whether all weights are of one width. Compiled loops would not notice, and read what is not there."""
        if self.numbers.ndim != 2 or not len(self.numbers):
            return False
        bins, width = self.numbers.shape
        shapes = [(self.column.shape, (bins,)), (self.low.shape, (bins,)), (self.slope.shape, (bins,))]
        shapes += [(self.shift.shape, (width,)), (self.out.shape, (1 + width,)), (self.kind.shape[:1], (2 * width,))]
        rows = [self.bits, self.tags, self.page]
        for layer in self.layers:
            shapes += [(each.shape, (width,)) for each in (layer.gain, layer.bias, layer.shift)]
            shapes += [(layer.mix.shape[:1], (width,)), (layer.page.shape[:1], (2 * width,))]
            shapes += [(layer.groups.shape[:1], (WAYS,))]
            rows += [layer.taps, layer.groups, layer.mix, layer.page]
        return (
            width % 8 == 0
            and 0 < width <= WIDEST
            and all(found == expected for found, expected in shapes)
            and all(each.ndim == 2 and each.shape[1] == width for each in rows)
            and self.kind.ndim == 2
            and int(self.column.min()) >= 0
            and all(
                len(layer.taps) % 2 and isinstance(layer.step, int) and layer.step in STEPS for layer in self.layers
            )
        )

    def check(self, tokens: int) -> None:
        """Raise ModelError unless the weights fit the features that this version computes."""
        found = (int(self.column.max()) + 1, len(self.bits), len(self.tags), len(self.page))
        expected = (len(NAMES), BITS * (1 + 2 * -(-tokens // BITS)), TAGS, len(PAGE_NAMES) + tokens)
        if found != expected:
            raise ModelError(
                f"the kernel was trained on {found} features, this version computes {expected}; retrain it"
            )

    def numbers_of(self, view: View) -> Floats:
        """Return how far each block's features have come in this network's bins."""
        numbers = np.empty((len(self.column), len(view)), np.float32)
        ramp(view.matrix, self.column, self.low, self.slope, numbers)
        return numbers

    def run(self, given: Input) -> tuple[Floats, Floats]:
        """Return the logit of main text for every block, and those of the kinds of page."""
        state = given.numbers.T @ self.numbers
        count, width = state.shape
        shift = self.shift.copy()
        add_rows(given.page, self.page, shift)
        enter(state, shift, given.tag, self.tags, given.above, given.tokens, self.bits, BITS)
        room = np.empty((2 + (1 + len(given.groups)) * count) * width, np.float32)
        for layer in self.layers:
            own, others = (layer.gain, layer.bias, layer.taps, layer.step), (given.groups, given.shares, layer.groups)
            advance(state, *own, *others, layer.mix, layer.page, layer.shift, room)
        logits, pooled = np.empty(count, np.float32), np.empty(2 * width, np.float32)
        leave(state, self.out[1:], logits, pooled)
        return logits + self.out[0], pooled @ self.kind


def inputs(networks: Sequence[Network], view: View, tokens: int) -> list[Input]:
    """Turn what was seen of a page into what each network takes; `tokens` is the size of the vocabulary."""
    shares = np.empty(view.sizes.shape, np.float32)
    group_shares(view.sizes, shares)
    page = np.empty(len(view.page) + tokens, np.float32)
    page[: len(view.page)] = view.page
    spread_bits(view.tokens.page, BITS, page[len(view.page) :])
    numbers = [network.numbers_of(view) for network in networks]
    first = Input(numbers[0], view.above, view.tokens.both, view.tag, page, view.groups, shares)
    return [first, *(replace(first, numbers=each) for each in numbers[1:])]


def run_all(networks: Sequence[Network], given: Sequence[Input]) -> tuple[Floats, Floats]:
    """Return what several networks say together: the logit of main text for every block, and those of the kinds."""
    logits, kinds = zip(*(network.run(each) for network, each in zip(networks, given, strict=True)), strict=True)
    return mean_logit(logits), reduce(np.add, kinds) / len(kinds)


def mean_logit(logits: Sequence[Floats]) -> Floats:
    """Return the logits of the means of probabilities.

    >>> mean_logit([np.array([3.0, 99.0], np.float32), np.array([-1.0, 99.0], np.float32)]).round(3)
    array([ 0.45 , 16.118], dtype=float32)
    """
    if len(logits) == 1:
        return logits[0]
    odds: Floats = np.empty_like(logits[0])
    mean_odds(list(logits), SUREST, odds)
    return np.log(odds, out=odds)


def _layer(arrays: dict[str, NDArray[np.generic]], number: int, step: int) -> Layer:
    names = ("gain", "bias", "taps", "groups", "mix", "layer_page", "layer_shift")
    gain, bias, taps, groups, mix, page, shift = (_floats(arrays[f"{name}{number}"]) for name in names)
    return Layer(gain, bias, taps, step, groups, mix, page, shift)


def _floats(array: NDArray[np.generic]) -> Floats:
    return np.ascontiguousarray(array, np.float32)


def _ramp(matrix: Floats, column: Ints, low: Floats, slope: Floats, out: Floats) -> None:
    np.multiply(matrix[column] - low[:, None], slope[:, None], out=out)
    np.clip(out, 0, 1, out=out)


def _enter(  # noqa: PLR0913, PLR0917
    state: Floats, shift: Floats, tag: Ints, tags: Floats, above: Longs, words: Longs, bits: Floats, used: int
) -> None:
    state += shift + tags[tag]
    numbers = np.column_stack((above, words))
    state += unpacked(numbers, used * numbers.shape[1]).astype(np.float32) @ bits
    np.maximum(state, 0, out=state)


def _advance(  # noqa: PLR0913, PLR0917
    state: Floats,
    gain: Floats,
    bias: Floats,
    taps: Floats,
    step: int,
    groups: Ints,
    shares: Floats,
    weights: Floats,
    mix: Floats,
    page: Floats,
    shift: Floats,
    room: Floats,
) -> None:
    del room  # numpy makes its own
    normal = state - state.mean(axis=1, keepdims=True)
    normal /= np.sqrt((normal * normal).mean(axis=1, keepdims=True) + 1e-5)
    normal = normal * gain + bias
    count, reach = len(state), len(taps) // 2
    padded = np.pad(normal, ((reach * step, reach * step), (0, 0)))
    blended = np.zeros_like(normal)
    for tap, weight in enumerate(taps):
        blended += padded[tap * step : tap * step + count] * weight
    for group, share, weight in zip(groups, shares, weights, strict=True):
        sums = np.zeros_like(normal)
        np.add.at(sums, group, normal)
        blended += (sums * share[:, None])[group] * weight
    state += np.maximum(blended @ mix + (_pooled(normal) @ page + shift), 0)


def _leave(state: Floats, out: Floats, logits: Floats, pooled: Floats) -> None:
    logits[:] = state @ out
    pooled[:] = _pooled(state)


def _pooled(values: Floats) -> Floats:
    """Return the means over the rows, then the largest values."""
    return np.concatenate((values.mean(axis=0), values.max(axis=0)))


try:
    from dehusk.core import layers
except ImportError:  # there was no compiler
    ramp, enter, advance, leave = _ramp, _enter, _advance, _leave
else:
    ramp, enter, advance, leave = layers.ramp, layers.enter, layers.advance, layers.leave
