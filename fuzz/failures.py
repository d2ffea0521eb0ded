"""Failures on disk: the page that fails, and beside it a file that says how."""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.formats import Look
from fuzz.execution import Failure, Request
from fuzz.mutations import Case

FOLDER: Final = Path("build", "fuzz", "failures")


@dataclass(frozen=True, slots=True)
class Saved:
    """A failure with the input that shows it."""

    failure: Failure
    case: Case
    request: Request
    seed: int | None = None
    index: int | None = None
    commit: str = ""


def file_name(failure: Failure) -> str:
    """Return the name that all failures of one key share.

    >>> file_name(Failure("text_or_reason", "bte", "document", "", "empty"))
    'text_or_reason-bte-document-06cf60'
    """
    digest = hashlib.sha256("\n".join(failure.key).encode()).hexdigest()[:6]
    return "-".join(part for part in (failure.invariant, failure.method, failure.format, digest) if part).replace(
        "*", "any"
    )


def save(saved: Saved, folder: Path = FOLDER) -> Path:
    """Write a failure and return the path of its page; an earlier one of the same key is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file_name(saved.failure)}.html"
    record = {
        "failure": saved.failure._asdict(),
        "replay": f"python -m fuzz.pages --replay {path}",
        "url": saved.case.url,
        "charset": saved.case.charset,
        "plain": saved.case.plain,
        "bytes": len(saved.case.data),
        "request": {**saved.request._asdict(), "look": _flags(saved.request.look)},
        "seed": saved.seed,
        "index": saved.index,
        "commit": saved.commit,
    }
    path.write_bytes(saved.case.data)
    path.with_suffix(".json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> Saved:
    """Return the failure of a page that was saved."""
    record: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    wanted = record["request"]
    request = Request(**{**wanted, "formats": tuple(wanted["formats"]), "look": Look(**wanted["look"])})
    case = Case(path.with_suffix(".html").read_bytes(), record["url"], record["charset"], record["plain"])
    return Saved(Failure(**record["failure"]), case, request, record["seed"], record["index"], record["commit"])


def saved_pages(folder: Path = FOLDER) -> list[Path]:
    """Return the pages of all failures."""
    return sorted(path for path in folder.glob("*.html") if path.with_suffix(".json").exists())


def clear(folder: Path = FOLDER) -> None:
    """Forget all failures."""
    shutil.rmtree(folder, ignore_errors=True)


def _flags(look: Look) -> dict[str, bool]:
    return {"links": look.links, "images": look.images, "formatting": look.formatting, "metadata": look.metadata}
