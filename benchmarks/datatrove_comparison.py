"""`dehusk corpus` beside a pipeline of datatrove on the same WARC files: account, CPU time, text, duplicates.

    python -m benchmarks.datatrove_comparison PYTHON       of an environment with datatrove; `make datatrove-comparison`

The pages are held-out ones with gold of DEHUSK_DATA, some of them copied, and copied with small changes.
"""

import json
import os
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from benchmarks.corpus_cost import OURS
from benchmarks.planted_corpus import NEAR, similar_pairs
from benchmarks.planted_crawl import Plan, write_crawl
from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.columns import read_rows
from dehusk.evaluation.metrics import bag_of_words
from dehusk.gold.corpora import open_corpus

PIPELINE: Final = Path(__file__).with_name("datatrove_pipeline.py")
CORPORA: Final = ("wcxb-dev", "cleaneval", "googletrends2017", "l3s-gn1")


class Texts(NamedTuple):
    """What a system made of a crawl: address, text and cluster of each document that it compared with others."""

    texts: dict[str, str]
    compared: list[tuple[str, str, str]]


def gold_pages(count: int) -> list[tuple[str, str]]:
    """Return held-out pages, each with its gold, as many from each corpus."""
    found = []
    for name in CORPORA:
        pages = open_corpus(name).pages("heldout", sample=count // len(CORPORA))
        found += [(_decoded(page.html), page.gold) for page in pages if page.gold]
    return found


def _decoded(html: str | bytes) -> str:
    return html if isinstance(html, str) else html.decode("utf-8", "replace")


def cpu_seconds(command: Sequence[str]) -> float:
    """Return the CPU time of a command and all its processes."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def cut_end(path: Path) -> bool:
    """Remove the last record of a file if it ends too early, which ends a run of datatrove; return whether it did."""
    data = path.read_bytes()
    place = data.rfind(b"\x1f\x8b\x08\x00")
    member = zlib.decompressobj(31)
    member.decompress(data[place:])
    if not member.eof:
        path.write_bytes(data[:place])
    return not member.eof


def of_datatrove(folder: Path) -> Texts:
    """Return the documents of datatrove."""
    rows = [json.loads(line) for name in ("kept", "removed") for path in sorted((folder / name).glob("*"))
            for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    return Texts(
        {row["metadata"]["url"]: row["text"] for row in rows},
        [(row["metadata"]["url"], row["text"], _cluster(row)) for row in rows],
    )


def _cluster(row: dict[str, Any]) -> str:
    cluster = row["metadata"].get("minhash_cluster_id", -1)
    return row["metadata"]["url"] if cluster in (-1, None) else str(cluster)


def of_dehusk(folder: Path) -> Texts:
    """Return the documents of dehusk; of those that were rejected for their quality, only the text."""
    columns = ("id", "url", "text", "cluster", "rejected")
    rows = [row for path in sorted(folder.glob("*.parquet")) for row in read_rows(path, columns)]
    return Texts(
        {row["url"]: row["text"] or "" for row in rows},
        [(row["url"], row["text"], row["cluster"] or row["id"]) for row in rows
         if not row["rejected"] or row["rejected"] in NEAR],
    )  # fmt: skip


def print_texts(name: str, found: Texts, pages: Sequence[tuple[str, str]]) -> None:
    """Print the F1 on pages with gold, where a page that is missing counts 0, and how well duplicates were found."""
    scores = [
        bag_of_words(found.texts.get(f"https://site-{number % 997}.example/{number}", ""), gold).prf.f1
        for number, (_, gold) in enumerate(pages)
    ]
    print(f"{name}: F1 {mean(scores):.4f} on {len(scores):,} pages")
    first, second, similarity = similar_pairs([text for _, text, _ in found.compared], 5, 0.5)
    clusters = np.array([cluster for _, _, cluster in found.compared])
    together, true = clusters[first] == clusters[second], similarity >= 0.8
    pairs = sum(size * (size - 1) // 2 for size in Counter(clusters.tolist()).values())
    right = int((similarity[together] >= 0.7).sum())
    print(
        f"{name}: {true.sum():,} pairs of {len(clusters):,} documents are similar, {together[true].sum():,} found"
        f" (recall {together[true].mean():.4f}); {right:,} of {pairs:,} pairs in clusters are right"
        f" (precision {right / max(pairs, 1):.4f})"
    )


def main(
    python: Annotated[str, Argument("PYTHON")],
    pages: Annotated[int, Option(help="Pages with gold")] = 1200,
) -> None:
    """Run both on a crawl without damage, and on one with damaged records."""
    gold = gold_pages(pages)
    html = [page for page, _ in gold]
    exact, near, others = len(html) // 12, len(html) // 4, 50
    # Two records are neither: one that is cut off, and a large one, which is left out.
    records = len(html) + exact + near + 3 * others + 2
    sound = Plan(records, exact, near, damaged=0, others=others, large=0, faults=False)
    damaged = Plan(records, exact, near, damaged=5, others=others, large=0, faults=False)
    with tempfile.TemporaryDirectory() as work:
        for name, plan in (("sound", sound), ("damaged", damaged)):
            folder = Path(work, name)
            crawl = write_crawl(folder / "crawl", html, plan)
            files = sorted((folder / "crawl").glob("*.warc.gz"))
            if name == "sound":
                crawl.records -= sum(map(cut_end, files))
            print(f"\n{name}: {crawl.records:,} records", flush=True)
            theirs = cpu_seconds([python, "-W", "ignore", str(PIPELINE), str(folder / "crawl"), str(folder / "theirs")])
            account = json.loads((folder / "theirs/account.json").read_text(encoding="utf-8"))
            print(f"datatrove: {theirs:.1f} s of CPU, {account}", flush=True)
            ours = cpu_seconds([sys.executable, "-W", "ignore", "-c", OURS, str(folder / "ours"), *map(str, files)])
            manifest = json.loads((folder / "ours/manifest.json").read_text(encoding="utf-8"))
            print(
                f"dehusk: {ours:.1f} s of CPU, {manifest['kept']:,} kept, rejected {manifest['rejected']}", flush=True
            )
            if name == "sound" and not account.get("failed"):
                print_texts("datatrove", of_datatrove(folder / "theirs"), gold)
                print_texts("dehusk", of_dehusk(folder / "ours"), gold)


if __name__ == "__main__":
    run(main)
