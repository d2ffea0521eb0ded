"""Pipeline: texrex's nets, from corpora or files of vectors to a folder of weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.gold.corpora import training_pages
from dehusk.methods.texrex import FORMAT, OTHERWISE, language_nets
from dehusk.methods.texrex.fann import Perceptron, write_data, write_net
from dehusk.methods.texrex.features import NAMES
from dehusk.training.figures import figures_by_set
from dehusk.training.model_folder import Origin, check_new, train_command, trained_on, write_model
from dehusk.training.progress import SILENT, Reporter
from dehusk.training.texrex import page_folds, vectors
from dehusk.training.texrex.rprop import TexrexRecipe


@dataclass(frozen=True, slots=True)
class NetOptions:
    """What may be chosen about nets; None is for the recipe's own choice."""

    hidden: int | None = None
    activation: str | None = None
    epochs: int | None = None
    seed: int = 0
    fann: bool = False  # also write FANN's files; from pages, nets then learn the numbers of the original program

    def recipe(self, usual: TexrexRecipe) -> TexrexRecipe:
        """Return a recipe with these options."""
        chosen = {"hidden": self.hidden, "activation": self.activation, "epochs": self.epochs}
        return replace(usual, seed=self.seed, **{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]

    @property
    def arguments(self) -> dict[str, object]:
        """The options as the command takes them."""
        chosen = {"--hidden": self.hidden, "--activation": self.activation, "--epochs": self.epochs}
        return {**chosen, "--fann": self.fann, "--seed": self.seed}


USUAL: Final = NetOptions()


def train(
    output: Path,
    features: Path,
    corpora: Sequence[str] = (),
    options: NetOptions = USUAL,
    jobs: int = 1,
    reporter: Reporter = SILENT,
) -> None:
    """Train nets on the pages of corpora (names or paths), by default all that may be trained on.

    The examples are kept in the file `features`, and read from there if it was made of the same pages.
    """
    # Imported here since aligning gold needs the extra "eval", and training on vectors does not.
    from dehusk.training.packed import licences_of, load_or_make  # noqa: PLC0415
    from dehusk.training.texrex import examples, pages  # noqa: PLC0415

    check_new(output)
    kind = examples.QuirkyPacked if options.fann else examples.TexrexPacked
    packed = load_or_make(
        kind,
        features,
        corpora,
        lambda opened, tick: examples.pack(training_pages(opened), licences_of(opened), jobs, tick, kind),
        reporter,
    )
    recipe, groups = options.recipe(pages.RECIPE), pages.page_groups(packed)
    thresholds, f1 = {}, np.full(len(packed.info), np.nan)
    with reporter.steps((len(groups) + 1) * recipe.epochs, "epochs") as tick:
        for name, own in groups.items():
            scores = pages.held_out(packed, own, recipe, tick)
            thresholds[name] = packed.best_threshold(pages.THRESHOLDS, scores, own)
            # The Germanic net is for pages that have no other, though it is tuned on more.
            new = own & np.isnan(f1)
            f1[new] = packed.page_f1(scores < thresholds[name])[new]
        nets = pages.page_nets(packed, recipe, tick)
    sets = [info.corpus for info in packed.info]
    command = train_command("texrex", {"--corpus": corpora, **options.arguments})
    figures = figures_by_set(sets, f1, list(packed.licences))
    origin = Origin(command, trained_on(sets, packed.licences), packed.skipped, (options.seed,), figures)
    write(output, nets, thresholds, origin, quirks=kind.quirks)
    if options.fann:
        write_fann(output, nets, pages.page_vectors(packed))


def train_on_vectors(
    output: Path, files: Sequence[Path], options: NetOptions = USUAL, reporter: Reporter = SILENT
) -> None:
    """Train nets on feature vectors in FANN's format, one file per language: mine.en.dat."""
    check_new(output)
    read, recipe = vectors.read_all(files), options.recipe(vectors.RECIPE)
    if options.epochs is None:
        with reporter.steps(len(read) * max(page_folds.EPOCHS), "epochs of folds") as tick:
            recipe = replace(recipe, epochs=page_folds.best_epochs(read, recipe, tick))
        reporter.message(f"the error on held-out pages is lowest after {recipe.epochs} epochs")
    groups = vectors.groups(read)
    with reporter.steps(len(groups) * recipe.epochs, "epochs") as tick:
        nets = vectors.vector_nets(read, recipe, tick)
    origin = Origin(
        train_command("texrex", {"--data": [path.name for path in files], **options.arguments}),
        [vectors.file_facts(path, read) for path in files],
        seeds=(options.seed,),
        figures={name: vectors.accuracy(net, groups[name]) for name, net in nets.items()} | {"epochs": recipe.epochs},
    )
    write(output, nets, dict.fromkeys(nets, vectors.THRESHOLD), origin, quirks=True)
    if options.fann:
        write_fann(output, nets, read)


def write(
    folder: Path, nets: Mapping[str, Perceptron], thresholds: Mapping[str, float], origin: Origin, *, quirks: bool
) -> None:
    """Write weights.npz and model.json; `quirks` says whether the nets know the features of texrex's own program."""
    (hidden, output), *others = {(net.activation, net.last) for net in nets.values()}
    assert not others  # one recipe trained them all
    description = {
        "format": FORMAT,
        "method": "texrex",
        "name": "texrex-quirks" if quirks else "texrex",
        "quirks": quirks,
        "hidden": hidden,
        "output": output,
        "features": len(NAMES),
        "thresholds": dict(thresholds),
        "languages": language_nets(nets),
        "trained_on": list(origin.trained_on),
        "left_out": dict(origin.left_out),
        "command": origin.command,
        "seed": origin.seeds[0],
        "figures": dict(origin.figures),
    }
    weights = {f"{name}.{layer}": getattr(net, layer) for name, net in nets.items() for layer in ("hidden", "output")}
    write_model(folder, description, weights)


def write_fann(folder: Path, nets: Mapping[str, Perceptron], examples: Mapping[str, vectors.Vectors]) -> None:
    """Write boilerplate.LANGUAGE.net and .dat, as texrex's own programs read them; "iso" is for all languages."""
    for name, net in nets.items():
        write_net(folder / f"boilerplate.{'iso' if name == OTHERWISE else name}.net", net)
    for language, each in examples.items():
        write_data(folder / f"boilerplate.{language}.dat", each.inputs, each.targets[:, None])
