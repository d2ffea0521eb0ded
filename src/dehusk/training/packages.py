"""Packages: what training needs beyond the base install, checked before hours are spent."""

import importlib.util
from typing import Final

from dehusk.errors import UsageError

EXTRAS: Final = {"rapidfuzz": "eval", "onnxruntime": "neural", "onnx": "train", "torch": "train"}


def require(*packages: str) -> None:
    """Raise `UsageError` with the command that installs what is missing."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        extras = ",".join(sorted({EXTRAS[name] for name in missing}))
        raise UsageError(f"training needs {', '.join(missing)}, not installed here; pip install 'dehusk[{extras}]'")
