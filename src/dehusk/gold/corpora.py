"""Corpora: sets of pages with gold text, the project's or a user's, and which of their pages may be trained on.

The project's sets are in the folder that DEHUSK_DATA names; `SETS` lists them. A corpus has these parts, and every page
is in exactly one of the first four:

    train         may be trained on
    yardstick     a fifth of the sites that could be trained on, kept for measuring
    never         the sets and splits that are only for measuring
    defect        could be trained on, except for a defect listed in `DEFECTS`
    heldout       yardstick and never together: the pages that published figures are measured on
    all           everything
    dev, test     the set's own splits; split:NAME is any other (split:train of googletrends2017)
    ncleaner674   the pages of cleaneval's test split that NCleaner's paper was measured on
"""

import hashlib
import heapq
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from dehusk.errors import InputError, UsageError
from dehusk.gold.pages import EMPTY, TWICE, GoldPage
from dehusk.gold.readers import folder_pages, line_pages
from dehusk.gold.yardstick import in_yardstick, stable_hash

LOG = logging.getLogger(__name__)

# Name → licence as stated, and the splits that may be trained on; a set without splits has one, "all". Splits that are
# not listed are never trained on, so a new one is safe until someone decides.
SETS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "wcxb-dev": ("CC BY 4.0", ("dev",)),
    "cleaneval": ("none stated", ("dev",)),
    "googletrends2017": ("MIT", ("train", "dev")),
    "canola": ("CC BY-SA 4.0", ("all",)),
    "newspaper4k": ("Apache-2.0", ("all",)),
    "fundus": ("MIT", ("all",)),
    "daniel-dev": ("GPL-3.0", ("all",)),
    "l3s-gn1": ("research use only", ()),
    "cleanportaleval": ("none stated", ()),
    "snippets-dev": ("Apache-2.0", ()),
}
TRAINING_SETS: Final = tuple(name for name, (_, splits) in SETS.items() if splits)
OWN_LICENCE: Final = "the user's own"
OWN_TRAIN_SPLITS: Final = ("all", "train", "dev")
LINE_FILES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A set of pages with gold: where it is, and which of its splits may be trained on."""

    name: str
    path: Path
    licence: str
    train_splits: tuple[str, ...]

    @property
    def trainable(self) -> bool:
        """Whether any page of it may be trained on."""
        return bool(self.train_splits)

    @property
    def sha256(self) -> str:
        """The hash of the file, or of the names and contents of a folder's files; computed once per process."""
        files = [self.path] if self.path.is_file() else _files(self.path)
        states = (file.stat() for file in files)
        return _sha256(self.path, tuple((state.st_mtime_ns, state.st_size) for state in states))

    def pages(
        self, part: str = "all", sample: int | None = None, seed: int = 0, skipped: Counter[str] | None = None
    ) -> Iterator[GoldPage]:
        """Yield the pages of a part, or a random `sample` of them.

        The sample depends on the ids and the seed, not on the order in the file, and larger samples begin with smaller
        ones. Unusable pages are left out and counted by reason in `skipped`, or logged if no counter is given.
        """
        is_in_part = self._selector(part)
        if sample is not None and sample < 1:
            raise UsageError(
                f"a sample must have at least 1 page, got {sample}; leave it out for all pages", setting="sample"
            )
        pages = filter(is_in_part, self._read(skipped))
        if sample is None:
            return pages
        return iter(heapq.nsmallest(sample, pages, key=lambda page: stable_hash(f"{seed}:{page.id}")))

    def part_of(self, page: GoldPage) -> str:
        """Return which of the parts train, yardstick, never and defect a page is in."""
        if page.split not in self.train_splits:
            return "never"
        if page.defect:
            return "defect"
        return "yardstick" if in_yardstick(page.site) else "train"

    def counts(self) -> Counter[str]:
        """Return the number of pages in each part that has any, and under "all" their sum."""
        counts = Counter(self.part_of(page) for page in self.pages())
        counts["all"] = counts.total()
        return counts

    def _selector(self, part: str) -> Callable[[GoldPage], bool]:
        if part == "all":
            return lambda page: True
        if part in ("train", "yardstick", "never", "defect"):
            return lambda page: self.part_of(page) == part
        if part == "heldout":
            return lambda page: self.part_of(page) in ("yardstick", "never")
        if part in ("dev", "test") or part.startswith("split:"):
            return lambda page: page.split == part.removeprefix("split:")
        if part == "ncleaner674" and self.name == "cleaneval":
            return lambda page: page.split == "test" and page.defect not in (EMPTY, TWICE)
        raise UsageError(
            f"{self.name} has no part {part!r}; choose from all, train, yardstick, never, heldout, defect, dev, test"
            " and split:NAME, or ncleaner674 of cleaneval",
            setting="part",
        )

    def _read(self, skipped: Counter[str] | None) -> Iterator[GoldPage]:
        """Yield every usable page once; a repeated id would count twice in a paired comparison."""
        left_out: Counter[str] = Counter()
        seen: set[str] = set()
        for page in (folder_pages if self.path.is_dir() else line_pages)(self.name, self.path, left_out):
            if page.id in seen:
                left_out["id seen before"] += 1
                continue
            seen.add(page.id)
            yield page
        if skipped is not None:
            skipped.update(left_out)
        elif left_out:
            reasons = ", ".join(f"{count} × {reason}" for reason, count in sorted(left_out.items()))
            LOG.warning("%s: %d pages read, left out: %s", self.path, len(seen), reasons)


