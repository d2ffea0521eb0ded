"""Models of the user's own: the method of a folder that `dehusk train` wrote, or of a folder of FANN nets."""

import json
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from dehusk.errors import ModelError

if TYPE_CHECKING:
    from dehusk.methods.base import Method

# What model.json calls the method that a folder is for, and the class whose `load` reads the folder.
CLASSES: Final = {
    "kernel": ("dehusk.methods.kernel", "Kernel"),
    "texrex": ("dehusk.methods.texrex", "Texrex"),
    "ncleaner": ("dehusk.methods.ncleaner", "Ncleaner"),
    "boilernet": ("dehusk.methods.boilernet", "Boilernet"),
    "fiasco": ("dehusk.methods.fiasco", "Fiasco"),
    "pyplexity": ("dehusk.methods.pyplexity", "Pyplexity"),
}
NETS: Final = (".net", ".net.xz")  # of FANN
EXPECTED: Final = "expected a folder that `dehusk train` wrote, or one of FANN nets"


def folder_method(folder: Path) -> "Method":
    """Return the method of a folder: what its model.json says, or texrex if it holds FANN nets."""
    try:
        written = max((file.stat().st_mtime_ns for file in folder.iterdir()), default=0)
    except OSError as error:
        raise ModelError(f"{folder} cannot be read: {error.strerror}; {EXPECTED}") from error
    # The path as it was when the folder was named: a worker process may have another folder of its own.
    return _load(folder.absolute(), written)


@lru_cache(maxsize=16)
def _load(folder: Path, _written: int) -> "Method":
    """Read a folder once; when it was written is part of the key, so that a folder trained again is read again."""
    if (folder / "model.json").is_file():
        return cast("Method", _class(_kind(folder)).load(folder))
    if any(path.name.endswith(NETS) for path in folder.iterdir()):
        return cast("Method", _class("texrex").of_fann(folder))
    if inside := sorted(path.parent.name for path in folder.glob("*/model.json")):
        raise ModelError(f"{folder} holds several models; name one of them: {', '.join(inside)}")
    raise ModelError(f"{folder} has no model.json; {EXPECTED}")


def _kind(folder: Path) -> str:
    """Return the method that a folder is for."""
    path = folder / "model.json"
    try:
        kind = json.loads(path.read_text(encoding="utf-8"))["method"]
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; {EXPECTED}") from error
    except KeyError as error:
        raise ModelError(
            f'{path} does not say which method it is for; retrain it, or add "method" to it: one of {_known()}'
        ) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise ModelError(f"{path} is damaged: {error}; retrain it") from error
    if not isinstance(kind, str) or kind not in CLASSES:
        raise ModelError(f"{path} is for the method {str(kind)[:40]!r}, this version knows {_known()}; retrain it")
    return kind


def _known() -> str:
    return ", ".join(CLASSES)


def _class(kind: str) -> Any:
    module, name = CLASSES[kind]
    return getattr(import_module(module), name)
