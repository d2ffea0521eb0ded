"""Runs: each method's results on WebKB and in the search, kept in files of the work folder."""

import json
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from research import Progress
from research.cache import file_name, write_atomically
from research.downstream.classification import CLASSIFIERS, Classified, Strings, classify
from research.downstream.queries import KnownItem, known_items
from research.downstream.search import Searched, search
from research.downstream.texts import SEARCHED, Cleaned, cleaned, webkb_rows

__all__ = ["CLASSIFIERS", "Cost", "Runs"]


@dataclass(frozen=True, slots=True)
class Cost:
    """How much text a method leaves, and how long it takes."""

    characters: int
    empty: int  # pages of which nothing is left
    pages: int
    seconds: float


@dataclass(frozen=True)
class Runs:
    """The results of all methods."""

    work: Path
    progress: Progress

    @cached_property
    def labels(self) -> tuple[Strings, Strings]:
        """The classes and the schools of WebKB's pages."""
        rows = [(row["class"], row["school"]) for row in webkb_rows()]
        return np.array([kind for kind, _ in rows]), np.array([school for _, school in rows])

    @cached_property
    def items(self) -> list[KnownItem]:
        """The queries; reading all pages for them takes a minute, so that they are kept, too."""
        path = self.work / "queries.json"
        if not path.exists():
            self.progress("queries")
            items = known_items(SEARCHED)
            data = json.dumps([astuple(item) for item in items]).encode()
            write_atomically(path, lambda file: file.write(data))
        return [KnownItem(*row) for row in json.loads(path.read_bytes())]

    def kinds(self) -> NDArray[np.str_]:
        """Return the kind of each query."""
        return np.array([item.kind for item in self.items])

    def classified(self, method: str, classifier: str) -> Classified:
        """Return the classes that a classifier gives to WebKB's pages as a method leaves them."""

        def compute() -> dict[str, Any]:
            classified = classify(self._texts("webkb", method), *self.labels, classifier)
            return {"gold": classified.gold.tolist(), "predicted": classified.predicted.tolist()}

        result = self._kept(f"class-{classifier}", method, compute)
        return Classified(np.array(result["gold"]), np.array(result["predicted"]))

    def searched(self, method: str) -> Searched:
        """Return what the engine finds in the texts of a method."""

        def compute() -> dict[str, Any]:
            texts = [text for name in SEARCHED for text in self._texts(name, method)]
            result = search(texts, [item.text for item in self.items], [item.page for item in self.items])
            costs = {"bytes": result.index_bytes, "index": result.index_seconds, "search": result.search_seconds}
            return {**costs, "bm25": result.bm25.tolist(), "likelihood": result.likelihood.tolist()}

        result = self._kept("search", method, compute)
        ranks = (np.array(result[name]) for name in ("bm25", "likelihood"))
        return Searched(result["bytes"], result["index"], result["search"], *ranks)

    def cost(self, method: str) -> Cost:
        """Return what a method leaves of all pages."""

        def compute() -> dict[str, Any]:
            cleaned = [self._cleaned(name, method) for name in SEARCHED]
            texts = [text for each in cleaned for text in each.texts]
            empty, seconds = sum(not text.strip() for text in texts), sum(each.seconds for each in cleaned)
            return {"characters": sum(map(len, texts)), "empty": empty, "pages": len(texts), "seconds": seconds}

        return Cost(**self._kept("cost", method, compute))

    def _texts(self, collection: str, method: str) -> Sequence[str]:
        return self._cleaned(collection, method).texts

    def _cleaned(self, collection: str, method: str) -> Cleaned:
        return cleaned(collection, method, self.work, self.progress)

    def _kept(self, name: str, method: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a result from its file, which is written first if it is missing."""
        path = self.work / file_name(name, method, "json")
        if not path.exists():
            self.progress(f"{name}, {method}")
            data = json.dumps(compute()).encode()
            write_atomically(path, lambda file: file.write(data))
        result: dict[str, Any] = json.loads(path.read_bytes())
        return result
