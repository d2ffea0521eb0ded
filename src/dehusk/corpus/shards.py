"""Shards: the files of a corpus, each made from a few parts, complete or not there."""

from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.corpus.columns import read_stage, with_columns
from dehusk.corpus.duplicates.keys import PART_BITS
from dehusk.corpus.files import PartFiles, whole
from dehusk.corpus.settings import Settings
from dehusk.corpus.tasks import DUPLICATES, Shard
from dehusk.corpus.writers import writer

EXACT, NEAR, EARLIER = "exact duplicate", "near duplicate", "earlier duplicate"


def write_shard(shard: Shard, settings: Settings, work: Path) -> dict[str, Any]:
    """Write a shard and return its entry in the manifest: file, rows, reasons, bytes and checksum."""
    path = shard.path(settings)
    duplicates = np.load(work / DUPLICATES, mmap_mode="r")  # of a large corpus, more than fits into memory
    counts: Counter[str] = Counter()
    rows = 0
    with whole(path) as part:
        file = writer(settings.output.format)(part)
        for number in shard.parts:
            first = 0
            for batch in read_stage(PartFiles(work, number).rows):
                marked = _marked(batch, number, first, duplicates)
                first += batch.num_rows
                counts.update(reason or "kept" for reason in marked.column("rejected").to_pylist())
                if settings.output.drop:
                    marked = marked.filter(marked.column("rejected").is_null())
                rows += marked.num_rows
                file.write(marked)
        file.close()
    return {"file": path.name, "rows": rows, "counts": dict(sorted(counts.items())), **_checked(path)}


def _marked(batch: Any, part: int, first: int, duplicates: Any) -> Any:
    """Return a batch with what is known of the duplicates in it."""
    base = part << PART_BITS | first
    begin, end = np.searchsorted(duplicates["document"], np.array([base, base + batch.num_rows], np.uint64)).tolist()
    if begin == end:
        return batch
    names = ("rejected", "detail", "cluster", "duplicate_of", "similarity")
    columns = {name: batch.column(name).to_pylist() for name in names}
    for found in duplicates[begin:end]:
        row = int(found["document"]) - base
        columns["cluster"][row] = found["cluster"].decode()
        if not found["is_kept"]:
            columns["duplicate_of"][row] = found["kept"].decode()
            columns["similarity"][row] = float(found["similarity"])
            columns["rejected"][row] = EARLIER if found["earlier"] else EXACT if found["exact"] else NEAR
            columns["detail"][row] = f"of {found['kept'].decode()}"
    return with_columns(batch, columns)


def _checked(path: Path) -> dict[str, Any]:
    digest = sha256()
    with path.open("rb") as file:
        while data := file.read(2**20):
            digest.update(data)
    return {"bytes": path.stat().st_size, "sha256": digest.hexdigest()}
