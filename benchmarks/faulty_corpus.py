"""A corpus of the faulty crawl, held against what is in it: `python -m benchmarks.faulty_corpus CRAWL FOLDER`.

The corpus is built by the command, at parts of 100 KB, 1 MB and 16 MB, and of the files without faults alone. Every
readable page must be there once and whole, nothing else may be, nothing may be lost without a word, the bytes of every
input must add up, and all three corpora must be the same. Prints one line per problem; the status is 1 if there is any.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from benchmarks.faulty_crawl import FileTruth, digest, read_truth
from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.columns import read_rows
from dehusk.reasons import Code

PART_BYTES: Final = (100_000, 1_000_000, 16_000_000)
# What a record is rejected with that could not be read as it should.
TROUBLE: Final = frozenset(
    {Code.DAMAGED, Code.TRUNCATED, Code.WRONG_LENGTH, Code.INVALID_RECORD, Code.UNREADABLE, Code.FAILED, Code.TOO_SLOW,
     Code.OUT_OF_MEMORY, Code.WORKER_DIED, Code.TASK_DIED}
)  # fmt: skip
COLUMNS: Final = (
    "id",
    "url",
    "file",
    "offset",
    "record_id",
    "digest",
    "bytes",
    "reason_code",
    "page_text",
    "note_code",
)
ACCOUNTED: Final = ("record_bytes", "padding", "gap_bytes")
Row = dict[str, Any]


def build_corpus(files: Sequence[Path], folder: Path, part_bytes: int, jobs: int) -> tuple[int, str]:
    """Build a corpus by the command; return its status and what it said."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    settings = folder.parent / f"{folder.name}.toml"
    settings.write_text(f"[output]\npart_bytes = {part_bytes}\n", encoding="utf-8")
    command = [sys.executable, "-m", "dehusk", "corpus", *map(str, files), "--output", str(folder)]
    done = subprocess.run(
        [*command, "--config", str(settings), "--jobs", str(jobs)], capture_output=True, text=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def rows_of(folder: Path, columns: Sequence[str] = COLUMNS) -> list[Row]:
    """Return the rows of a corpus in their order."""
    return [dict(row) for path in sorted(folder.rglob("shard-*.parquet")) for row in read_rows(path, list(columns))]


def file_problems(truth: FileTruth, rows: Sequence[Row], gaps: int) -> Iterator[str]:
    """Yield what is wrong with the rows of a file; `gaps` is how many stretches of it were reported as lost."""
    trouble = [row for row in rows if row["reason_code"] in TROUBLE]
    sound = [row for row in rows if row["reason_code"] not in TROUBLE]
    by_url = {row["url"]: row for row in (*trouble, *sound) if row["url"]}
    yield from page_problems(truth, by_url)
    times = Counter(row["url"] for row in sound if row["url"])
    yield from (f"{count} times: {url[:60]}" for url, count in times.items() if count > 1)
    known = {*truth.readable, *truth.salvaged, *truth.damaged}
    for url, row in by_url.items():
        if url not in known and row["reason_code"] not in (*TROUBLE, Code.OTHER_TYPE, Code.OTHER_KIND):
            yield f"ghost: {url[:60]}"
    missing = [url for url in truth.damaged if url not in by_url]
    if missing and not trouble and not gaps:
        yield f"lost without a word: {len(missing)} damaged, such as {missing[0][:60]}"
    if truth.is_sound and (trouble or gaps):
        yield f"nothing is wrong, but {Counter(row['reason_code'] for row in trouble)} and {gaps} gaps are reported"


def page_problems(truth: FileTruth, by_url: dict[str, Row]) -> Iterator[str]:
    """Yield the pages that should be there and are not, or not whole."""
    for url, expected in truth.readable.items():
        text = by_url[url]["page_text"] or "" if url in by_url else ""
        if url not in by_url:
            yield f"lost: {url[:60]}"
        elif digest(text) != expected:
            yield f"changed: {url[:60]}: {by_url[url]['reason_code']}, {len(text)} characters"
    for url in truth.salvaged:
        if url not in by_url or not by_url[url]["page_text"]:
            yield f"not salvaged: {url[:60]}: {by_url[url]['reason_code'] if url in by_url else 'lost'}"


def account_problems(manifest: dict[str, Any], files: Sequence[Path]) -> Iterator[str]:
    """Yield where the account of a corpus does not add up."""
    if manifest["records"] != manifest["kept"] + sum(manifest["rejected"].values()):
        yield "records are not kept + rejected"
    inputs = {Path(each["location"]).name: each for each in manifest["inputs"]}
    for file in files:
        if not (account := inputs.get(file.name)):
            yield f"{file.name}: not among the inputs of the manifest"
            continue
        if account["bytes"] != file.stat().st_size:
            yield f"{file.name}: {account['bytes']} bytes in the manifest, {file.stat().st_size} on the disk"
        if not account["lost"] and account["bytes"] != sum(account[name] for name in ACCOUNTED):
            yield f"{file.name}: the bytes do not add up: { {name: account[name] for name in ('bytes', *ACCOUNTED)} }"
    if sum(each["records"] for each in inputs.values()) != manifest["records"]:
        yield "the records of all inputs are not those of the corpus"


def gaps_by_file(manifest: dict[str, Any]) -> dict[str, int]:
    """Return how many stretches of each input were reported as lost."""
    return {Path(each["location"]).name: each["gap_count"] + bool(each["lost"]) for each in manifest["inputs"]}


def corpus_problems(crawl: Path, folder: Path, truths: dict[str, FileTruth]) -> Iterator[str]:
    """Yield everything that is wrong with a corpus of those files."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    yield from account_problems(manifest, [crawl / name for name in truths])
    by_file: dict[str, list[Row]] = defaultdict(list)
    for row in rows_of(folder):
        by_file[_input_name(row["file"], truths)].append(row)
    gaps = gaps_by_file(manifest)
    for name, truth in truths.items():
        for problem in file_problems(truth, by_file[name], gaps.get(name, 0)):
            yield f"{name}: {problem}"


def _input_name(file: str, truths: Iterable[str]) -> str:
    """Return the input that a row comes from: of what an index names or a zip file holds, that one."""
    names = [name for name in truths if name in file]
    return max(names, key=len) if names else Path(file).name


def differences(one: Path, other: Path) -> Iterator[str]:
    """Yield how two corpora differ that should be the same."""
    first, second = rows_of(one), rows_of(other)
    if len(first) != len(second):
        yield f"{one.name} has {len(first)} rows, {other.name} {len(second)}"
    different = [(a, b) for a, b in zip(first, second, strict=False) if a != b]
    for a, b in different[:5]:
        columns = {name: (a[name], b[name]) for name in a if a[name] != b[name]}
        yield f"{one.name} and {other.name} differ in {len(different)} rows: {str(columns)[:300]}"
    names = ("records", "kept", "rejected", "inputs")
    accounts = [json.loads((folder / "manifest.json").read_text(encoding="utf-8")) for folder in (one, other)]
    for name in names:
        if accounts[0].get(name) != accounts[1].get(name):
            yield f"{one.name} and {other.name} have other {name}"


def all_problems(crawl: Path, folder: Path, jobs: int) -> Iterator[str]:
    """Build all corpora and yield what is wrong with them."""
    truths = read_truth(crawl)
    files = [crawl / name for name in truths]
    corpora = [folder / f"parts-{part_bytes}" for part_bytes in PART_BYTES]
    for corpus, part_bytes in zip(corpora, PART_BYTES, strict=True):
        status, said = build_corpus(files, corpus, part_bytes, jobs)
        print(f"parts of {part_bytes:,} bytes: status {status}; {said.splitlines()[-1] if said else ''}", flush=True)
        if status != 1:
            yield f"{corpus.name}: status {status}, expected 1: {said[-300:]}"
        if not (corpus / "manifest.json").exists():
            yield f"{corpus.name}: no manifest"
            return
        yield from (f"{corpus.name}: {problem}" for problem in corpus_problems(crawl, corpus, truths))
    for other in corpora[1:]:
        yield from differences(corpora[0], other)
    sound = {name: truth for name, truth in truths.items() if truth.is_sound}
    status, said = build_corpus([crawl / name for name in sound], folder / "sound", PART_BYTES[1], jobs)
    print(f"without faults: status {status}; {said.splitlines()[-1] if said else ''}", flush=True)
    if status:
        yield f"sound: status {status}, expected 0: {said[-300:]}"


def main(
    crawl: Annotated[Path, Argument("CRAWL")],
    folder: Annotated[Path, Argument("FOLDER")],
    jobs: Annotated[int, Option(help="Worker processes")] = 2,
) -> None:
    """Build corpora of the faulty crawl and check them."""
    problems = []
    for problem in all_problems(crawl, folder, jobs):
        problems.append(problem)
        print(problem, flush=True)
    print(f"{len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    run(main)
