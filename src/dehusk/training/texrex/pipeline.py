"""Pipeline: texrex's nets, from corpora or files of vectors to a folder of weights."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dehusk.gold.corpora import training_pages
from dehusk.training.figures import figures_by_set
from dehusk.training.model_folder import Origin, check_new, repeated, train_command, trained_on
from dehusk.training.progress import SILENT, Reporter
from dehusk.training.texrex import vectors
from dehusk.training.texrex.export import write


def train(
    output: Path, features: Path, corpora: Sequence[str] = (), seed: int = 0, jobs: int = 1, reporter: Reporter = SILENT
) -> None:
    """Train nets on the pages of corpora (names or paths), by default all that may be trained on.

    The examples are kept in the file `features`, and read from there if it was made of the same pages.
    """
    # Imported here since aligning gold needs the extra "eval", and training on vectors does not.
    from dehusk.training.packed import licences_of, load_or_make  # noqa: PLC0415
    from dehusk.training.texrex import examples, pages  # noqa: PLC0415

    check_new(output)
    packed = load_or_make(
        examples.TexrexPacked,
        features,
        corpora,
        lambda opened, tick: examples.pack(training_pages(opened), licences_of(opened), jobs, tick),
        reporter,
    )
    recipe, groups = replace(pages.RECIPE, seed=seed), pages.page_groups(packed)
    thresholds, f1 = {}, np.full(len(packed.info), np.nan)
    with reporter.steps((len(groups) + 1) * recipe.epochs, "epochs") as tick:
        for name, own in groups.items():
            scores = pages.held_out(packed, own, recipe, tick)
            thresholds[name] = pages.choose_threshold(packed, scores, own)
            # The Germanic net is for pages that have no other, though it is tuned on more.
            new = own & np.isnan(f1)
            f1[new] = pages.f1_of_pages(packed, scores < thresholds[name])[new]
        nets = pages.page_nets(packed, recipe, tick)
    sets = [info.corpus for info in packed.info]
    command = train_command("texrex", *repeated("--corpus", corpora), "--seed", str(seed))
    figures = figures_by_set(sets, f1, list(packed.licences))
    origin = Origin(command, trained_on(sets, packed.licences), packed.skipped, (seed,), figures)
    write(output, nets, thresholds, origin, quirks=False)


def train_on_vectors(output: Path, files: Sequence[Path], seed: int = 0, reporter: Reporter = SILENT) -> None:
    """Train nets on feature vectors in FANN's format, one file per language: mine.en.dat."""
    check_new(output)
    read = vectors.read_all(files)
    groups, recipe = vectors.groups(read), replace(vectors.RECIPE, seed=seed)
    with reporter.steps(len(groups) * recipe.epochs, "epochs") as tick:
        nets = vectors.vector_nets(read, recipe, tick)
    origin = Origin(
        train_command("texrex", *repeated("--data", [path.name for path in files]), "--seed", str(seed)),
        [vectors.file_facts(path, read) for path in files],
        seeds=(seed,),
        figures={name: vectors.accuracy(net, groups[name]) for name, net in nets.items()},
    )
    write(output, nets, dict.fromkeys(nets, vectors.THRESHOLD), origin, quirks=True)
