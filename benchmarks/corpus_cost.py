"""CPU time of `dehusk corpus` beside that of fastwarc and resiliparse on the same WARC files, end to end.

    python -m benchmarks.corpus_cost FILE...        prints one line per round, and the median ratio

Theirs: every page read, decoded, and its main text extracted. Ours: the default chain, duplicates and Parquet too.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated, Final

from dehusk.cli.commands import Argument, Option, run

THEIRS: Final = """
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        try:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                if record.http_content_type == "text/html" and record.http_headers.status_code == 200:
                    data = record.reader.read(20_000_000)
                    extract_plain_text(bytes_to_str(data, detect_encoding(data)), main_content=True)
        except OSError as error:
            raise SystemExit(f"{path}: {error}; fastwarc needs files without damage")
"""
OURS: Final = """
import sys
from pathlib import Path
from dehusk.corpus.build import build
build(sys.argv[2:], Path(sys.argv[1]), jobs=1)
"""


def seconds(*command: str) -> float:
    """Return the CPU time of a command and all its processes."""
    with subprocess.Popen([sys.executable, "-W", "ignore", "-c", *command]) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return usage.ru_utime + usage.ru_stime


def main(
    files: Annotated[list[str], Argument("FILE")],
    rounds: Annotated[int, Option(help="How often both run")] = 3,
) -> None:
    """Measure both in turn."""
    ratios = []
    for _ in range(rounds):
        folder = Path(tempfile.mkdtemp())
        theirs = seconds(THEIRS, *files)
        ours = seconds(OURS, str(folder / "corpus"), *files)
        shutil.rmtree(folder)
        ratios.append(ours / theirs)
        print(
            f"fastwarc and resiliparse {theirs:.1f} s, dehusk corpus {ours:.1f} s: {ratios[-1]:.2f} times", flush=True
        )
    print(f"median {median(ratios):.2f}")


if __name__ == "__main__":
    run(main)
