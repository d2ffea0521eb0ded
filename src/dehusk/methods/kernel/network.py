"""Network: the kernel's layers. Each block sees itself, its neighbours, blocks in similar places, and the whole page.

A layer normalises the blocks' vectors, adds up those of the neighbours and the means of four groups (same path of
tags, same parent, same grandparent, same ancestor further up), and passes the sum on together with a summary of the
page. Everything is numpy; the steps that would take numpy many passes run compiled where `layers` could be built.
Several networks that were trained separately are right more often than any one of them: their probabilities are
averaged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.features import Floats, Ints, Longs
from dehusk.features.fast_tree import Grouping
from dehusk.features.tokens import BITS, unpacked
from dehusk.methods.kernel.aligned_arrays import aligned_empty, aligned_floats
from dehusk.methods.kernel.bins import Bins, BinValues, inconsistent_weights
from dehusk.methods.kernel.decision import Tuning
from dehusk.methods.kernel.fast_scoring import Doubles, add_rows, group_shares, spread_bits
from dehusk.methods.kernel.features import NAMES, PAGE_NAMES, TAGS, PageFeatures
from dehusk.scores import KINDS

PLAIN: Final = ("numbers", "bits", "tags", "page", "shift", "out", "kind")
WIDEST: Final = 128  # numbers per row; the compiled layers take them eight at a time
STEPS: Final = range(1, 1 << 20)  # how far apart neighbours may be
GROUPINGS: Final = len(Grouping)
LARGEST_LOGIT: Final = 16.118  # to either side, in the mean of several networks: one in ten million


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The weights of one layer."""

    gain: Floats
    bias: Floats
    shift: Floats
    taps: Floats  # one row per neighbour
    groups: Floats  # one row per `Grouping`
    mix: Floats
    page: Floats

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]], index: int) -> Self:
        """Make a layer of named arrays."""
        names = ("gain", "bias", "layer_shift", "taps", "groups", "mix", "layer_page")
        return cls(*(arrays[f"{name}{index}"].astype(np.float32) for name in names))

    @classmethod
    def unpacked(cls, rows: Floats) -> Self:
        """Return the layer of which `packed` made these rows."""
        width = rows.shape[1]
        sizes = (1, 1, 1, len(rows) - 3 - GROUPINGS - 3 * width, GROUPINGS, width)
        gain, bias, shift, *rest = np.split(rows, np.cumsum(sizes))
        return cls(gain[0], bias[0], shift[0], *rest)

    def packed(self, taps: int) -> Floats:
        """Return all weights as rows, those of neighbours padded with zeros to so many."""
        beyond = (taps - len(self.taps)) // 2
        padded = np.pad(self.taps, ((beyond, beyond), (0, 0)))
        return np.vstack((self.gain, self.bias, self.shift, padded, self.groups, self.mix, self.page))

    def fits(self, width: int) -> bool:
        """Return whether all weights are finite and of the same width."""
        single, several = (self.gain, self.bias, self.shift), (self.groups, self.mix, self.page)
        return (
            all(each.shape == (width,) for each in single)
            and all(
                each.shape == (rows, width) for each, rows in zip(several, (GROUPINGS, width, 2 * width), strict=True)
            )
            and self.taps.shape[1:] == (width,)
            and len(self.taps) % 2 == 1
            and all(np.isfinite(each).all() for each in (*single, *several, self.taps))
        )


@dataclass(frozen=True, slots=True, eq=False)
class NetworkInput:
    """A page as a network takes it."""

    values: BinValues
    above: Longs  # bits of the tags above each block
    tokens: Longs  # bits of the tokens nearby, then of those anywhere above it
    tag: Ints
    page: Floats
    groups: Ints
    shares: Floats  # one over the size of each group


