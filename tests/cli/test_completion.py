import subprocess
import sys

import pytest

HEAVY = ("numpy", "turbohtml", "rich", "dehusk.extractor", "dehusk.page", "zstandard", "http.client")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("dehusk extract --method k", "plain,kernel"),
        ("dehusk models nc", "plain,ncleaner"),
        ("dehusk corpus re", "plain,report"),
        ("dehusk corpus report --h", "plain,--help"),
        ("dehusk corpus --fo", "plain,--format"),
    ],
    ids=["method", "models", "corpus", "corpus-report", "corpus-option"],
)
def test_completion_and_help_import_nothing_heavy(words: str, completed: str) -> None:
    code = f"""
import os, sys
os.environ.update(_DEHUSK_COMPLETE="bash_complete", COMP_WORDS={words!r}, COMP_CWORD="{len(words.split()) - 1}")
from dehusk.cli import main
try:
    main()
except SystemExit:
    print([name for name in {HEAVY!r} if name in sys.modules])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == f"{completed}\n[]\n"
