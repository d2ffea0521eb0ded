"""Reasons: why the kernel scored a block as it did, in words.

A group of features counts for as much as the score changes when a block gets the average of the page's blocks in their
place; tags, names and neighbours are left out instead. Each network runs once for every group.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import expm1
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.features.text import NAMES as TEXT
from dehusk.features.title import NAMES as TITLE
from dehusk.features.tokens import BITS, TokenVocabulary, unpacked
from dehusk.features.tree import ABOVE, STEPS_UP
from dehusk.methods.kernel.features import NAMES, ROWS, PageFeatures
from dehusk.methods.kernel.network import KernelNetwork, Layer, NetworkInput, room_for

Describe = Callable[[PageFeatures, int], str]
MOST: Final = 3  # reasons per block
LEAST: Final = 0.3  # of a logit: what moves a score by less is not worth a line


def _value(features: PageFeatures, name: str, block: int) -> float:
    return float(features.matrix[ROWS[name], block])


def _count(features: PageFeatures, name: str, block: int) -> int:
    """Return a count that is stored as a logarithm."""
    return round(expm1(_value(features, name, block)))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _text(features: PageFeatures, block: int) -> str:
    words = _many(_count(features, "words", block), "word")
    stops = _count(features, "stops", block)
    return f"{words}, {_many(stops, 'sentence')}" if stops else f"{words}, no full stop"


def _links(features: PageFeatures, block: int) -> str:
    share = _value(features, "link_density", block)
    return "no links" if share == 0 else "all of it is link text" if share > 0.99 else f"{share:.0%} of it is link text"


def _position(features: PageFeatures, block: int) -> str:
    if _value(features, "title_overlap", block) >= 0.5:
        return "it repeats the page's title"
    if _value(features, "before_title", block):
        return "it comes before the title"
    if _value(features, "since_title", block) > 0:
        return f"{_many(_count(features, 'since_title', block), 'block')} after the title"
    position, depth = _value(features, "block_position", block), _count(features, "depth", block)
    return f"{position:.0%} down the page, {_many(depth, 'element')} deep"


def _surroundings(features: PageFeatures, block: int) -> str:
    words, links = _count(features, "words_2", block), _value(features, "links_2", block)
    return f"surrounded by {_many(words, 'word')}, {links:.0%} of them in links"


def _similar(features: PageFeatures, block: int) -> str:
    if repeats := _count(features, "repeated", block):
        return f"the same text appears {_many(repeats + 1, 'time')}"
    blocks = _count(features, "same_path", block)
    words = _count(features, "same_path_words", block)
    return f"{_many(blocks, 'block')} under the same tags, about {_many(words, 'word')} each"


def _hidden(features: PageFeatures, block: int) -> str:
    return "browsers do not show it" if _value(features, "hidden", block) else "browsers show it"


SUBTREES: Final = tuple(
    f"{name}_{steps}" for name in ("words", "blocks", "elements", "links", "prose", "page") for steps in STEPS_UP
)
DOMINANT: Final = tuple(name for name in NAMES if name.startswith(("inside_", "below_")))
GROUPS: Final[tuple[tuple[Describe, tuple[str, ...]], ...]] = (
    (_text, (*TEXT, "leaves", "tags")),
    (_links, ("link_density", "all_links", "link_leaves")),
    (_position, (*TITLE, "block_position", "text_position", "depth", "since_heading", "since_h1")),
    (_surroundings, (*SUBTREES, *DOMINANT)),
    (_similar, ("siblings", "cousins", "repeated", *(name for name in NAMES if name.startswith("same_path")))),
    (_hidden, ("hidden",)),
)


def reasons(
    networks: Sequence[KernelNetwork],
    given: Sequence[NetworkInput],
    features: PageFeatures,
    vocabulary: TokenVocabulary,
) -> list[tuple[str, ...]]:
    """Return for every block the facts that moved its score most, with + for main text and - for boilerplate."""
    effects = np.mean(
        [_effects(network, each, features) for network, each in zip(networks, given, strict=True)], axis=0
    )
    weights = np.mean([np.abs(network.bits).sum(axis=1) for network in networks], axis=0)
    words: list[Callable[[int], str]] = [
        *(lambda block, describe=describe: describe(features, block) for describe, _ in GROUPS),
        lambda block: _tags(features, block),
        lambda block: _names(weights, given[0], vocabulary, block),
        lambda block: f"the neighbouring blocks look like {'main text' if effects[-1, block] > 0 else 'boilerplate'}",
    ]
    return [_strongest(block, effects[:, block], words) for block in range(len(features))]


def _effects(network: KernelNetwork, given: NetworkInput, features: PageFeatures) -> NDArray[np.float32]:
    """Return by how much each group of features moves the logits of a network, then tags, names and neighbours."""
    room = room_for([network], len(features))
    whole, _ = network.run(given, room)
    without = [network.run(given, room, _averaged(network, features, names))[0] for _, names in GROUPS]
    without.append(network.run(replace(given, above=np.zeros_like(given.above)), room)[0])
    without.append(network.run(replace(given, tokens=np.zeros_like(given.tokens)), room)[0])
    without.append(_without_neighbours(network).run(given, room)[0])
    return whole - np.stack(without)


def _strongest(block: int, effect: NDArray[np.float32], words: Sequence[Callable[[int], str]]) -> tuple[str, ...]:
    order = np.argsort(-np.abs(effect))[:MOST].tolist()
    return tuple(f"{'+' if effect[way] > 0 else '-'} {words[way](block)}" for way in order if abs(effect[way]) >= LEAST)


def _averaged(network: KernelNetwork, features: PageFeatures, names: Sequence[str]) -> NDArray[np.float32]:
    """Return how the input of the first layer changes when blocks have the average of the page's blocks."""
    bins = np.flatnonzero(np.isin(network.bins.column, [ROWS[name] for name in names]))
    passed = network.bins.passed(features.matrix, bins)
    change: NDArray[np.float32] = (passed.mean(axis=1, keepdims=True) - passed).T @ network.bin_weights[bins, 1]
    return change


def _without_neighbours(network: KernelNetwork) -> KernelNetwork:
    """Return the network with no weights for the blocks beside a block."""
    layers = network.layers.copy()
    for rows in layers:
        taps = Layer.unpacked(rows).taps
        middle = len(taps) // 2
        taps[:middle] = taps[middle + 1 :] = 0
    return replace(network, layers=layers)


def _tags(features: PageFeatures, block: int) -> str:
    above = int(features.above[block])
    names = [f"<{tag}>" for bit, tag in enumerate(ABOVE) if above >> bit & 1]
    return f"inside {' '.join(names[:4])}" if names else "inside no meaningful tag"


def _names(weights: NDArray[np.float32], given: NetworkInput, vocabulary: TokenVocabulary, block: int) -> str:
    """Return the names above a block with most weight; `weights` has one number per bit, those of tags above first."""
    size = -(-len(vocabulary) // BITS) * BITS
    bits = np.flatnonzero(unpacked(given.tokens[block][None], 2 * size)[0])
    weight: dict[str, float] = {}
    for bit in bits.tolist():
        word = vocabulary.words[bit % size]
        weight[word] = weight.get(word, 0.0) + float(weights[BITS + bit])
    chosen = sorted(weight, key=lambda word: -weight[word])[:3]
    return f"class or id {', '.join(map(repr, chosen))}" if chosen else "no known class or id around it"
