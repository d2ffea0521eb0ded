"""Cross-validation: the shipped networks' recipes on GoogleTrends' pages for training, a third of the sites at a time.

In each fold networks are trained without the pages of those sites, of any set, and their threshold is chosen as for the
shipped ones. Scores are kept in files, which may come from a machine with a GPU; missing ones are computed.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.errors import InputError, UsageError
from dehusk.evaluation.metrics import ByClass
from dehusk.extras import install_command
from dehusk.training.boilernet import recipe as recipes
from dehusk.training.boilernet.inputs import choose_vocabulary, inputs
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.pipeline import pack
from dehusk.training.boilernet.tuning import best_threshold, check_pages
from dehusk.training.packed import load_or_make
from research import Progress
from research.boilernet.node_counts import leaf_counts
from research.cache import write_atomically

CORPUS: Final = "googletrends2017"
FOLDS: Final = 3
NETWORKS: Final = {"boilernet": recipes.LARGE, "boilernet-small": recipes.SMALL}


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """The pages of all training sets, and the folder that holds the results."""

    work: Path
    progress: Progress
    packed: BoilernetPacked

    @classmethod
    def open(cls, work: Path, progress: Progress) -> "CrossValidation":
        """Read the features that `dehusk train boilernet` keeps in the same folder, or make them."""
        packed = load_or_make(BoilernetPacked, work / "features.npz", (), lambda opened, tick: pack(opened, 1, tick))
        return cls(work, progress, packed)

    def counts(self, name: str) -> ByClass:
        """Return the counts of a network's recipe on all pages of the set, each scored by the fold without its site."""
        dropped, pages = [], []
        for fold in range(FOLDS):
            held = self.held_out(fold)[1]
            record = self._record(fold, held)
            if str(record[f"{name}-recipe"]) != str(NETWORKS[name]):
                raise InputError(f"{self._path(fold)} was trained with another recipe; remove it")
            dropped.append(record[f"{name}-scores"] >= float(record[f"{name}-threshold"]))
            pages += held
        return leaf_counts(self.packed, pages, np.concatenate(dropped))

    def held_out(self, fold: int) -> tuple[list[int], list[int]]:
        """Return the pages of all sets that a fold leaves out, and those of the set that it is measured on."""
        info = self.packed.info
        sites = {
            site for site, at in site_folds([each.site for each in info if each.corpus == CORPUS]).items() if at == fold
        }
        left_out = [page for page, each in enumerate(info) if each.site in sites]
        return left_out, [page for page in left_out if info[page].corpus == CORPUS]

    def _path(self, fold: int) -> Path:
        return self.work / f"fold-{fold}.npz"

    def _record(self, fold: int, held: Sequence[int]) -> dict[str, Any]:
        path = self._path(fold)
        if not path.exists():
            arrays = self._train(fold, held)
            write_atomically(path, lambda file: np.savez_compressed(file, **arrays))
        with np.load(path, allow_pickle=False) as file:
            return dict(file)

    def _train(self, fold: int, held: Sequence[int]) -> dict[str, Any]:
        try:
            from dehusk.training.boilernet.net.trainer import Trainer  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(f"training needs more packages ({error}); {install_command('train')}") from error
        packed, left_out = self.packed, set(self.held_out(fold)[0])
        check = [page for page in check_pages(packed) if page not in left_out]
        train = sorted(set(range(len(packed.info))) - set(check) - left_out)
        vocabulary = choose_vocabulary(packed, train)
        trainer = Trainer(packed, train, check, *vocabulary, inputs(packed, *vocabulary))

        def log_epoch(epoch: int, loss: float, figure: float) -> None:
            self.progress(f"fold {fold}, epoch {epoch}: loss {loss:.3f}, F1 {figure:.3f}")

        large = trainer.fit(NETWORKS["boilernet"], 0, log_epoch, self.work / f"fold-{fold}-large.pt")
        small = trainer.distil(large, NETWORKS["boilernet-small"], 0, log_epoch, self.work / f"fold-{fold}-small.pt")
        arrays: dict[str, Any] = {}
        for name, net in (("boilernet", large), ("boilernet-small", small)):
            threshold = best_threshold(packed, check, trainer.scores(net, check))
            results = {"recipe": str(net.recipe), "threshold": threshold, "scores": trainer.scores(net, held)}
            arrays |= {f"{name}-{key}": np.array(value) for key, value in results.items()}
        return arrays


def site_folds(sites: Sequence[str]) -> dict[str, int]:
    """Return the fold of each site: the largest sites first, each to the fold with the fewest pages.

    >>> site_folds(["a", "a", "a", "b", "b", "c"]) == {"a": 0, "b": 1, "c": 2}
    True
    """
    counts = {site: sites.count(site) for site in sites}
    size, folds = [0] * FOLDS, {}
    for site in sorted(counts, key=lambda site: (-counts[site], hashlib.sha256(site.encode()).digest())):
        folds[site] = size.index(min(size))
        size[folds[site]] += counts[site]
    return folds
