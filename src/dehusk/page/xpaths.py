"""XPaths of a page's elements."""

import re
from collections import Counter
from typing import Final

from dehusk.page.leaves import Elements

PLAIN_NAME: Final = re.compile(r"[a-z_][\w.-]*", re.ASCII | re.IGNORECASE)
# In characters. The longest of 375 real pages has 219; those of hostile pages, nested thousands deep, would together
# be thousands of times as long as the page.
MAX_LENGTH: Final = 500


class XPaths:
    """The XPath of any element of a page; siblings are counted once, paths are joined on demand."""

    __slots__ = ("_elements", "_known", "_position", "_siblings")

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known: dict[int, str | None] = {0: ""}
        self._siblings: Counter[tuple[int, str]] = Counter()  # by their parent and tag
        self._position: list[int] = []
        for key in zip(elements.parent, elements.tag, strict=True):
            self._siblings[key] += 1
            self._position.append(self._siblings[key])

    def of(self, first: int, last: int) -> str | None:
        """Return the path of the innermost element that holds both elements and so all between them.

        A path of more than `MAX_LENGTH` characters is None.
        """
        parents = self._elements.parent
        while first != last:
            # Parents come before their children, so of two elements the later one is never above the other.
            first, last = (parents[first], last) if first > last else (first, parents[last])
        path = self._path(first)
        return "/" if path == "" else path

    def _path(self, index: int) -> str | None:
        missing = []
        while index not in self._known:
            missing.append(index)
            index = self._elements.parent[index]
        path = self._known[index]
        for below in reversed(missing):
            if path is not None:
                parent, tag = self._elements.parent[below], self._elements.tag[below]
                name = tag if PLAIN_NAME.fullmatch(tag) else f"*[name()={tag!r}]"
                path += f"/{name}[{self._position[below]}]" if self._siblings[parent, tag] > 1 else f"/{name}"
                path = path if len(path) <= MAX_LENGTH else None
            self._known[below] = path
        return path
