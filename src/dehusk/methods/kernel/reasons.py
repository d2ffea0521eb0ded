"""Reasons: why the kernel scored a block as it did, in words.

A family of facts counts for as much as the score changes when a block has what the page's blocks have on average in
their place, or nothing where they are tags, names or neighbours. Each network runs once for every family.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import expm1
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.features.text import NAMES as TEXT
from dehusk.features.title import NAMES as TITLE
from dehusk.features.tokens import BITS, Vocabulary, unpacked
from dehusk.features.tree import ABOVE, LEVELS
from dehusk.methods.kernel.features import NAMES, View
from dehusk.methods.kernel.network import Input, Layer, Network, room_for

Facts = Callable[[View, int], str]
MOST: Final = 3  # reasons a block
LEAST: Final = 0.3  # of a logit: what moves a score by less is not worth a line
ROW: Final = {name: row for row, name in enumerate(NAMES)}


def _value(seen: View, name: str, block: int) -> float:
    return float(seen.matrix[ROW[name], block])


def _count(seen: View, name: str, block: int) -> int:
    """Return a count that is kept as a logarithm."""
    return round(expm1(_value(seen, name, block)))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _text(seen: View, block: int) -> str:
    words = _many(_count(seen, "words", block), "word")
    stops = _count(seen, "stops", block)
    return f"{words}, {_many(stops, 'sentence')}" if stops else f"{words}, no full stop"


def _links(seen: View, block: int) -> str:
    share = _value(seen, "link_share", block)
    return "no links" if share == 0 else "all of it is links" if share > 0.99 else f"{share:.0%} of it is links"


def _place(seen: View, block: int) -> str:
    if _value(seen, "title", block) >= 0.5:
        return "it says what the page's title says"
    if _value(seen, "before_title", block):
        return "it stands before the title"
    if _value(seen, "since_title", block) > 0:
        return f"{_many(_count(seen, 'since_title', block), 'block')} after the title"
    return f"{_value(seen, 'position', block):.0%} down the page, {_many(_count(seen, 'depth', block), 'element')} deep"


def _round(seen: View, block: int) -> str:
    words, links = _count(seen, "words_2", block), _value(seen, "links_2", block)
    return f"round it stand {_many(words, 'word')}, {links:.0%} of them in links"


def _alike(seen: View, block: int) -> str:
    if repeats := _count(seen, "repeated", block):
        return f"the same text stands here {_many(repeats + 1, 'time')}"
    alike = _count(seen, "alike", block)
    words = _count(seen, "alike_words", block)
    return f"{_many(alike, 'block')} under the same tags, about {_many(words, 'word')} each"


def _hidden(seen: View, block: int) -> str:
    return "browsers do not show it" if _value(seen, "hidden", block) else "browsers show it"


LEVELLED: Final = tuple(
    f"{name}_{level}" for name in ("words", "blocks", "elements", "links", "prose", "page") for level in LEVELS
)
DOMINANT: Final = tuple(name for name in NAMES if name.startswith(("inside_", "below_")))
FAMILIES: Final[tuple[tuple[Facts, tuple[str, ...]], ...]] = (
    (_text, (*TEXT, "leaves", "tags")),
    (_links, ("link_share", "all_link", "link_leaves")),
    (_place, (*TITLE, "position", "place", "depth", "since_heading", "since_h1")),
    (_round, (*LEVELLED, *DOMINANT)),
    (_alike, ("alike", "siblings", "cousins", "repeated", "alike_words", "alike_links", "alike_page")),
    (_hidden, ("hidden",)),
)


def reasons(
    networks: Sequence[Network], given: Sequence[Input], seen: View, vocabulary: Vocabulary
) -> list[tuple[str, ...]]:
    """Return for every block the facts that moved its score most, those for main text with +, the others with -."""
    effects = np.mean([_effects(network, each, seen) for network, each in zip(networks, given, strict=True)], axis=0)
    weights = np.mean([np.abs(network.bits).sum(axis=1) for network in networks], axis=0)
    words: list[Callable[[int], str]] = [
        *(lambda block, facts=facts: facts(seen, block) for facts, _ in FAMILIES),
        lambda block: _tags(seen, block),
        lambda block: _names(weights, given[0], vocabulary, block),
        lambda block: _neighbours(effects[-1], block),
    ]
    return [_said(block, effects[:, block], words) for block in range(len(seen))]


def _effects(network: Network, given: Input, seen: View) -> NDArray[np.float32]:
    """Return by how much each family of facts moves the logits of a network, then tags, names and neighbours."""
    room = room_for([network], len(seen))
    whole, _ = network.run(given, room)
    without = [network.run(given, room, _averaged(network, seen, names))[0] for _, names in FAMILIES]
    without.append(network.run(replace(given, above=np.zeros_like(given.above)), room)[0])
    without.append(network.run(replace(given, tokens=np.zeros_like(given.tokens)), room)[0])
    without.append(_hermit(network).run(given, room)[0])
    return whole - np.stack(without)


def _said(block: int, effect: NDArray[np.float32], words: Sequence[Callable[[int], str]]) -> tuple[str, ...]:
    order = np.argsort(-np.abs(effect))[:MOST].tolist()
    return tuple(f"{'+' if effect[way] > 0 else '-'} {words[way](block)}" for way in order if abs(effect[way]) >= LEAST)


def _averaged(network: Network, seen: View, names: Sequence[str]) -> NDArray[np.float32]:
    """Return what the first sums change by when blocks have what the page's blocks have on average."""
    bins = np.flatnonzero(np.isin(network.bins.column, [ROW[name] for name in names]))
    passed = network.bins.passed(seen.matrix, bins)
    change: NDArray[np.float32] = (passed.mean(axis=1, keepdims=True) - passed).T @ network.risen[bins, 1]
    return change


def _hermit(network: Network) -> Network:
    """Return the network as it would be if no block saw those beside it."""
    layers = network.layers.copy()
    for rows in layers:
        taps = Layer.unpacked(rows).taps
        middle = len(taps) // 2
        taps[:middle] = taps[middle + 1 :] = 0
    return replace(network, layers=layers)


def _tags(seen: View, block: int) -> str:
    above = int(seen.above[block])
    names = [f"<{tag}>" for bit, tag in enumerate(ABOVE) if above >> bit & 1]
    return f"inside {' '.join(names[:4])}" if names else "inside no tag that means something"


def _names(weights: NDArray[np.float32], given: Input, vocabulary: Vocabulary, block: int) -> str:
    """Return the names above a block that weigh most; `weights` has one number a bit, those of tags above first."""
    size = -(-len(vocabulary) // BITS) * BITS
    bits = np.flatnonzero(unpacked(given.tokens[block][None], 2 * size)[0])
    weight: dict[str, float] = {}
    for bit in bits.tolist():
        word = vocabulary.words[bit % size]
        weight[word] = weight.get(word, 0.0) + float(weights[BITS + bit])
    chosen = sorted(weight, key=lambda word: -weight[word])[:3]
    return f"called {', '.join(map(repr, chosen))}" if chosen else "what stands round it has no name"


def _neighbours(effect: NDArray[np.float32], block: int) -> str:
    return f"the blocks beside it look like {'main text' if effect[block] > 0 else 'boilerplate'}"
