"""Network: the kernel's layers. Each block sees itself, its neighbours, blocks in like places, and the whole page.

A layer normalises the blocks' vectors, adds up those of the neighbours and the means of four groups (same path of
tags, same parent, same grandparent, same ancestor further up), and passes the sum on together with what the page as a
whole looks like. Everything is numpy; the steps that numpy would need many passes for run compiled where `core` is.
Several networks that were trained apart are right more often together than each alone: their probabilities are
averaged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.features import Ints, Longs
from dehusk.features.tokens import BITS, unpacked
from dehusk.features.tree import WAYS
from dehusk.methods.kernel.aligned_arrays import lined, lined_floats
from dehusk.methods.kernel.bins import Bins, Places, unfit
from dehusk.methods.kernel.fast_network import add_rows, group_shares, spread_bits
from dehusk.methods.kernel.features import NAMES, PAGE_NAMES, TAGS, View
from dehusk.scores import KINDS

Floats = NDArray[np.float32]
PLAIN: Final = ("numbers", "bits", "tags", "page", "shift", "out", "kind")
WIDEST: Final = 128  # numbers a row; the compiled layers take them eight at a time
STEPS: Final = range(1, 1 << 20)  # how far neighbours may stand apart
SUREST: Final = 16.118  # no mean of several is further from 0: one in ten million


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The weights of one layer."""

    gain: Floats
    bias: Floats
    shift: Floats
    taps: Floats  # one row a neighbour
    groups: Floats  # one row a way to group
    mix: Floats
    page: Floats

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]], number: int) -> Self:
        """Make a layer of named arrays."""
        names = ("gain", "bias", "layer_shift", "taps", "groups", "mix", "layer_page")
        return cls(*(arrays[f"{name}{number}"].astype(np.float32) for name in names))

    @classmethod
    def unpacked(cls, rows: Floats) -> Self:
        """Return a layer of rows that `packed` made."""
        width = rows.shape[1]
        sizes = (1, 1, 1, len(rows) - 3 - WAYS - 3 * width, WAYS, width)
        gain, bias, shift, *rest = np.split(rows, np.cumsum(sizes))
        return cls(gain[0], bias[0], shift[0], *rest)

    def packed(self, taps: int) -> Floats:
        """Return all weights as rows, those of neighbours filled up with zeros to so many."""
        beyond = (taps - len(self.taps)) // 2
        padded = np.pad(self.taps, ((beyond, beyond), (0, 0)))
        return np.vstack((self.gain, self.bias, self.shift, padded, self.groups, self.mix, self.page))

    def fits(self, width: int) -> bool:
        """Tell whether all weights are finite and of one width."""
        single, several = (self.gain, self.bias, self.shift), (self.groups, self.mix, self.page)
        return (
            all(each.shape == (width,) for each in single)
            and all(each.shape == (rows, width) for each, rows in zip(several, (WAYS, width, 2 * width), strict=True))
            and self.taps.shape[1:] == (width,)
            and len(self.taps) % 2 == 1
            and all(np.isfinite(each).all() for each in (*single, *several, self.taps))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """A page as the network takes it."""

    places: Places
    above: Longs  # bits of the tags above each block
    tokens: Longs  # bits of the tokens near it, then of those anywhere above it
    tag: Ints
    page: Floats
    groups: Ints
    shares: Floats  # one over the size of each group


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """All weights."""

    bins: Bins
    risen: Floats  # as `Bins.risen` returns it
    layers: Floats  # of each layer, the rows that `Layer.packed` returns
    steps: Ints  # of each layer, how far the neighbours stand apart
    bits: Floats  # `BITS` rows for tags above, then for tokens near, then for tokens anywhere above
    tags: Floats
    page: Floats
    shift: Floats
    out: Floats  # the first entry is the constant
    kind: Floats

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Make a network of named arrays, as the weights' file holds them."""
        try:
            steps = np.atleast_1d(arrays["steps"]).tolist()
            layers = [Layer.of(arrays, number) for number in range(len(steps))]
            plain = {name: lined_floats(arrays[name]) for name in PLAIN}
            bins = Bins.of(arrays)
        except KeyError as error:
            raise ModelError(f"the kernel's weights lack {error}; install dehusk again or train it anew") from error
        except (TypeError, ValueError) as error:  # not numbers
            raise unfit() from error
        if not (_fit(plain, len(bins)) and _deep(layers, steps, plain["shift"].size)):
            raise unfit()
        risen, most = bins.risen(plain.pop("numbers")), max(len(layer.taps) for layer in layers)
        packed = lined_floats(np.stack([layer.packed(most) for layer in layers]))
        return cls(bins, risen, packed, np.array(steps, np.int32), **plain)

    def check(self, tokens: int) -> None:
        """Raise ModelError unless the weights fit the features that this version computes."""
        found = (len(self.bins.first) - 1, len(self.bits), len(self.tags), len(self.page))
        expected = (len(NAMES), BITS * (1 + 2 * -(-tokens // BITS)), TAGS, len(PAGE_NAMES) + tokens)
        if found != expected:
            raise ModelError(
                f"the kernel was trained on {found} features, this version computes {expected}; retrain it"
            )

    def run(self, given: Input, room: Floats, start: Floats | float = 0.0) -> tuple[Floats, Floats]:
        """Return the logit of main text for every block, and those of the kinds of page.

        The rows of `start` are added to what the network makes of the blocks at first.
        """
        count, width = len(given.tag), len(self.shift)
        state, room = room[: count * width].reshape(count, width), room[count * width :]
        state[...] = start
        shift = self.shift.copy()
        add_rows(given.page, self.page, shift)
        places = given.places.rows, given.places.shares, given.places.ends
        enter(state, shift, given.tag, self.tags, given.above, given.tokens, self.bits, BITS, *places, self.risen)
        advance(state, self.layers, self.steps, given.groups, given.shares, room)
        logits, pooled = np.empty(count, np.float32), np.empty(2 * width, np.float32)
        leave(state, self.out[1:], logits, pooled)
        return logits + self.out[0], pooled @ self.kind


def together(networks: Iterable[Network]) -> tuple[Network, ...]:
    """Return the networks, those with equal bins with the same, so that pages are looked up in them once."""
    known: list[Bins] = []
    shared = []
    for network in networks:
        bins = next(filter(network.bins.equals, known), network.bins)
        known.append(bins)
        shared.append(replace(network, bins=bins))
    return tuple(shared)


def inputs(networks: Sequence[Network], view: View, tokens: int) -> list[Input]:
    """Turn what was seen of a page into what each network takes; `tokens` is the size of the vocabulary."""
    shares = np.empty(view.sizes.shape, np.float32)
    group_shares(view.sizes, shares)
    page = np.empty(len(view.page) + tokens, np.float32)
    page[: len(view.page)] = view.page
    spread_bits(view.tokens.page, BITS, page[len(view.page) :])
    places = {bins: bins.places(view.matrix) for bins in {network.bins: None for network in networks}}
    rest = view.above, view.tokens.both, view.tag, page, view.groups, shares
    return [Input(places[network.bins], *rest) for network in networks]


def run_all(networks: Sequence[Network], given: Sequence[Input]) -> tuple[Floats, Floats]:
    """Return what several networks say together: the logit of main text for every block, and those of the kinds."""
    room = room_for(networks, len(given[0].tag))
    both = zip(networks, given, strict=True)
    logits, kinds = zip(*(network.run(each, room) for network, each in both), strict=True)
    return mean_logit(logits), reduce(np.add, kinds) / len(kinds)


def room_for(networks: Sequence[Network], count: int) -> Floats:
    """Return room in which any of the networks can run on a page of `count` blocks."""
    return lined((3 + (2 + WAYS) * count) * max(len(network.shift) for network in networks))


def mean_logit(logits: Sequence[Floats]) -> Floats:
    """Return the logits of the means of probabilities.

    >>> mean_logit([np.array([3.0, 99.0], np.float32), np.array([-1.0, 99.0], np.float32)]).round(3)
    array([ 0.45 , 16.118], dtype=float32)
    """
    if len(logits) == 1:
        return logits[0]
    odds = np.exp(np.minimum(np.maximum(np.array(logits), -SUREST), SUREST))
    unlikely = 1 / (1 + odds)
    # The sums of both sides, since of two that are nearly 1 the difference from 1 would be lost.
    mean: Floats = np.log((odds * unlikely).sum(axis=0) / unlikely.sum(axis=0))
    return mean


def _fit(plain: dict[str, Floats], bins: int) -> bool:
    """Tell whether all weights are finite and of one width: compiled loops would read what is not there."""
    width = plain["shift"].size
    shapes = {"numbers": (bins, width), "shift": (width,), "out": (1 + width,)}
    return (
        width % 8 == 0
        and 0 < width <= WIDEST
        and all(plain[name].shape == shape for name, shape in shapes.items())
        and all(plain[name].shape[1:] == (width,) for name in ("bits", "tags", "page"))
        and plain["kind"].shape == (2 * width, len(KINDS) - 1)  # none for "other"
        and all(np.isfinite(each).all() for each in plain.values())
    )


def _deep(layers: Sequence[Layer], steps: Sequence[object], width: int) -> bool:
    """Tell the same of the layers, of which there must be one, and of their steps."""
    return (
        bool(layers)
        and all(layer.fits(width) for layer in layers)
        and all(isinstance(step, int) and step in STEPS for step in steps)
    )


def _enter(  # noqa: PLR0913, PLR0917
    state: Floats,
    shift: Floats,
    tag: Ints,
    tags: Floats,
    above: Longs,
    words: Longs,
    bits: Floats,
    used: int,
    rows: Ints,
    shares: Floats,
    ends: Longs,
    risen: Floats,
) -> None:
    state += shift + tags[tag]
    numbers = np.column_stack((above, words))
    state += unpacked(numbers, used * numbers.shape[1]).astype(np.float32) @ bits
    found = np.zeros((len(state), *risen.shape[:2]), np.float32)
    places = np.repeat(np.arange(len(state)), np.diff(ends, prepend=0)), rows[: ends[-1]]
    found[places] = np.column_stack((np.ones(ends[-1], np.float32), shares[: ends[-1]]))
    state += found.reshape(len(state), -1) @ risen.reshape(-1, state.shape[1])
    np.maximum(state, 0, out=state)


def _advance(state: Floats, weights: Floats, steps: Ints, groups: Ints, shares: Floats, room: Floats) -> None:
    del room  # numpy makes its own
    for rows, step in zip(weights, steps.tolist(), strict=True):
        layer = Layer.unpacked(rows)
        normal = state - state.mean(axis=1, keepdims=True)
        normal /= np.sqrt((normal * normal).mean(axis=1, keepdims=True) + 1e-5)
        normal = normal * layer.gain + layer.bias
        blended = _blended(normal, layer, step)
        for group, share, weight in zip(groups, shares, layer.groups, strict=True):
            sums = np.zeros_like(normal)
            np.add.at(sums, group, normal)
            blended += (sums * share[:, None])[group] * weight
        state += np.maximum(blended @ layer.mix + (_pooled(normal) @ layer.page + layer.shift), 0)


def _blended(normal: Floats, layer: Layer, step: int) -> Floats:
    """Return for every row the sum of those round it, weighed by the taps."""
    count, beyond = len(normal), len(layer.taps) // 2 * step
    padded = np.pad(normal, ((beyond, beyond), (0, 0)))
    blended = np.zeros_like(normal)
    for tap, weight in enumerate(layer.taps):
        blended += padded[tap * step : tap * step + count] * weight
    return blended


def _leave(state: Floats, out: Floats, logits: Floats, pooled: Floats) -> None:
    logits[:] = state @ out
    pooled[:] = _pooled(state)


def _pooled(values: Floats) -> Floats:
    """Return the means over the rows, then the largest values."""
    return np.concatenate((values.mean(axis=0), values.max(axis=0)))


try:
    from dehusk.methods.kernel import layers
except ImportError:  # there was no compiler
    enter, advance, leave = _enter, _advance, _leave
else:
    enter, advance, leave = layers.enter, layers.advance, layers.leave
