"""Weights: what a trained method is read from: a file of arrays, and model.json with what is known of them."""

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import LZMAError
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError

# What numpy and zipfile raise on files that are damaged or another's.
DAMAGED: Final = (OSError, EOFError, RuntimeError, ValueError, BadZipFile, LZMAError, zlib.error)
# What a model.json that somebody has changed, or another method has written, leads to.
MISREAD: Final = (AttributeError, EOFError, KeyError, OverflowError, RecursionError, TypeError, ValueError)


def read_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of a file by their names."""
    try:
        # Opened here, since numpy leaves a damaged file open.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; expected trained weights") from error
    except DAMAGED as error:
        raise ModelError(f"{path} is damaged: {error}; install dehusk again or train it anew") from error


@contextmanager
def read_about(folder: Path, version: int, command: str) -> Iterator[dict[str, Any]]:
    """Give what model.json says; where that is not what `command` writes, the block that uses it ends in ModelError."""
    path = folder / "model.json"
    try:
        about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if about.get("format") != version:
            raise ModelError(f"{path} has format {about.get('format')}, this version reads {version}; train it anew")
        yield about
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}; expected a trained model") from error
    except MISREAD as error:
        raise ModelError(f"{path} is not what `{command}` writes: {error}; train it anew") from error
