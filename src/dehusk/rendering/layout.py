"""A page as it is laid out: its picture, and the boxes of its text nodes, each of which a leaf of `Page` can be."""

import io
import zipfile
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.page import Page

IntArray = NDArray[np.int32]
# Text in these is not on the page. `Page` has the text of the first two, but a browser that can run scripts shows none.
RAW: Final = frozenset({"noscript", "noframes"})
UNSEEN: Final = RAW | {"head", "script", "style", "title", "desc", "metadata", "iframe", "noembed", "template"}
TEXT_NODE: Final = 3
FORMAT: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The picture of a page in grey, and one row per line of each text node: which node, and where."""

    picture: NDArray[np.uint8]  # height × width
    digests: NDArray[np.uint32]  # of the text of each text node, in document order
    node: IntArray  # the text node of each box
    box: NDArray[np.float32]  # x, y, width and height of each

    @classmethod
    def of(cls, snapshot: dict[str, Any], picture: NDArray[np.uint8]) -> Self:
        """Read a snapshot of Chromium's `DOMSnapshot.captureSnapshot`."""
        document, strings = snapshot["documents"][0], snapshot["strings"]
        text_indices, texts = _text_nodes(document["nodes"], strings)
        laid_out = document["layout"]["nodeIndex"]
        boxes = document["textBoxes"]
        rows = [
            (text_indices[laid_out[layout]], bounds)
            for layout, bounds in zip(boxes["layoutIndex"], boxes["bounds"], strict=True)
            if laid_out[layout] in text_indices and bounds[2] > 0 and bounds[3] > 0
        ]
        return cls(
            picture,
            np.array([digest(text) for text in texts], np.uint32),
            np.array([node for node, _ in rows], np.int32),
            np.array([bounds for _, bounds in rows], np.float32).reshape(-1, 4),
        )

    def leaf_boxes(self, page: Page) -> IntArray | None:
        """Return the leaf of `page` that each box belongs to; None if Chromium read another page than `Page` did."""
        leaves, elements = page.leaves, page.elements
        raw = [False] * len(elements)
        for index in range(1, len(elements)):
            raw[index] = raw[elements.parent[index]] or elements.tag[index] in RAW
        texts = [page.text[start:end] for start, end in zip(leaves.start, leaves.end, strict=True)]
        # In `pre`, white space is a leaf of its own.
        shown = [leaf for leaf, text in enumerate(texts) if not raw[leaves.element[leaf]] and text.strip()]
        if not np.array_equal(np.array([digest(texts[leaf]) for leaf in shown], np.uint32), self.digests):
            return None
        return np.array(shown, np.int32)[self.node] if len(self.node) else self.node

    def png(self) -> bytes:
        """Return the picture as a file."""
        return _encoded(self.picture).tobytes()

    def to_bytes(self) -> bytes:
        """Return the layout as it is stored."""
        file = io.BytesIO()
        packed = _encoded(self.picture)
        np.savez_compressed(
            file, format=np.array(FORMAT), picture=packed, digests=self.digests, node=self.node, box=self.box
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` wrote; raises ValueError for anything else."""
        import cv2  # noqa: PLC0415  (as above)

        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                if int(file["format"]) != FORMAT:
                    raise ValueError("another format")
                picture = cv2.imdecode(file["picture"], cv2.IMREAD_GRAYSCALE)
                if picture is None:
                    raise ValueError("no picture")
                return cls(np.asarray(picture, np.uint8), file["digests"], file["node"], file["box"])
        except (KeyError, OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
            raise ValueError(str(error)) from error


def digest(text: str) -> int:
    """Return a number for a text that is the same whatever its white space."""
    return zlib.crc32(" ".join(text.split()).encode("utf-8", "replace"))


def _text_nodes(nodes: dict[str, Any], strings: list[str]) -> tuple[dict[int, int], list[str]]:
    """Return the index of its text for each text node that the page shows, by the node's own index, and the texts.

    Chromium cuts a long text into several nodes, which are one here.
    """
    parents, names = nodes["parentIndex"], [strings[name].lower() for name in nodes["nodeName"]]
    roots = nodes["shadowRootType"]
    # Shadow roots of the browser's own controls are no part of the page, unlike those that the page itself has.
    kinds = zip(roots["index"], roots["value"], strict=True)
    added = {*nodes["pseudoType"]["index"], *(index for index, kind in kinds if strings[kind] == "user-agent")}
    unseen = [False] * len(parents)
    for index, parent in enumerate(parents):
        unseen[index] = names[index] in UNSEEN or index in added or (parent >= 0 and unseen[parent])
    shown = [index for index, kind in enumerate(nodes["nodeType"]) if kind == TEXT_NODE and not unseen[index]]
    text_indices, texts = dict[int, int](), list[str]()
    for before, index in pairwise([-2, *shown]):
        text = strings[nodes["nodeValue"][index]]
        if index == before + 1 and parents[index] == parents[before] and before in text_indices:
            texts[-1] += text
            text_indices[index] = text_indices[before]
        elif text.strip():
            text_indices[index] = len(texts)
            texts.append(text)
    return text_indices, texts


def _encoded(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import cv2  # noqa: PLC0415  (large, and not in every install)

    is_encoded, data = cv2.imencode(".png", picture)
    assert is_encoded
    return np.asarray(data, np.uint8)
