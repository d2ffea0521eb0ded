"""Weights: the arrays of a trained method, read from its file."""

import zlib
from lzma import LZMAError
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError

# What numpy and zipfile raise on files that are damaged or another's.
DAMAGED: Final = (OSError, EOFError, RuntimeError, ValueError, BadZipFile, LZMAError, zlib.error)


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
