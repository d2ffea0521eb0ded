"""The pipeline of datatrove that `benchmarks.datatrove_comparison` measures; it runs in an environment of its own.

    PYTHON benchmarks/datatrove_pipeline.py CRAWL FOLDER       WARC files → texts with the clusters of MinHash

datatrove's own parts with their defaults, but for the time that a page may take: 1 s is too short on a busy machine.
"""

import json
import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers.jsonl import JsonlWriter

BUCKETS = 14


def main(crawl: str, folder: str) -> None:
    """Extract, find duplicates, and write the account of the first step."""
    files = len(list(Path(crawl).glob("*.warc.gz")))
    extraction = LocalPipelineExecutor(
        [
            WarcReader(crawl, glob_pattern="*.warc.gz"),
            Trafilatura(timeout=30),
            JsonlWriter(f"{folder}/texts", compression=None),
            MinhashDedupSignature(f"{folder}/signatures"),
        ],
        tasks=files,
        workers=1,  # else a server starts the tasks, and their CPU time is not counted
        logging_dir=f"{folder}/logs/1",
        skip_completed=False,
    )
    account = {"failed": ""}
    try:
        stats = extraction.run()
        account = {f"{step.name}: {name}": metric.total for step in stats.stats for name, metric in step.stats.items()}
    except Exception as error:
        # A file that cannot be read ends the run; what the tasks before it did stays.
        account["failed"] = f"{type(error).__name__}: {error}"
    Path(folder, "account.json").write_text(json.dumps(account), encoding="utf-8")
    if account.get("failed"):
        return
    buckets, clusters = f"{folder}/buckets", f"{folder}/clusters"
    for number, (steps, tasks) in enumerate(
        (
            ([MinhashDedupBuckets(f"{folder}/signatures", buckets)], BUCKETS),
            ([MinhashDedupCluster(buckets, clusters, save_cluster_id=True)], 1),
            (
                [
                    JsonlReader(f"{folder}/texts"),
                    MinhashDedupFilter(
                        clusters,
                        exclusion_writer=JsonlWriter(f"{folder}/removed", compression=None),
                        load_cluster_ids=True,
                    ),
                    JsonlWriter(f"{folder}/kept", compression=None),
                ],
                files,
            ),
        ),
        2,
    ):
        LocalPipelineExecutor(steps, tasks=tasks, workers=1, logging_dir=f"{folder}/logs/{number}").run()


if __name__ == "__main__":
    main(*sys.argv[1:])
