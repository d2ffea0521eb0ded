"""Work: what happens to one part in a worker process, from the bytes of its records to rows and signatures on disk."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.config import Limits
from dehusk.corpus import steps
from dehusk.corpus.case import Case
from dehusk.corpus.columns import StageWriter, do_without_pandas
from dehusk.corpus.duplicates.keys import DOCUMENT, EARLIER_LENGTH, write_signatures
from dehusk.corpus.earlier import kept_texts
from dehusk.corpus.files import PartFiles, write_atomically, write_json
from dehusk.corpus.marker import Marker, PartProgress
from dehusk.corpus.parts import EARLIER
from dehusk.corpus.reading import PartReader
from dehusk.corpus.settings import Settings
from dehusk.corpus.shards import write_shard
from dehusk.corpus.shingles import shingle_hashes, signature, word_hashes
from dehusk.corpus.steps.records import check_record
from dehusk.corpus.tasks import KEPT, PartTask, Shard
from dehusk.errors import InputError
from dehusk.reasons import Code, Reason, reason_fields
from dehusk.sources.kinds import KINDS, ReadOptions
from dehusk.sources.raw_page import RawPage
from dehusk.worker import limit_time

BATCH: Final = 256  # rows that are in memory together


def perform(state: tuple[Settings, str], task: PartTask | Shard) -> dict[str, Any]:
    """Run in a worker: process a part, or write a shard, and return what is to be counted."""
    settings, folder = state
    do_without_pandas()
    if isinstance(task, Shard):
        limit_time(0)  # the limit is one on documents
        return write_shard(task, settings, Path(folder))
    return _PartRun(settings, Path(folder), task).run()


@dataclass(slots=True)
class _PartRun:
    settings: Settings
    folder: Path
    task: PartTask
    counts: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)
    flushed: int = 0  # rows
    read: int = 0  # bytes
    documents: list[tuple[int, int, int, int, bytes]] = field(default_factory=list)
    signatures: list[Any] = field(default_factory=list)
    inputs: list[dict[str, Any]] = field(default_factory=list)  # what became of their bytes

    def run(self) -> dict[str, Any]:
        files = PartFiles(self.folder, self.task.part.number)
        marker = Marker(files.marker)
        with write_atomically(files.rows) as path:
            stage = StageWriter(path)
            if self.task.part.kind == EARLIER:
                self._read_earlier(stage)
            else:
                self._read_records(stage, marker)
            limit_time(0)
            self._flush(stage)
            stage.close()
        marker.close()
        duplicates = self.settings.duplicates
        signatures = np.array(self.signatures, np.uint32).reshape(-1, duplicates.hashes)
        write_signatures(files, np.array(self.documents, DOCUMENT), signatures, duplicates)
        summary = {
            "part": self.task.part.number,
            "exact": self.task.part.start if self.task.part.exact else None,
            "counts": dict(sorted(self.counts.items())),
            "rows": self.flushed,
            "bytes": self.read,
            "inputs": self.inputs,
        }
        write_json(files.summary, summary)
        files.marker.unlink(missing_ok=True)
        return summary

    def _read_records(self, stage: StageWriter, marker: Marker) -> None:
        for case in self._cases(marker):
            self._count(case)
            if marker.is_due:
                marker.note(PartProgress(dict(self.counts), self.read, self._share(case)))
            if len(self.rows) >= BATCH:
                self._flush(stage)

    def _share(self, case: Case) -> float:
        """Return how much of the part is done, by the offset of a record in its file; 0 if that says nothing."""
        part, record = self.task.part, case.page.record
        is_stretch = KINDS[part.kind].in_bytes and record is not None and part.bytes
        return min((record.offset - part.start) / part.bytes, 1.0) if is_stretch and record else 0.0

    def _read_earlier(self, stage: StageWriter) -> None:
        """Sign the documents of an earlier corpus; their texts are needed where signatures leave doubt."""
        limit_time(0)  # the limit is one on documents
        if self.task.given_up:
            raise InputError(str(self.task.given_up[0][1].reason))
        for row in kept_texts(self.task.part.locations[0]):
            self._sign(row, word_hashes(row["text"]), EARLIER_LENGTH)
            self.rows.append(row)
            if len(self.rows) >= BATCH:
                self._flush(stage)

    def _cases(self, marker: Marker) -> Iterator[Case]:
        """Yield the records of the part after they went through the chain."""
        given_up = dict(self.task.given_up)
        records = self.settings.records
        options = ReadOptions(Limits(bytes=records.max_bytes), archives=records.archives)
        reader = PartReader(self.task.part, options, marker.set_position)
        if self.task.lost:
            for page in reader.give_up(self.task.lost):
                yield _given_up(page, self.settings, self.task.lost)
        else:
            for step in count(0, 2):
                marker.set(step - 1)
                if step - 1 in given_up:
                    yield _given_up(reader.skip(*given_up[step - 1]), self.settings, given_up[step - 1].reason)
                    continue
                limit_time(self.settings.limits.seconds)
                record = reader.read()
                marker.set(step)
                if record is None:
                    break
                limit_time(self.settings.limits.seconds)
                is_given_up = step in given_up
                yield _given_up(record, self.settings, given_up[step].reason) if is_given_up else self._judged(record)
        self.inputs = reader.accounts()

    def _judged(self, page: RawPage) -> Case:
        """Return what the chain makes of a record; an error in it costs this record only."""
        try:
            return steps.run(Case(page), self.settings)
        except MemoryError:
            return _given_up(page, self.settings, Reason(Code.OUT_OF_MEMORY))
        except steps.StepError as error:
            return _given_up(page, self.settings, Reason(Code.FAILED, str(error)))

    def _count(self, case: Case) -> None:
        row = {**case.columns, **reason_fields(case.reason)}
        code = row["reason_code"]
        self.counts[code or KEPT] += 1
        self.read += len(case.page.data)
        # Requests and the like: half of the records of a crawl, and nothing to read in them.
        if code == Code.OTHER_KIND:
            return
        if not code:
            self._sign(row, case.words, len(row["text"]))
        self.rows.append(row)

    def _sign(self, row: dict[str, Any], words: Any, length: int) -> None:
        duplicates = self.settings.duplicates
        index = self.flushed + len(self.rows)
        digest = blake2b(row["text"].encode("utf-8", "surrogatepass"), digest_size=16).digest()
        high, low = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
        self.documents.append((index, length, high, low, row["id"].encode()))
        if duplicates.near:
            self.signatures.append(signature(shingle_hashes(words, duplicates.words), duplicates.hashes))

    def _flush(self, stage: StageWriter) -> None:
        if self.rows:
            limit_time(0)
            stage.write(self.rows)
            self.flushed += len(self.rows)
            self.rows.clear()


def _given_up(page: RawPage, settings: Settings, reason: Reason) -> Case:
    # Whatever else is wrong with it: of a record that could not be read, not even the kind is known.
    return replace(check_record(Case(page), settings), reason=reason)
