"""Packed examples: those of many pages as columns, in one file that is made once and can be trained on anywhere."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import DehuskError, InputError, UsageError
from dehusk.gold.corpora import SETS, TRAINING_SETS, Corpus, corpus_name, open_corpus, training_corpora, training_pages
from dehusk.model_files import DAMAGED
from dehusk.training.columns import Bools, Doubles, Floats, Ints
from dehusk.training.examples import PageInfo
from dehusk.training.figures import EVERY_KIND, best_threshold, page_f1
from dehusk.training.progress import SILENT, Reporter, Tick
from dehusk.whole_files import write_atomically

UNREADABLE: Final = (*DAMAGED, KeyError, TypeError)
ENOUGH: Final = 50  # pages to choose a threshold on
RECORD: Final = "record"  # everything but the arrays, as JSON


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """What every method packs; its own class adds columns (arrays) and vocabularies (tuples of strings)."""

    info: tuple[PageInfo, ...]  # of each example
    licences: Mapping[str, str]  # of each set
    skipped: Mapping[str, int]  # pages that were left out, by reason
    sha256: Mapping[str, str] = field(default_factory=dict, kw_only=True)  # of each set that the pages are from

    method: ClassVar[str]
    info_type: ClassVar[type[PageInfo]]
    replaced: ClassVar[bool] = False  # whether a file of other pages is made again; not if other files depend on it

    @property
    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The columns by name."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}

    @property
    def summary(self) -> str:
        """How much there is, in words."""
        return f"{len(self.info):,} examples"

    @classmethod
    def features(cls) -> Any:
        """Return what identifies the features of this version, as JSON."""
        return 1

    @classmethod
    def computes(cls, features: Any) -> bool:
        """Return whether the features that a file was made with are those of this version."""
        return bool(features == cls.features())

    def save(self, path: Path) -> None:
        """Write everything to one file."""
        arrays = self.arrays
        record = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in arrays}
        record |= {"info": [asdict(each) for each in self.info], "features": self.features()}
        save_arrays(path, {RECORD: np.frombuffer(json.dumps(record).encode(), np.uint8), **arrays})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        try:
            # Opened here because numpy leaves damaged files open.
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            record = json.loads(bytes(arrays.pop(RECORD)))
            if not cls.computes(record.pop("features")):
                raise InputError(f"{path} has other features than this version computes; remove it to rebuild it")
            info = tuple(cls.info_type(**each) for each in record.pop("info"))
            rest: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value for name, value in record.items()
            }
            return cls(info=info, **rest, **arrays)
        except UNREADABLE as error:
            raise InputError(f"{path} does not contain {cls.method}'s examples: {error}; remove it") from error


@dataclass(frozen=True, slots=True, eq=False)
class PackedBlocks(Packed):
    """Columns over the blocks of all pages: features and labels."""

    matrix: Floats  # one row per block
    shares: Floats  # the share of each block's words that are gold; NaN if it has no words
    words: Floats
    page: Ints  # the index of each block's page

    replaced: ClassVar[bool] = True
    unit: ClassVar[str] = "blocks"

    @property
    def summary(self) -> str:
        """How much there is, in words."""
        return f"{len(self.page):,} {self.unit} of {len(self.info):,} pages"

    def probabilities(self, blocks: NDArray[np.intp]) -> Doubles:
        """Return how likely each of some blocks is drawn: by the root of its words, its page by that of all of them."""
        weights, page = np.sqrt(self.words[blocks].astype(np.float64)), self.page[blocks]
        weights /= np.sqrt(np.bincount(page, weights, len(self.info)))[page]
        probabilities: Doubles = weights / weights.sum()
        return probabilities

    def page_f1(self, kept: Bools) -> Doubles:
        """Return the F1 of each page if these blocks are kept, counted in words."""
        return page_f1(self.page, self.words, self.words * np.nan_to_num(self.shares), kept, len(self.info))

    def best_threshold(self, thresholds: Doubles, scores: NDArray[np.floating], own: Bools) -> float:
        """Return the threshold with the best mean F1 on some pages, on those of `EVERY_KIND` if there are enough."""
        mixed = own & np.array([info.corpus in EVERY_KIND for info in self.info])
        pages = mixed if mixed.sum() >= ENOUGH else own
        return best_threshold(thresholds, lambda threshold: self.page_f1(scores < threshold)[pages].mean())


AnyPacked = TypeVar("AnyPacked", bound=Packed)


def save_arrays(path: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Write arrays to a file, completely or not at all: half a file would be taken for a whole one by the next run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as part, part.open("wb") as file:
        np.savez_compressed(file, **cast(dict[str, Any], arrays))


def load_or_make(
    kind: type[AnyPacked],
    path: Path,
    corpora: Sequence[str],
    make: Callable[[Sequence[Corpus], Tick], AnyPacked],
    reporter: Reporter = SILENT,
    *,
    default_sets: Sequence[str] = TRAINING_SETS,
    rounds: int = 1,
) -> AnyPacked:
    """Return the packed examples of a file, which is made of corpora (names or paths) if it does not exist.

    An existing file needs no pages, which the machine with the GPU may not have; it must be made of the same corpora,
    or of `default_sets` if none are named and there are any. If these are at hand, they must have the same content,
    else the file is made again or refused, as its kind says. `make` reads all pages `rounds` times.
    """

    def made() -> AnyPacked:
        opened = training_corpora(corpora)
        with reporter.steps(rounds * sum(1 for _ in training_pages(opened)), "features") as tick:
            packed = replace(make(opened, tick), sha256={corpus.name: corpus.sha256 for corpus in opened})
        packed.save(path)
        return packed

    packed = kind.load(path) if path.exists() else made()
    expected = {corpus_name(name) for name in corpora or default_sets}
    if expected and expected != set(packed.licences):
        raise UsageError(
            f"{path} was built from {', '.join(packed.licences)}; remove it or choose another file", setting="features"
        )
    if changed := _changed(packed, corpora or sorted(SETS.keys() & packed.licences), unknown=kind.replaced):
        if not kind.replaced:
            raise UsageError(
                f"{path} was built from other pages of {changed}; remove it or choose another file", setting="features"
            )
        reporter.message(f"the pages of {changed} are not those of {path}: rebuilding it")
        packed = made()
    reporter.message(f"{packed.summary} in {path}")
    for reason, count in packed.skipped.items():
        reporter.message(f"{count} pages: {reason}")
    return packed


def _changed(packed: Packed, corpora: Sequence[str], *, unknown: bool) -> str:
    """Return the corpora whose pages are at hand and are not those that were packed; `unknown`: or may not be."""
    changed = []
    for name in corpora:
        try:
            corpus = open_corpus(name)
        except DehuskError:  # not at hand
            continue
        known = packed.sha256.get(corpus.name)
        if known != corpus.sha256 and (known or unknown):
            changed.append(corpus.name)
    return ", ".join(changed)


def licences_of(corpora: Sequence[Corpus]) -> dict[str, str]:
    """Return the licence of each corpus."""
    return {corpus.name: corpus.licence for corpus in corpora}
