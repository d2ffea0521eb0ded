"""Layouts on disk, by the content of their page: a page is rendered once, and whoever has the page finds its layout.

So a page can be rendered in one process and scored in another, under limits within which no browser would start.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dehusk.reasons import Reason
from dehusk.rendering.layout import FORMAT, Layout
from dehusk.rendering.renderer import Renderer
from dehusk.rendering.tasks import Photograph
from dehusk.user_cache import user_cache
from dehusk.whole_files import write_atomically

USUAL_BYTES: Final = 2_000_000_000
LOOK: Final = 200  # layouts stored between two looks at how much there is


@dataclass(slots=True)
class Cache:
    """A folder of layouts. The oldest are removed when there are more than `most` bytes; None for no limit."""

    folder: Path
    most: int | None = None
    _stored: int = 0

    @classmethod
    def usual(cls) -> "Cache":
        """Return the cache that commands use."""
        return cls(user_cache() / f"layouts-{FORMAT}", USUAL_BYTES)

    def load(self, html: str, folder: str | None = None) -> Layout | None:
        """Return the layout of a page; None if it was not rendered, or could not be."""
        path = self._path(html, folder)
        try:
            return Layout.from_bytes(path.read_bytes())
        except (OSError, ValueError):  # missing, cut off, or the mark of a page that failed
            return None

    def has(self, task: Photograph) -> bool:
        """Return whether a page was rendered, or failed before."""
        return self._path(task.html, task.folder).exists()

    def store(self, task: Photograph, layout: Layout | None) -> None:
        """Keep a layout; None marks a page that cannot be rendered, so that nobody tries again."""
        path = self._path(task.html, task.folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_atomically(path) as part:
            part.write_bytes(layout.to_bytes() if layout else b"")
        self._stored += 1
        if self.most is not None and self._stored % LOOK == 1:
            self._shrink(self.most)

    def _path(self, html: str, folder: str | None) -> Path:
        name = hashlib.sha256(html.encode("utf-8", "surrogatepass") + (f"\0{folder}" if folder else "").encode())
        return self.folder / name.hexdigest()[:2] / f"{name.hexdigest()}.npz"

    def _shrink(self, most: int) -> None:
        known = []
        for path in self.folder.glob("*/*"):
            with suppress(OSError):  # removed meanwhile
                status = path.stat()
                known.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in known)
        for _, size, path in sorted(known):
            if total <= most:
                break
            path.unlink(missing_ok=True)
            total -= size


def photograph_all(tasks: Iterable[Photograph], renderer: Renderer, cache: Cache) -> Iterator[Reason | None]:
    """Render what the cache does not have; yield for each page None, or why it could not be rendered.

    Stopped at any time, it goes on where it was: what was rendered is in the cache.
    """
    for task in tasks:
        if cache.has(task):
            yield None
            continue
        layout = renderer.photograph(task)
        cache.store(task, None if isinstance(layout, Reason) else layout)
        yield layout if isinstance(layout, Reason) else None
