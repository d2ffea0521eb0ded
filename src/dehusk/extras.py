"""Extras: what the base install leaves out, and the command that installs it, which depends on where dehusk is from."""

import json
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from dehusk.errors import UsageError

# The module that Python imports → the extra that installs it.
EXTRAS: Final = {
    "brotli": "corpus",
    "cv2": "visual",
    "dehusk_lm": "lm",
    "dehusk_neural": "neural",
    "fastapi": "serve",
    "fsspec": "remote",
    "jinja2": "eval",
    "lz4": "corpus",
    "matplotlib": "research",
    "maxminddb": "corpus",
    "mcp": "mcp",
    "onnx": "train",
    "onnxruntime": "neural",
    "playwright": "visual",
    "pyarrow": "corpus",
    "rapidfuzz": "eval",
    "ray": "ray",
    "sklearn": "train",
    "torch": "train",
    "uvicorn": "serve",
    "zlib_ng": "corpus",
}
# Extras that are distributions of their own, in a folder of that name: in a clone they are installed from there, since
# an index may have another version of them, or none.
DISTRIBUTIONS: Final = ("lm", "neural")
PACKAGE: Final = Path(__file__).parent


def require(purpose: str, *modules: str) -> None:
    """Raise `UsageError` with the command that installs what is missing.

    >>> require("training", "numpy")
    """
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        command = install_command(*sorted({EXTRAS[name] for name in missing}))
        raise UsageError(f"{purpose} needs {', '.join(missing)}, which is not installed; {command}")


def is_installed(extra: str | None) -> bool:
    """Return whether all that an extra installs is there; None is the base install.

    >>> is_installed(None)
    True
    """
    return all(find_spec(module) for module, each in EXTRAS.items() if each == extra)


def install_command(*extras: str) -> str:
    """Return the command that installs extras: from the clone that dehusk was installed from, otherwise from an index.

    >>> install_command("eval", "peers").endswith("[eval,peers]'")
    True
    """
    clone, editable = find_clone()
    if clone is None:
        return f"pip install {_quoted('dehusk', extras)}"
    here = "." if clone == Path.cwd() else str(clone)
    parts = [shlex.quote(f"{here}/distributions/{name}") for name in extras if name in DISTRIBUTIONS]
    if others := [name for name in extras if name not in DISTRIBUTIONS]:
        parts.append("-e " * editable + _quoted(here, others))
    return f"pip install {' '.join(parts)}"


def _quoted(project: str, extras: tuple[str, ...] | list[str]) -> str:
    return shlex.quote(f"{project}[{','.join(extras)}]")


def find_clone() -> tuple[Path | None, bool]:
    """Return the clone that dehusk runs in or was installed from, None if there is none, and whether it runs there."""
    if _has_distributions(PACKAGE.parents[1]):
        return PACKAGE.parents[1], True
    # Imported here, since only a message needs them, and every command would wait for them.
    from importlib import metadata  # noqa: PLC0415
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    try:
        origin = json.loads(metadata.distribution("dehusk").read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        return None, False
    folder = Path(url2pathname(urlsplit(origin.get("url", "")).path))
    return (folder, False) if "dir_info" in origin and _has_distributions(folder) else (None, False)


def _has_distributions(folder: Path) -> bool:
    return all((folder / "distributions" / name / "pyproject.toml").exists() for name in DISTRIBUTIONS)
