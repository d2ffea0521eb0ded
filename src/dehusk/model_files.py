"""Model files: a folder with trained weights as arrays, and model.json, which describes them."""

import json
import math
import re
import zlib
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from io import BytesIO
from lzma import LZMAError
from pathlib import Path
from typing import Any, ClassVar, Final, Self
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.extras import EXTRAS, install_command

SHIPPED: Final = Path(__file__).parent / "models"
# Models that the base install leaves out, and the package, installed by an extra, that holds each.
ELSEWHERE: Final = {
    **dict.fromkeys(("boilernet", "boilernet-small", "boilernet-paper", "boilernet-paper-cleaneval"), "dehusk_neural"),
    "pyplexity": "dehusk_lm",
}
# What numpy and zipfile raise on damaged or foreign files; the last three for shapes and types that cannot be.
DAMAGED: Final = (
    OSError, EOFError, RuntimeError, ValueError, BadZipFile, LZMAError, zlib.error,
    MemoryError, OverflowError, TypeError,
)  # fmt: skip
LARGEST: Final = 2_000_000_000  # bytes of the arrays in one file, hundreds of times as many as any model has
# How numpy describes an array of plain numbers.
HEADER: Final = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<type>[<|][biuf]\d)', 'fortran_order': False, "
    rb"'shape': \((?P<shape>[\d, ]*)\), \} *\n",
    re.DOTALL,
)
# What using a model.json raises that was edited or written for another method.
UNEXPECTED: Final = (
    AttributeError, EOFError, KeyError, MemoryError, OverflowError, RecursionError, TypeError, ValueError,
)  # fmt: skip


class FromFolder:
    """What is read from a folder of trained weights: a dataclass with a field `folder`, None if it has none.

    Each process reads a folder once: workers read it themselves, instead of receiving all weights through a pipe.
    """

    __slots__ = ()
    adjustable: ClassVar[tuple[str, ...]] = ()  # fields that may differ from what was read

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Any:
        """Read a folder."""

    @classmethod
    def loaded(cls, folder: Path) -> Self:
        """Return what is in a folder, read once."""
        return _read_once(cls.load, folder)  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        values: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        if values["folder"] is None:
            return type(self), tuple(values.values())
        return _restored, (type(self).load, values["folder"], {name: values[name] for name in self.adjustable})


@cache
def _read_once(load: Callable[[Path], Any], folder: Path) -> Any:
    return load(folder)


def _restored(load: Callable[[Path], Any], folder: Path, adjusted: dict[str, Any]) -> Any:
    read = _read_once(load, folder)
    return replace(read, **adjusted) if adjusted else read


def shipped_folder(name: str) -> Path:
    """Return the folder of a model that comes with dehusk or with one of its extras.

    >>> shipped_folder("kernel").name
    'kernel'
    """
    if name not in ELSEWHERE:
        return SHIPPED / name
    package = ELSEWHERE[name]
    try:
        # The folder of a package that consists of files: pip unpacks wheels.
        return Path(str(import_module(package).__file__)).parent / name
    except ImportError as error:
        project, command = package.replace("_", "-"), install_command(EXTRAS[package])
        raise ModelError(f"{name} needs the models of {project}, which is not installed; {command}") from error


def read_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of a file by name."""
    try:
        with ZipFile(path) as archive:
            if (size := sum(entry.file_size for entry in archive.infolist())) > LARGEST:
                raise ValueError(f"{size:,} bytes of arrays, expected at most {LARGEST:,}")
            return {name.removesuffix(".npy"): _array(archive.read(name)) for name in archive.namelist()}
    except FileNotFoundError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; expected trained weights") from error
    except DAMAGED as error:
        raise ModelError(f"{path} is damaged: {error}; reinstall dehusk or retrain it") from error


def _array(data: bytes) -> NDArray[np.generic]:
    """Return an array from the bytes of its file.

    numpy compiles each header as if it were a program, which takes longer than all the rest of reading a model.
    """
    header = HEADER.match(data)
    if not header:
        return _foreign_array(data)
    shape = [int(size) for size in header["shape"].split(b",") if size.strip()]
    return np.frombuffer(data, header["type"].decode(), offset=header.end()).reshape(shape).copy()


def _foreign_array(data: bytes) -> NDArray[np.generic]:
    """Return an array that is described otherwise than those of our own models."""
    file = BytesIO(data)
    version = npy.read_magic(file)
    shape, _, kind = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)
    # numpy makes room for the shape that a file claims before it looks whether there is so much.
    if (size := math.prod(shape) * kind.itemsize) > len(data):
        raise ValueError(f"an array of {size:,} bytes in a file of {len(data):,}")
    file.seek(0)
    array: NDArray[np.generic] = np.load(file, allow_pickle=False)
    return array


@contextmanager
def open_description(folder: Path, version: int, command: str) -> Iterator[dict[str, Any]]:
    """Yield the content of model.json; raise ModelError where it is not what `command` writes."""
    path = folder / "model.json"
    try:
        description: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if (file_version := description.get("format")) != version:
            raise ModelError(f"{path} has format {file_version!r:.40}, this version reads {version}; retrain it")
        yield description
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}; expected a trained model") from error
    except UNEXPECTED as error:
        raise ModelError(f"{path} is not what `{command}` writes: {error}; retrain it") from error
