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
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Annotated, Final, NamedTuple

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
    """What a system made of a crawl: the text at each address; those that were compared, and which it removed."""

    texts: dict[str, str]
    compared: list[str]
    removed: list[bool]


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
    rows = [(json.loads(line), name == "removed") for name in ("kept", "removed")
            for path in sorted((folder / name).glob("*"))
            for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    return Texts(
        {row["metadata"]["url"]: row["text"] for row, _ in rows},
        [row["text"] for row, _ in rows],
        [removed for _, removed in rows],
    )


def of_dehusk(folder: Path) -> Texts:
    """Return the documents of dehusk; of those that were rejected for their quality, only the text."""
    columns = ("url", "text", "reason_code")
    rows = [row for path in sorted(folder.glob("data/*.parquet")) for row in read_rows(path, columns)]
    compared = [row for row in rows if row["reason_code"] in (None, *NEAR)]
    return Texts(
        {row["url"]: row["text"] or "" for row in rows},
        [row["text"] for row in compared],
        [row["reason_code"] is not None for row in compared],
    )


def scores(found: Texts, pages: Sequence[tuple[str, str]], among: Iterable[str]) -> list[float]:
    """Return the F1 of each page with gold whose address is among these; one that is missing has 0."""
    addresses = {f"https://site-{number % 997}.example/{number}": gold for number, (_, gold) in enumerate(pages)}
    wanted = set(among)
    return [bag_of_words(found.texts.get(url, ""), gold).prf.f1 for url, gold in addresses.items() if url in wanted]


def print_duplicates(name: str, found: Texts) -> None:
    """Print of how many similar pairs one document was removed, and how many were removed for no similar one."""
    first, second, similarity = similar_pairs(found.compared, 5, 0.5)
    removed = np.array(found.removed)
    true, alike = similarity >= 0.8, similarity >= 0.7
    caught = (removed[first] | removed[second])[true]
    justified = np.zeros(len(removed), np.bool_)
    justified[first[alike]] = justified[second[alike]] = True
    print(
        f"{name}: of {true.sum():,} similar pairs of {len(removed):,} documents, {caught.sum():,} have lost one"
        f" ({caught.mean():.4f}); of {removed.sum():,} removed documents, {(removed & justified).sum():,} had a twin"
    )


def compare(theirs: Texts, ours: Texts, pages: Sequence[tuple[str, str]]) -> None:
    """Print the figures of both side by side."""
    everywhere = [f"https://site-{number % 997}.example/{number}" for number in range(len(pages))]
    for name, found in (("datatrove", theirs), ("dehusk", ours)):
        all_pages, common = scores(found, pages, everywhere), scores(found, pages, theirs.texts)
        print(
            f"{name}: F1 {mean(all_pages):.4f} on {len(all_pages):,} pages, {mean(common):.4f} on {len(common):,}"
            " that datatrove read"
        )
        print_duplicates(name, found)


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
                compare(of_datatrove(folder / "theirs"), of_dehusk(folder / "ours"), gold)


if __name__ == "__main__":
    run(main)
