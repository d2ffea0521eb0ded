"""Write what the TypeScript kernel shares with the Python one: constants and weights, so that nothing is typed twice.

`make extension` runs it: python web/export.py web/kernel/src/generated
"""

import base64
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from enum import EnumMeta
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from dehusk import __version__
from dehusk.characters import BEYOND, WORD_CLASSES, character_classes
from dehusk.config import Limits
from dehusk.features.tree import ABOVE, TAG_FACTS, TAG_SHIFT
from dehusk.methods.kernel import CONTROLS, Kernel
from dehusk.methods.kernel.network import KernelNetwork
from dehusk.methods.kernel.reasons import GROUPS

# By module, the names that the file of the same name in TypeScript reads.
NAMES: Final[dict[str, str]] = {
    "dehusk.blocks": "Kind CODES DEEPER REPEATED_WORDS",
    "dehusk.characters": "BEYOND SPACE PART_OF_WORD WHOLE_WORD CharacterClass",
    "dehusk.features.fast_text": "TextRow TitleRow",
    "dehusk.features.fast_tree": "Element Grouping Total TreeRow",
    "dehusk.features.title": "FARTHEST",
    "dehusk.features.tokens": "BITS",
    "dehusk.features.tree": "ABOVE SHARES PROSE_WORDS STEPS_UP FARTHEST",
    "dehusk.html_tables": "MOST_COLUMNS MOST_ROWS ROW_GROUPS HEADINGS PARTS MOST_PLACES_PER_CELL",
    "dehusk.methods.kernel": "SURE_KIND COMMENT_TOKENS BARE_WORDS BARE",
    "dehusk.methods.kernel.decision": "LOWEST_CUT STRIP",
    "dehusk.methods.kernel.features": "NAMES DOCTYPES PAGE_TYPES PAGE_NAMES",
    "dehusk.methods.kernel.network": "LARGEST_LOGIT",
    "dehusk.methods.kernel.reasons": "MOST LEAST",
    "dehusk.page.fast_walk": "MOST_FRAGMENTS",
    "dehusk.page.walk_flags": (
        "GLUED SPACED NEW_LINE NEW_BLOCK SELF_SPACED SEPARATOR HIDDEN VERBATIM LINKED IN_SVG SKIP BLOCK BR PRE RAW "
        "ANCHOR SVG HEAD TEMPLATE PASSED SPECIAL ROLES"
    ),
    "dehusk.scores": "KINDS",
    "dehusk.selection": "COMMENTS NEVER_PROSE REPEATED WHOLE_TABLES",
    "dehusk.selection.fast_signs": "NEAR HIGH",
    "dehusk.selection.never_prose": "CODE LONGEST",
    "dehusk.selection.repeats": "FIXED HIGHEST NEAR MOST_QUOTES MOST_PLACES QUOTABLE",
    "dehusk.selection.signs": (
        "TABLE NOSCRIPT TEXTAREA HEADING UNSEEN BRACKET IS_BLOCK MODAL MAY_BE_MODAL BUTTON MAY_BE_BUTTON TAG_SIGNS "
        "UNSEEN_CLASSES"
    ),
    "dehusk.selection.whole_tables": "WHOLE NONE FEWEST_CELLS LONGEST_CELL MOST_BLOCKS",
    "dehusk.writing.marks": "NO_MARK UNSEEN EDIT HEADING BLOCK_MARKS CLASS_MARKS",
    "dehusk.writing.glued_words": "JOINED FORMULAS SET_APART CURRENCIES MAX_STEPS",
    "dehusk.writing.invisible": (
        "ZERO_WIDTH_SPACE VOWEL_SEPARATOR JOINERS INVISIBLE WITHOUT_BLANKS MONGOLIAN LATIN_END GLOSSES GLOSS MARK "
        "CLOSING"
    ),
}
HEADER: Final = "// Written by web/export.py; edit the Python module instead.\n"


def write(folder: Path) -> None:
    """Write both files."""
    folder.mkdir(parents=True, exist_ok=True)
    kernel = Kernel.shipped()
    (folder / "constants.ts").write_text(HEADER + "".join(constants(kernel)), encoding="utf-8")
    (folder / "weights.ts").write_text(HEADER + weights(kernel), encoding="utf-8")