def open_corpus(name: str | Path) -> Corpus:
    """Return one of the project's sets by name, or a user's own data by path.

    A path is a file of JSON lines (plain, .gz or .zst; `html` with `gold` or `text`, `block_labels`, or `with` and
    `without`) or a folder: `page.html` beside `page.txt`, CleanEval's layout, or pages whose text nodes carry
    `__boilernet_label`. A copy of one of the project's files keeps its rules. A user's own data may be trained on,
    except for the yardstick and splits not called train or dev.

    >>> open_corpus("wcbx-dev")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    dehusk.errors.UsageError: 'wcbx-dev' is neither a corpus (wcxb-dev, cleaneval, ...) nor a file or folder; ...
    """
    path = Path(name)
    if str(name) in SETS:
        if not (folder := os.environ.get("DEHUSK_DATA")):
            raise InputError(
                "DEHUSK_DATA is not set; set it to the folder that contains data/pages, or name a file of your own"
            )
        return _project_set(str(name), Path(folder, "data", "pages", f"{name}.jsonl.zst"))
    if not path.exists():
        raise UsageError(
            f"{str(name)!r} is neither a corpus ({', '.join(SETS)}) nor a file or folder; check the spelling",
            setting="corpus",
        )
    if path.is_file() and not path.name.endswith(LINE_FILES):
        raise UsageError(
            f"{path} is a file of an unknown kind; expected a folder or JSON lines ({', '.join(LINE_FILES)})",
            setting="corpus",
        )
    stem = corpus_name(path)
    if path.is_file() and stem in SETS:
        return _project_set(stem, path)
    return Corpus(stem, path, OWN_LICENCE, OWN_TRAIN_SPLITS)


def corpus_name(name: str | Path) -> str:
    """Return what the corpus of a name or path is called, whether it exists or not.

    >>> corpus_name("wcxb-dev"), corpus_name("data/mine.jsonl.gz")
    ('wcxb-dev', 'mine')
    """
    return str(name) if str(name) in SETS else Path(name).resolve().name.partition(".jsonl")[0]


def training_corpora(names: Sequence[str] = ()) -> list[Corpus]:
    """Return the corpora of these names or paths, or all of the project's that may be trained on."""
    corpora = [open_corpus(name) for name in names or TRAINING_SETS]
    for corpus in corpora:
        if not corpus.trainable:
            raise UsageError(
                f"{corpus.name} is kept for measuring and never trained on; choose another corpus", setting="corpus"
            )
    if len({corpus.name for corpus in corpora}) < len(corpora):
        raise UsageError("two corpora have the same name; rename one", setting="corpus")
    return corpora


def training_pages(corpora: Iterable[Corpus]) -> Iterator[GoldPage]:
    """Yield all pages of some corpora that may be trained on."""
    return chain.from_iterable(corpus.pages("train") for corpus in corpora)


def _project_set(name: str, path: Path) -> Corpus:
    if not path.is_file():
        present = ", ".join(sorted(file.name for file in path.parent.glob("*.jsonl.zst"))) or "no set at all"
        raise InputError(f"{path} is missing; found {present}; put the file there or set DEHUSK_DATA to its folder")
    licence, train_splits = SETS[name]
    return Corpus(name, path, licence, train_splits)


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


@cache
def _sha256(path: Path, _states: tuple[tuple[int, int], ...]) -> str:
    """Return the hash of a file or folder; times and sizes are part of the cache's key, so a new file is read."""
    if path.is_file():
        return _file_sha256(path)
    whole = hashlib.sha256()
    for file in _files(path):
        whole.update(f"{file.relative_to(path).as_posix()}\0{_file_sha256(file)}\n".encode())
    return whole.hexdigest()


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
