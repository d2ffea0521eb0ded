"""Scans over a page's elements: values of `meta` elements, links by `rel`, elements by tag, the text in an element.

Compiled with the C types in fast_scan.pxd; as plain Python it returns the same.
"""

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element


def meta_values(nodes: Sequence[Element], known_names: Container[str], max_length: int) -> dict[str, list[str]]:
    """Return the contents of `meta` elements by name in lower case; other names than `known_names` are skipped.

    Each content is cut at `max_length` characters.
    """
    values: dict[str, list[str]] = {}
    for node in nodes:
        name = node.attr("property") or node.attr("name") or node.attr("itemprop") or node.attr("http-equiv")
        if not name:
            continue
        # Most names are unknown, so their content is never read.
        if name not in known_names:
            name = name.strip().lower()
            if name not in known_names:
                continue
        content = node.attr("content")
        if content:
            if name in values:
                values[name].append(content[:max_length])
            else:
                values[name] = [content[:max_length]]
    return values


def links_by_rel(nodes: Sequence[Element], relations: Container[str]) -> dict[str, list[Element]]:
    """Return the elements by those words of their `rel`, in lower case, that are among `relations`."""
    links: dict[str, list[Element]] = {}
    # Most links of a page have the same few values, so each value is split once.
    known: dict[str, list[str]] = {}
    for node in nodes:
        rel = node.attr("rel")
        if not rel:
            continue
        words = known.get(rel)
        if words is None:
            # A set, since a link may repeat a word.
            words = [word for word in set(rel.lower().split()) if word in relations]
            known[rel] = words
        for word in words:
            if word in links:
                links[word].append(node)
            else:
                links[word] = [node]
    return links


def elements_with_tags(tags: Sequence[str], names: Container[str], start: int, stop: int, limit: int) -> list[int]:
    """Return the first `limit` elements from `start` up to `stop` whose tag is among `names`."""
    elements: list[int] = []
    for index in range(start, min(stop, len(tags))):
        if len(elements) == limit:
            break
        if tags[index] in names:
            elements.append(index)
    return elements


def elements_with_tags_around(
    tags: Sequence[str], parents: Sequence[int], names: Container[str], element: int, stop: int
) -> list[int]:
    """Return the elements whose tag is among `names` among `element`, its ancestors, and all after it up to `stop`."""
    elements: list[int] = elements_with_tags(tags, names, element + 1, stop, stop)
    while element >= 0:
        if tags[element] in names:
            elements.append(element)
        element = parents[element]
    return elements


def element_texts(
    text: str,
    targets: Sequence[int],
    parents: Sequence[int],
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    element: NDArray[np.int32],
    opened: NDArray[np.int32],
) -> list[tuple[str, int]]:
    """Return the text in each of the `targets` and its first leaf; elements without text are left out.

    The four arrays are columns of the page's leaves.
    """
    texts = []
    leaves = len(element)
    for target in targets:
        low, high = 0, leaves
        while low < high:
            middle = (low + high) // 2
            if opened[middle] > target:
                high = middle
            else:
                low = middle + 1
        last = low
        while last < leaves:
            ancestor = element[last]
            while ancestor > target:
                ancestor = parents[ancestor]
            if ancestor != target:
                break
            last += 1
        if low < last:
            left, right = start[low], end[last - 1]
            texts.append((text[left:right], low))
    return texts
