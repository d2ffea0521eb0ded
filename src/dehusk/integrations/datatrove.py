"""An extractor for pipelines of datatrove, in place of its `Trafilatura`.

datatrove starts one child process per task for the pages, and kills it if a page takes too long. Here `run` is another
one: pages go through our own worker processes, which also limit memory, and several can work for one task.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.utils.typeshelper import StatHints

from dehusk.extractor import Extractor, Result
from dehusk.page import Source
from dehusk.reasons import Code

# What datatrove counts pages that failed as, where it has a name for it.
LABELS = {
    Code.TOO_SLOW: "timeout", Code.WORKER_DIED: "broken_process", Code.OUT_OF_MEMORY: "broken_process"
}  # fmt: skip


class DehuskExtractor(BaseExtractor):  # type: ignore[misc]  # datatrove has no types
    """Turns the HTML in documents into main text; those without any are dropped and counted."""

    name = "🌽 dehusk"

    def __init__(self, extractor: Extractor | None = None, *, format: str = "text", jobs: int = 1) -> None:
        """Take an extractor with its method, threshold and limits, and the processes that work for one task."""
        self.extractor = extractor or Extractor()
        super().__init__(timeout=self.extractor.limits.seconds)
        self.format, self.jobs = format, jobs

    def extract(self, text: str) -> str:
        """Return the main text of one page, in this process; `run` does not use it."""
        return self.extractor.extract(text).text

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Yield the documents of which there is main text, in order."""
        waiting: deque[Any] = deque()

        def sources() -> Iterator[Source]:
            for document in data or ():
                waiting.append(document)
                yield Source(document.text, document.metadata.get("url"))

        for result in self._timed(self.extractor.extract_many(sources(), format=self.format, jobs=self.jobs)):
            document = waiting.popleft()
            self.stat_update(StatHints.total)
            if result.failed:
                self.stat_update(LABELS.get(result.reason.code, "clean_error") if result.reason else "clean_error")
                continue
            self.stat_update("extracted")
            if not result.output:
                self.stat_update(StatHints.dropped)
                continue
            document.text = result.output
            self.stat_update(StatHints.forwarded)
            self.update_doc_stats(document)
            yield document

    def _timed(self, results: Iterator[Result]) -> Iterator[Result]:
        """Yield the results, and add the time that each takes to the statistics."""
        while True:
            with self.track_time():
                result = next(results, None)
            if result is None:
                return
            yield result