@dataclass(frozen=True, slots=True, eq=False)
class KernelNetwork:
    """All weights of one network."""

    bins: Bins
    bin_weights: Floats  # as `Bins.cumulated` returns them
    layers: Floats  # of each layer, the rows that `Layer.packed` returns
    steps: Ints  # of each layer, how far apart the neighbours are
    bits: Floats  # `BITS` rows for tags above, then for tokens nearby, then for tokens anywhere above
    tags: Floats
    page: Floats
    shift: Floats
    out: Floats  # the first entry is the constant
    kind: Floats

    @classmethod
    def of(cls, arrays: dict[str, NDArray[np.generic]]) -> Self:
        """Make a network of named arrays, as they are in the file of weights."""
        try:
            steps = np.atleast_1d(arrays["steps"]).tolist()
            layers = [Layer.of(arrays, index) for index in range(len(steps))]
            plain = {name: aligned_floats(arrays[name]) for name in PLAIN}
            bins = Bins.of(arrays)
        except KeyError as error:
            raise ModelError(f"the kernel's weights lack {error}; reinstall dehusk or retrain it") from error
        except (TypeError, ValueError) as error:  # not numbers
            raise inconsistent_weights() from error
        layers_fit = bool(layers) and all(layer.fits(plain["shift"].size) for layer in layers)
        steps_fit = all(isinstance(step, int) and step in STEPS for step in steps)
        if not (_arrays_fit(plain, len(bins)) and layers_fit and steps_fit):
            raise inconsistent_weights()
        bin_weights, most = bins.cumulated(plain.pop("numbers")), max(len(layer.taps) for layer in layers)
        packed = aligned_floats(np.stack([layer.packed(most) for layer in layers]))
        return cls(bins, bin_weights, packed, np.array(steps, np.int32), **plain)

    def check(self, tokens: int) -> None:
        """Raise ModelError unless the weights fit the features that this version computes."""
        actual = (len(self.bins.first) - 1, len(self.bits), len(self.tags), len(self.page))
        expected = (len(NAMES), BITS * (1 + 2 * -(-tokens // BITS)), TAGS, len(PAGE_NAMES) + tokens)
        if actual != expected:
            raise ModelError(
                f"the kernel was trained on {actual} features, this version computes {expected}; retrain it"
            )

    def run(self, given: NetworkInput, room: Floats, start: Floats | float = 0.0) -> tuple[Floats, Floats]:
        """Return the logit of main text for every block, and the logits of the kinds of page.

        The first layer gets the rows of `start` in addition to the blocks' own.
        """
        count, width = len(given.tag), len(self.shift)
        state, room = room[: count * width].reshape(count, width), room[count * width :]
        state[...] = start
        shift = self.shift.copy()
        add_rows(given.page, self.page, shift)
        embed(state, shift, given, self)
        run_layers(state, given, self, room)
        logits, pooled = np.empty(count, np.float32), np.empty(2 * width, np.float32)
        read_out(state, self.out[1:], logits, pooled)
        return logits + self.out[0], pooled @ self.kind


def share_bins(networks: Iterable[KernelNetwork]) -> tuple[KernelNetwork, ...]:
    """Return the networks, with one `Bins` for all that have equal ones, so that `Bins.values` runs once per page."""
    known: list[Bins] = []
    shared = []
    for network in networks:
        bins = next(filter(network.bins.equals, known), network.bins)
        known.append(bins)
        shared.append(replace(network, bins=bins))
    return tuple(shared)


def inputs(networks: Sequence[KernelNetwork], features: PageFeatures, tokens: int) -> list[NetworkInput]:
    """Return the input of each network; `tokens` is the size of the vocabulary."""
    shares = np.empty(features.sizes.shape, np.float32)
    group_shares(features.sizes, shares)
    page = np.empty(len(features.page) + tokens, np.float32)
    page[: len(features.page)] = features.page
    spread_bits(features.tokens.page, BITS, page[len(features.page) :])
    values = {bins: bins.values(features.matrix) for bins in {network.bins: None for network in networks}}
    rest = features.above, features.tokens.both, features.tag, page, features.groups, shares
    return [NetworkInput(values[network.bins], *rest) for network in networks]


def run_ensemble(networks: Sequence[KernelNetwork], given: Sequence[NetworkInput]) -> tuple[Floats, Floats]:
    """Return the mean of several networks: the logit of main text for every block, and the logits of the kinds."""
    room = room_for(networks, len(given[0].tag))
    outputs = [network.run(each, room) for network, each in zip(networks, given, strict=True)]
    logits, kinds = zip(*outputs, strict=True)
    mean: Floats = np.mean(kinds, axis=0, dtype=np.float32)
    return mean_logit(logits), mean


class Ensemble(Protocol):
    """Several networks, ready to run on pages."""

    def run(self, features: PageFeatures) -> tuple[Doubles, Floats]:
        """Return the probability of main text for every block of a page, and the mean logits of the kinds."""
        ...


class PlainEnsemble:
    """What `ensemble.Ensemble` does, where that could not be compiled."""

    def __init__(self, networks: Sequence[KernelNetwork], tokens: int, tuning: Tuning) -> None:
        self.networks, self.tokens, self.tuning = networks, tokens, tuning

    def run(self, features: PageFeatures) -> tuple[Doubles, Floats]:
        """Do what `Ensemble` promises."""
        logits, kinds = run_ensemble(self.networks, inputs(self.networks, features, self.tokens))
        return self.tuning.likely(logits), kinds


def room_for(networks: Sequence[KernelNetwork], count: int) -> Floats:
    """Return the working memory that any of the networks needs for a page of `count` blocks."""
    return aligned_empty((3 + (2 + GROUPINGS) * count) * max(len(network.shift) for network in networks))


def mean_logit(logits: Sequence[Floats]) -> Floats:
    """Return the logits of the mean probabilities.

    >>> mean_logit([np.array([3.0, 99.0], np.float32), np.array([-1.0, 99.0], np.float32)]).round(3)
    array([ 0.45 , 16.118], dtype=float32)
    """
    if len(logits) == 1:
        return logits[0]
    odds = np.exp(np.minimum(np.maximum(np.array(logits), -LARGEST_LOGIT), LARGEST_LOGIT))
    unlikely = 1 / (1 + odds)
    # Both sides are summed, since the difference from 1 of a sum that is nearly 1 would be lost.
    mean: Floats = np.log((odds * unlikely).sum(axis=0) / unlikely.sum(axis=0))
    return mean


def _arrays_fit(plain: dict[str, Floats], bins: int) -> bool:
    """Return whether all weights are finite and of the same width: compiled loops do not check bounds."""
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


def _embed(state: Floats, shift: Floats, given: NetworkInput, network: KernelNetwork) -> None:
    state += shift + network.tags[given.tag]
    bits = np.column_stack((given.above, given.tokens))
    state += unpacked(bits, BITS * bits.shape[1]).astype(np.float32) @ network.bits
    values, end = given.values, int(given.values.ends[-1])
    factors = np.zeros((len(state), *network.bin_weights.shape[:2]), np.float32)
    cells = np.repeat(np.arange(len(state)), np.diff(values.ends, prepend=0)), values.rows[:end]
    factors[cells] = np.column_stack((np.ones(end, np.float32), values.shares[:end]))
    state += factors.reshape(len(state), -1) @ network.bin_weights.reshape(-1, state.shape[1])
    np.maximum(state, 0, out=state)


def _run_layers(state: Floats, given: NetworkInput, network: KernelNetwork, room: Floats) -> None:
    del room  # numpy allocates its own
    for rows, step in zip(network.layers, network.steps.tolist(), strict=True):
        layer = Layer.unpacked(rows)
        normal = state - state.mean(axis=1, keepdims=True)
        normal /= np.sqrt((normal * normal).mean(axis=1, keepdims=True) + 1e-5)
        normal = normal * layer.gain + layer.bias
        blended = _blended(normal, layer, step)
        for group, share, weight in zip(given.groups, given.shares, layer.groups, strict=True):
            sums = np.zeros_like(normal)
            np.add.at(sums, group, normal)
            blended += (sums * share[:, None])[group] * weight
        state += np.maximum(blended @ layer.mix + (_pooled(normal) @ layer.page + layer.shift), 0)


def _blended(normal: Floats, layer: Layer, step: int) -> Floats:
    """Return for every row the sum of the rows around it, weighted by the taps."""
    count, beyond = len(normal), len(layer.taps) // 2 * step
    padded = np.pad(normal, ((beyond, beyond), (0, 0)))
    blended = np.zeros_like(normal)
    for tap, weight in enumerate(layer.taps):
        blended += padded[tap * step : tap * step + count] * weight
    return blended


def _read_out(state: Floats, out: Floats, logits: Floats, pooled: Floats) -> None:
    logits[:] = state @ out
    pooled[:] = _pooled(state)


def _pooled(values: Floats) -> Floats:
    """Return the means over the rows, then the largest values."""
    return np.concatenate((values.mean(axis=0), values.max(axis=0)))


try:
    from dehusk.methods.kernel import layers
except ImportError:  # there was no compiler
    embed, run_layers, read_out = _embed, _run_layers, _read_out
else:
    embed, run_layers, read_out = layers.embed, layers.run_layers, layers.read_out
