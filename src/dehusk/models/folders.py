"""Models of the user's own: the method of a folder that `dehusk train` wrote, or of a folder of FANN nets."""

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dehusk.errors import ModelError
from dehusk.methods.base import check_object
from dehusk.models.registry import METHODS
from dehusk.plugins import resolve

if TYPE_CHECKING:
    from dehusk.methods.base import Method

NETS: Final = (".net", ".net.xz")  # of FANN
EXPECTED: Final = "expected a folder that `dehusk train` wrote, or one of FANN nets"


def folder_method(folder: Path) -> "Method":
    """Return the method of a folder: what its model.json says, or texrex if it holds FANN nets."""
    try:
        modified = max((file.stat().st_mtime_ns for file in folder.iterdir()), default=0)
    except OSError as error:
        raise ModelError(f"{folder} cannot be read: {error.strerror}; {EXPECTED}") from error
    # The path as it was when the folder was named: a worker process may have another folder of its own.
    return _load(folder.absolute(), modified)


@lru_cache(maxsize=16)
def _load(folder: Path, _modified: int) -> "Method":
    """Read a folder once; when it was modified is part of the key, so that a folder trained again is read again."""
    if (folder / "model.json").is_file():
        name = _method_name(folder)
        with METHODS.blaming(name):
            return check_object(resolve(METHODS[name].method_class).load(folder), TypeError)
    if any(path.name.endswith(NETS) for path in folder.iterdir()):
        return cast("Method", resolve(METHODS["texrex"].method_class).of_fann(folder))
    if inside := sorted(path.parent.name for path in folder.glob("*/model.json")):
        raise ModelError(f"{folder} holds several models; name one of them: {', '.join(inside)}")
    raise ModelError(f"{folder} has no model.json; {EXPECTED}")


def _method_name(folder: Path) -> str:
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
    about = f"{path} is for the method {str(kind)[:40]!r}"
    if not isinstance(kind, str) or kind not in METHODS:
        advice = "install the plug-in that adds it, or retrain the model"
        raise ModelError(f"{about}, which is not installed; this version knows {_known()}; {advice}")
    if not hasattr(resolve(METHODS[kind].method_class), "load"):
        raise ModelError(f"{about}, which has no trained models; those of {_known()} can be read")
    return kind


def _known() -> str:
    return ", ".join(entry.name for entry in METHODS.usable()[0] if hasattr(resolve(entry.method_class), "load"))
