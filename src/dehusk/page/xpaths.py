"""XPaths of a page's elements."""

import re
from collections import Counter
from typing import Final

from dehusk.page.leaves import Elements

PLAIN_NAME: Final = re.compile(r"[a-z_][\w.-]*", re.ASCII | re.IGNORECASE)


class XPaths:
    """The XPath of any element of a page; siblings are counted once, paths are joined on demand."""

    __slots__ = ("_elements", "_known", "_number", "_siblings")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known = {0: ""}
        self._siblings: Counter[tuple[int, str]] = Counter()  # by their parent and tag
        self._number: list[int] = []
        for key in zip(elements.parent, elements.tag, strict=True):
            self._siblings[key] += 1
            self._number.append(self._siblings[key])

    def of(self, first: int, last: int) -> str:
        """Return the path of the innermost element that holds both elements and so all between them."""
        parents = self._elements.parent
        while first != last:
            # Parents come before their children, so of two elements the later one is never above the other.
            first, last = (parents[first], last) if first > last else (first, parents[last])
        return self._path(first) or "/"

    def _path(self, index: int) -> str:
        missing = []
        while index not in self._known:
            missing.append(index)
            index = self._elements.parent[index]
        path = self._known[index]
        for below in reversed(missing):
            path = self._known[below] = path + self._step(below)
        return path

    def _step(self, index: int) -> str:
        parent, tag = self._elements.parent[index], self._elements.tag[index]
        name = tag if PLAIN_NAME.fullmatch(tag) else f"*[name()={tag!r}]"
        return f"/{name}[{self._number[index]}]" if self._siblings[parent, tag] > 1 else f"/{name}"
