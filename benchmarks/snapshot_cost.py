"""What a corpus of a whole snapshot of Common Crawl would take, from what one of some WARC files takes.

python -m benchmarks.snapshot_cost FILE...        prints figures per document, and for 2.7 billion of them
python -m benchmarks.snapshot_cost                the same for 1,000 pages of DEHUSK_DATA
"""

import resource
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated, Final

import numpy as np

from benchmarks.planted_crawl import Plan, real_pages, write_crawl
from dehusk.cli.commands import Argument, run
from dehusk.corpus.columns import stage_texts
from dehusk.corpus.engines.base import CorpusJob
from dehusk.corpus.engines.local import LocalEngine
from dehusk.corpus.files import PartFiles
from dehusk.corpus.parts import plan
from dehusk.corpus.settings import Settings
from dehusk.corpus.tasks import Shard

PAGES: Final = 2.7e9
KINDS: Final = {
    ".arrow": "rows", ".documents.npy": "documents", ".digests.npy": "digests", ".signatures.npy": "signatures",
    ".keys.npy": "keys",
}  # fmt: skip


def cpu() -> float:
    """Return the CPU time of this process and of those that it has waited for."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


def measure(files: list[str], folder: Path) -> Counter[str]:
    """Return the CPU time and the bytes of each step, and the number of rows, kept documents and bytes of pages."""
    job = CorpusJob(Settings(), str(folder))
    job.work.mkdir(parents=True)
    parts = plan(files, job.settings.output.part_bytes)
    found: Counter[str] = Counter()
    began = cpu()
    with LocalEngine(job, 1, lambda event: None) as engine:
        for summary in engine.process(parts):
            found.update(
                {"rows": summary["rows"], "kept": summary["counts"].get("kept", 0), "page bytes": summary["bytes"]}
            )
    found["parts microseconds"] = round(1e6 * (cpu() - began))
    for path in job.work.iterdir():
        for suffix, name in KINDS.items():
            found[f"{name} bytes"] += path.stat().st_size * path.name.endswith(suffix)
    began = cpu()
    for part in parts:
        rows = np.load(PartFiles(job.work, part.number).documents)["row"][::50].tolist()
        found["texts"] += sum(1 for _ in stage_texts(PartFiles(job.work, part.number).rows, rows))
    found["texts microseconds"] = round(1e6 * (cpu() - began))
    engine = LocalEngine(job, 1, lambda event: None)
    engine.find_duplicates([part.number for part in parts])
    began = cpu()
    with engine:
        shard = Shard(0, tuple(part.number for part in parts), str(folder))
        found["shard bytes"] = sum(entry["bytes"] for _, entry in engine.write([shard]))
    found["shards microseconds"] = round(1e6 * (cpu() - began))
    return found


def main(files: Annotated[list[str] | None, Argument("FILE")] = None) -> None:
    """Measure some files and extrapolate."""
    with tempfile.TemporaryDirectory() as work:
        if not files:
            pages = real_pages()[:1000]
            quiet = Plan(1000 + 2, 0, 0, damaged=0, others=0, large=0, faults=False)
            write_crawl(Path(work, "crawl"), pages, quiet)
            files = sorted(map(str, Path(work, "crawl").glob("*.warc.gz")))
        found = measure(files, Path(work, "corpus"))
    rows, kept = found["rows"], found["kept"]
    print(f"{rows:,} rows, {kept:,} compared with others, {found['page bytes'] / rows / 1000:.0f} KB of HTML per page")
    for name in ("parts", "shards"):
        each = found[f"{name} microseconds"] / rows
        print(f"{name:12} {each / 1000:8.2f} ms of CPU per page    {each * PAGES / 3.6e9:12,.0f} core-hours")
    print(
        f"{'texts':12} {found['texts microseconds'] / found['texts'] / 1000:8.2f} ms of CPU per text that is compared"
    )
    for name in ("rows", "shard"):
        each = found[f"{name} bytes"] / rows
        print(f"{name:12} {each:8,.0f} bytes per page          {each * PAGES / 1e12:12.2f} TB")
    for name in ("documents", "digests", "signatures", "keys"):
        each = found[f"{name} bytes"] / max(kept, 1)
        print(f"{name:12} {each:8,.0f} bytes per document      {each * PAGES / 1e12:12.2f} TB")


if __name__ == "__main__":
    run(main)
