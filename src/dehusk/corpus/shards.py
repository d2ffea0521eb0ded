"""Shards: the files of a corpus, each made from a few parts, complete or not there."""

from collections import Counter
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.corpus.columns import read_stage, with_columns
from dehusk.corpus.duplicates.keys import PART_BITS
from dehusk.corpus.files import DATA, PartFiles, write_atomically
from dehusk.corpus.settings import Settings
from dehusk.corpus.tasks import DUPLICATES, KEPT, Shard
from dehusk.corpus.writers import writer
from dehusk.reasons import Code, Reason, reason_fields


def write_shard(shard: Shard, settings: Settings, work: Path) -> dict[str, Any]:
    """Write a shard and return its entry in the manifest: file, rows, reasons, bytes and checksum."""
    path = shard.path(settings)
    duplicates = np.load(work / DUPLICATES, mmap_mode="r")  # of a large corpus, more than fits into memory
    counts: Counter[str] = Counter()
    rows = 0
    path.parent.mkdir(exist_ok=True)
    with write_atomically(path) as part:
        file = writer(settings.output.format)(part)
        for part_number in shard.parts:
            first = 0
            for batch in read_stage(PartFiles(work, part_number).rows):
                marked = _marked(batch, part_number, first, duplicates)
                first += batch.num_rows
                counts.update(code or KEPT for code in marked.column("reason_code").to_pylist())
                if settings.output.drop:
                    marked = marked.filter(marked.column("reason_code").is_null())
                rows += marked.num_rows
                file.write(marked)
        file.close()
    with path.open("rb") as shard_file:
        checksum = file_digest(shard_file, "sha256").hexdigest()
    return {
        "file": f"{DATA}/{path.name}",
        "rows": rows,
        "counts": dict(sorted(counts.items())),
        "bytes": path.stat().st_size,
        "sha256": checksum,
    }


def _marked(batch: Any, part: int, first: int, duplicates: Any) -> Any:
    """Return a batch with what is known of the duplicates in it."""
    base = part << PART_BITS | first
    begin, end = np.searchsorted(duplicates["document"], np.array([base, base + batch.num_rows], np.uint64)).tolist()
    if begin == end:
        return batch
    names = ("reason_code", "reason", "cluster", "duplicate_of", "similarity")
    columns = {name: batch.column(name).to_pylist() for name in names}
    for entry in duplicates[begin:end]:
        row = int(entry["document"]) - base
        columns["cluster"][row] = entry["cluster"].decode()
        if not entry["is_kept"]:
            original = entry["kept"].decode()
            columns["duplicate_of"][row] = original
            columns["similarity"][row] = float(entry["similarity"])
            code = Code.EXACT_DUPLICATE if entry["exact"] else Code.NEAR_DUPLICATE
            reason = Reason(Code.EARLIER_DUPLICATE if entry["earlier"] else code, original)
            for name, value in reason_fields(reason).items():
                columns[name][row] = value
    return with_columns(batch, columns)
