"""Export: a folder with the weights and what is known of them, as `Kernel.load` reads it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.kernel import FORMAT, Tuning
from dehusk.methods.kernel.features import NAMES
from dehusk.training.kernel.packed import Packed


@dataclass(frozen=True, slots=True)
class Origin:
    """Where weights come from: what makes them again, and what they reached."""

    command: str
    seeds: Sequence[int]
    figures: Mapping[str, float]


def write(
    folder: Path, arrays: Mapping[str, NDArray[np.generic]], packed: Packed, tuning: Tuning, origin: Origin
) -> None:
    """Write weights.npz and model.json into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "format": FORMAT,
        "trained_on": trained_on(packed),
        "left_out": dict(packed.skipped),
        "command": origin.command,
        "seeds": list(origin.seeds),
        "features": len(NAMES),
        "tokens": len(packed.vocabulary),
        "tuning": asdict(tuning),
        "figures": dict(origin.figures),
    }
    # Single precision, since the file is far below its limit. Half would do: in a small trial (61 pages, width 32) it
    # moved logits by 0.0013 at most and no block of 26,220 to the other side of 0.
    with (folder / "weights.npz").open("wb") as file:
        np.savez_compressed(file, **cast(dict[str, Any], arrays))
    (folder / "model.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def trained_on(packed: Packed) -> list[dict[str, Any]]:
    """Return each set with its licence and how many of its pages were trained on."""
    pages = Counter(packed.about[number].corpus for number in packed.plain() if packed.about[number].usable)
    return [{"set": name, "pages": pages[name], "licence": licence} for name, licence in packed.licences.items()]