def constants(kernel: Kernel) -> Iterator[str]:
    """Yield one exported object per Python module, named like the module, and a few that are computed."""
    by_name: dict[str, dict[str, Any]] = {}
    for module, names in NAMES.items():
        by_name.setdefault(_name(module), {}).update(_values(_module(module), names.split()))
    for name, values in by_name.items():
        yield _export(name, values)
    yield _export("version", __version__)
    yield _export("limits", {"elements": Limits().elements, "blocks": Limits().blocks})
    yield _export("tuning", asdict(kernel.tuning))
    yield _export("vocabulary", kernel.vocabulary.words)
    yield _export("tag_numbers", {tag: fact >> TAG_SHIFT for tag, fact in TAG_FACTS.items()})
    yield _export("controls", [tag for bit, tag in enumerate(ABOVE) if CONTROLS >> bit & 1])
    yield _export("reason_groups", [[describe.__name__.strip("_"), list(names)] for describe, names in GROUPS])
    # Runs of equal classes, as pairs of a length and a class: the tables themselves have 65,537 entries.
    yield _export("character_class_runs", _runs(character_classes()))
    yield _export("word_class_runs", _runs(WORD_CLASSES))
    assert len(WORD_CLASSES) == BEYOND + 1


def weights(kernel: Kernel) -> str:
    """Return a module with the weights of all networks: their shapes, and all numbers in one string."""
    shapes: list[dict[str, list[int]]] = []
    parts: list[np.ndarray[Any, Any]] = []
    for network in kernel.networks:
        arrays = dict(_arrays(network))
        shapes.append({name: list(array.shape) for name, array in arrays.items()})
        parts += arrays.values()
    bins = kernel.networks[0].bins
    assert all(network.bins is bins for network in kernel.networks), "the networks have different bins"
    numbers = np.concatenate([part.astype("<f4").ravel() for part in parts]).tobytes()
    encoded = base64.b64encode(numbers).decode("ascii")
    return (
        _export("bins", {"column": bins.column, "low": bins.low, "slope": bins.slope})
        + _export("steps", [network.steps for network in kernel.networks])
        + _export("shapes", shapes)
        + f'export const numbers: string = "{encoded}";\n'
    )


def _arrays(network: KernelNetwork) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Yield the arrays of one network by name, as `network.ts` reads them."""
    yield "numbers", network.bin_weights[:, 1]  # what is beside them is computed
    yield "layers", network.layers
    for name in ("bits", "tags", "page", "shift", "out", "kind"):
        yield name, getattr(network, name)


def _name(module: str) -> str:
    return module.removeprefix("dehusk.").removeprefix("methods.").replace(".", "_").replace("fast_", "")


def _module(name: str) -> ModuleType:
    """Return a module; of compiled ones the source, since they hide the names that are C variables."""
    package, _, stem = name.rpartition(".")
    if not stem.startswith("fast_"):
        return import_module(name)
    source = Path(import_module(package).__path__[0]) / f"{stem}.py"
    spec = spec_from_file_location(f"{name}_source", source)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _values(module: ModuleType, names: list[str]) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


def _runs(table: np.ndarray[Any, Any]) -> list[int]:
    edges = np.flatnonzero(np.diff(table.astype(int))) + 1
    starts = np.concatenate(([0], edges))
    lengths = np.diff(np.concatenate((starts, [len(table)])))
    return [int(number) for pair in zip(lengths, table[starts], strict=True) for number in pair]


def _export(name: str, value: object) -> str:
    return f"export const {name} = {json.dumps(_plain(value), ensure_ascii=True)} as const;\n"


def _plain(value: Any) -> Any:
    """Return a value as JSON takes it."""
    if isinstance(value, EnumMeta):
        return {member.name: member.value for member in value}  # type: ignore[var-annotated]
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in sorted(value.items())}  # those made of sets have no order
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value.pattern if isinstance(value, re.Pattern) else value


if __name__ == "__main__":
    write(Path(sys.argv[1]))
