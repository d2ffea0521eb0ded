"""Model files: a folder with trained weights as arrays, and model.json, which describes them."""

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

# What numpy and zipfile raise on damaged or foreign files.
DAMAGED: Final = (OSError, EOFError, RuntimeError, ValueError, BadZipFile, LZMAError, zlib.error)
# What using a model.json raises that was edited or written for another method.
UNEXPECTED: Final = (AttributeError, EOFError, KeyError, OverflowError, RecursionError, TypeError, ValueError)


def read_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of a file by name."""
    try:
        # Opened here, since numpy leaves a damaged file open.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; expected trained weights") from error
    except DAMAGED as error:
        raise ModelError(f"{path} is damaged: {error}; reinstall dehusk or retrain it") from error


@contextmanager
def open_description(folder: Path, version: int, command: str) -> Iterator[dict[str, Any]]:
    """Yield the content of model.json; raise ModelError where it is not what `command` writes."""
    path = folder / "model.json"
    try:
        description: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if (found := description.get("format")) != version:
            raise ModelError(f"{path} has format {found}, this version reads {version}; retrain it")
        yield description
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}; expected a trained model") from error
    except UNEXPECTED as error:
        raise ModelError(f"{path} is not what `{command}` writes: {error}; retrain it") from error
