"""A corpus from a crawl with planted faults, checked to the last record.

    python -m benchmarks.planted_corpus CRAWL FOLDER       of `benchmarks.planted_crawl`

Prints the CPU time per record, the largest memory of a worker, what was rejected with which code beside what was
planted, and recall and precision of the near duplicates, by the exact Jaccard similarities of all pairs.
"""

import json
import resource
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from scipy import sparse

from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.build import build
from dehusk.corpus.columns import read_rows
from dehusk.corpus.settings import Guards, Settings
from dehusk.corpus.shingles import shingles
from dehusk.reasons import Code
from testing.planted_steps import perform

NEAR = (Code.EXACT_DUPLICATE, Code.NEAR_DUPLICATE)


def main(
    crawl: Annotated[Path, Argument("CRAWL")],
    folder: Annotated[Path, Argument("FOLDER")],
    jobs: Annotated[int, Option(help="Worker processes")] = 1,
    pairs: Annotated[bool, Option("--pairs", help="Also compare all pairs of documents")] = False,
    resume: Annotated[bool, Option("--resume", help="Resume an interrupted run")] = False,
) -> None:
    """Build the corpus and check it."""
    settings = replace(Settings(), limits=Guards(seconds=20.0))
    began = time.perf_counter()
    files = sorted(map(str, crawl.glob("*.warc.gz")))
    manifest = build(files, folder, settings, jobs=jobs, worker=perform, resume=resume)
    wall = time.perf_counter() - began
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(each.ru_utime + each.ru_stime for each in usage)
    print(f"{manifest['records']:,} records, {1000 * seconds / manifest['records']:.2f} ms of CPU each, {wall:.0f} s")
    print(f"largest process {usage[1].ru_maxrss / 1000:,.0f} MB, this one {usage[0].ru_maxrss / 1000:,.0f} MB")
    check_account(manifest, json.loads((crawl / "planted.json").read_text()))
    if pairs:
        check_pairs(folder, settings.duplicates.words)


def check_account(manifest: dict[str, Any], planted: dict[str, Any]) -> None:
    """Print what was rejected beside what was planted, and stop if a record is missing."""
    accounted = manifest["kept"] + sum(manifest["rejected"].values())
    print(f"in {planted['records']:,} = kept {manifest['kept']:,} + rejected {accounted - manifest['kept']:,}")
    assert planted["records"] == manifest["records"] == accounted
    for code, count in sorted(manifest["rejected"].items()):
        print(f"  {code:16} {count:6,}   planted {planted['planted'].get(code, '')}")


def check_pairs(folder: Path, words: int) -> None:
    """Print recall and precision of the duplicates over pairs whose documents are in the same cluster."""
    columns = ["id", "reason_code", "cluster", "text"]
    rows = [row for path in sorted(folder.glob("data/*.parquet")) for row in read_rows(path, columns)]
    rows = [row for row in rows if row["reason_code"] in (None, *NEAR)]
    first, second, similarity = similar_pairs([row["text"] for row in rows], words, 0.5)
    clusters = np.array([row["cluster"] or row["id"] for row in rows])
    together = clusters[first] == clusters[second]
    true = similarity >= 0.8
    print(f"{true.sum():,} pairs of {len(rows):,} documents with a similarity of .8 and more")
    right, sizes = (similarity[together] >= 0.7).sum(), Counter(clusters.tolist()).values()
    found = sum(size * (size - 1) // 2 for size in sizes)  # also pairs that only others connect
    print(f"recall {together[true].mean():.4f}, precision {right / found:.4f} of {found:,} pairs in clusters")


def similar_pairs(texts: list[str], words: int, least: float) -> tuple[Any, ...]:
    """Return all pairs of texts with at least so much Jaccard similarity, by comparing each with each."""
    sets = [shingles(text, words) for text in texts]
    _, columns = np.unique(np.concatenate(sets), return_inverse=True)
    lengths = np.array([len(each) for each in sets])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    matrix = sparse.csr_matrix((np.ones(len(columns), np.int32), columns, offsets))
    # What only one document has tells nothing, and most shingles are such.
    matrix = matrix[:, np.asarray(matrix.sum(axis=0)).ravel() > 1].tocsr()
    found = []
    transposed = matrix.T.tocsr()
    for start in range(0, len(texts), 200):
        common = (matrix[start : start + 200] @ transposed).tocoo()
        left, right = common.row + start, common.col
        similarity = common.data / (lengths[left] + lengths[right] - common.data)
        kept = (left < right) & (similarity >= least)
        found.append((left[kept], right[kept], similarity[kept]))
    return tuple(np.concatenate(columns) for columns in zip(*found, strict=True))


if __name__ == "__main__":
    run(main)
