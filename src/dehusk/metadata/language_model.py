"""The language detector's model: py3langid's tables, in the form that `fast_language` reads.

py3langid's own classifier makes one Python call per byte and converts half floats for every text, which takes more than
ten times as long. Converting its tables takes half a second and 80 MB, so it happens once per machine: they are stored
in the user's cache folder, and later processes map that file and share its memory. Without a folder that can be written
to, each process converts its own.
"""

import json
import os
import shutil
import zlib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.metadata.fast_language import NaiveBayes
from dehusk.user_cache import user_cache

FORMAT: Final = 1  # of the cached files
MOVES_PER_PART: Final = 1 << 18
ROWS_PER_PART: Final = 1 << 12
MEMORY: Final = 6  # bytes of the longest features
UNIT: Final = 2**-11  # all weights are multiples of it, since they are half floats from -16 to -1


class Tables(NamedTuple):
    """What a `NaiveBayes` is made of."""

    codes: list[str]  # of the languages, one per class
    first_row: int
    moves: NDArray[np.uint32]
    weights: NDArray[np.int16]
    prior: NDArray[np.float32]


@cache
def language_model() -> tuple[list[str], NaiveBayes]:
    """Return the codes of the languages, and the classifier."""
    folder = cache_folder()
    tables = _mapped(folder) if folder else None
    if tables is None:
        tool: Any = import_module("py3langid.langid")
        theirs = tool.LanguageIdentifier.from_model_file(tool.MODEL_FILE, norm_probs=True)
        weights, prior = _whole_weights(theirs.nb_ptc), theirs.nb_pc.astype(np.float32)
        tables = Tables(theirs.nb_classes, int(theirs.tk_row[0]), _moves(theirs), weights, prior)
        if folder:
            _store(tables, folder)
    codes = tables.codes
    # A language written in two scripts has two classes.
    same = [(codes.index(code), index) for index, code in enumerate(codes) if codes.index(code) < index]
    return codes, NaiveBayes(tables.moves, tables.first_row, MEMORY, tables.weights, UNIT, tables.prior, same)


def cache_folder() -> Path | None:
    """Return where the tables are stored; None if py3langid's file cannot be identified."""
    spec = find_spec("py3langid")
    if spec is None or spec.origin is None:
        return None
    try:
        with Path(spec.origin).with_name("data").joinpath("model.npz.xz").open("rb") as file:
            size = file.seek(-64, os.SEEK_END) + 64
            check = zlib.crc32(file.read())  # the end of the file has a checksum of all of it
    except OSError:
        return None
    return user_cache() / f"language-{FORMAT}-{size}-{check:08x}"


def _mapped(folder: Path) -> Tables | None:
    """Return the stored tables, of which the system reads what is used; None if they are missing or damaged."""
    try:
        description = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="c") for name in ("moves", "weights", "prior")}
        return Tables(description["codes"], description["first_row"], **arrays)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError):
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _store(tables: Tables, folder: Path) -> None:
    """Store the tables for later processes, all or nothing; failing to do so costs only time."""
    import tempfile  # noqa: PLC0415  (needed once per machine)

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="part-", ignore_cleanup_errors=True) as name:
            part = Path(name) / folder.name
            part.mkdir()
            for array in ("moves", "weights", "prior"):
                np.save(part / f"{array}.npy", getattr(tables, array))
            description = {"codes": tables.codes, "first_row": tables.first_row}
            (part / "tables.json").write_text(json.dumps(description), encoding="utf-8")
            part.rename(folder)
    except OSError:
        pass


def _whole_weights(weights: NDArray[np.float16]) -> NDArray[np.int16]:
    """Return weights as whole multiples of `UNIT`."""
    whole: NDArray[np.int16] = np.empty(weights.shape, np.int16)
    # In parts, since as floats they take twice the memory.
    for start in range(0, len(weights), ROWS_PER_PART):
        part = np.rint(weights[start : start + ROWS_PER_PART].astype(np.float32) / np.float32(UNIT))
        assert abs(part).max() < 1 << 15
        whole[start : start + ROWS_PER_PART] = part
    return whole


def _moves(theirs: Any) -> NDArray[np.uint32]:
    """Return the detector's automaton as `NaiveBayes` reads it: the next row and its feature in one number."""
    features, rows = np.array(theirs.tk_output, np.int64) + 1, np.array(theirs.tk_row, np.int64)
    steps = rows * (len(theirs.nb_ptc) + 1) + features
    assert steps.max() < 1 << 32
    moves = np.array(theirs.tk_nextmove, np.uint32)
    # In parts, since an array of indices takes twice the memory.
    for start in range(0, len(moves), MOVES_PER_PART):
        moves[start : start + MOVES_PER_PART] = steps[moves[start : start + MOVES_PER_PART]]
    return moves
