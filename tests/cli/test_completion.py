import subprocess
import sys

HEAVY = ("numpy", "turbohtml", "rich", "dehusk.extractor", "dehusk.page", "zstandard", "http.client")


def test_completion_and_help_import_nothing_heavy() -> None:
    code = f"""
import os, sys
os.environ.update(_DEHUSK_COMPLETE="bash_complete", COMP_WORDS="dehusk extract --method k", COMP_CWORD="3")
from dehusk.cli import main
try:
    main()
except SystemExit:
    print([name for name in {HEAVY!r} if name in sys.modules])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "plain,kernel\n[]\n"
