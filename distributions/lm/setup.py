"""The version, which is that of dehusk: a source archive has it in PKG-INFO, a clone in dehusk itself."""

import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
PLACES = (HERE / "PKG-INFO", HERE.parents[1] / "src" / "dehusk" / "__init__.py")

text = next(path for path in PLACES if path.exists()).read_text(encoding="utf-8")
found = re.search(r'^(?:Version: |__version__ = ")([0-9.a-z]+)', text, re.MULTILINE)
assert found, "expected a version in PKG-INFO or src/dehusk/__init__.py"
setup(version=found[1])
