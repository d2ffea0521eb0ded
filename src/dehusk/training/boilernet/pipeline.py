"""Pipeline: boilernet's two networks from corpora to their folders, and one by the paper's recipe."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dehusk.extras import require
from dehusk.gold.corpora import Corpus, training_pages
from dehusk.gold.pages import TWICE
from dehusk.training.boilernet import recipe as recipes
from dehusk.training.boilernet.examples import pack_pages
from dehusk.training.boilernet.inputs import TAGS, WORDS
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.boilernet.paper import PaperPages, own_split, split_of_folder
from dehusk.training.model_folder import check_new, train_command
from dehusk.training.packed import licences_of, load_or_make
from dehusk.training.progress import SILENT, Reporter, Tick


def train(
    output: Path, work: Path, corpora: Sequence[str] = (), seed: int = 0, jobs: int = 1, reporter: Reporter = SILENT
) -> None:
    """Train the large network, then the small one, on corpora (names or paths), by default all that may be trained on.

    Examples and unfinished networks are kept in the folder `work`, from which an interrupted training continues.
    """
    check_new(output)
    require("training", "torch", "onnx", "onnxruntime")
    from dehusk.training.boilernet.net.export import write  # noqa: PLC0415  (needs torch)
    from dehusk.training.boilernet.net.trainer import Trainer  # noqa: PLC0415

    packed = load_or_make(
        BoilernetPacked, work / "features.npz", corpora, lambda opened, tick: pack(opened, jobs, tick), reporter
    )
    trainer = Trainer.of(packed)
    # Both before either is written, since an interrupted training continues only if the output is new.
    large = trainer.fit(recipes.LARGE, seed, _on_epoch("large", recipes.LARGE.epochs, reporter), work / "large.pt")
    report = _on_epoch("small", recipes.SMALL.epochs, reporter)
    small = trainer.distil(large, recipes.SMALL, seed, report, work / "small.pt")
    command = train_command("boilernet", {"--data": corpora, "--seed": seed})
    for name, net in (("boilernet", large), ("boilernet-small", small)):
        reporter.message(write(trainer, net, output / name, command, seed))


@dataclass(frozen=True, slots=True)
class PaperOptions:
    """What the authors' program lets its users choose."""

    layers: int = recipes.PAPER.layers
    units: int = recipes.PAPER.width
    dropout: float = recipes.PAPER.dropout
    epochs: int = recipes.PAPER.epochs
    tags: int = TAGS
    words: int = WORDS
    split: Path | None = None  # a folder with train_set.txt and dev_set.txt

    @property
    def recipe(self) -> recipes.BoilernetRecipe:
        """The recipe of the network."""
        chosen_from, paper = min(recipes.PAPER.chosen_from, self.epochs), recipes.PAPER
        sized = replace(paper, layers=self.layers, width=self.units, dropout=self.dropout)
        return replace(sized, epochs=self.epochs, chosen_from=chosen_from)

    @property
    def arguments(self) -> dict[str, Any]:
        """What the command line was given."""
        plain, own = asdict(PaperOptions()), asdict(self)
        return {"--paper": True, **{f"--{name}": value for name, value in own.items() if value != plain[name]}}


def train_paper(
    output: Path,
    work: Path,
    corpora: Sequence[str],
    options: PaperOptions,
    seed: int = 0,
    jobs: int = 1,
    reporter: Reporter = SILENT,
) -> None:
    """Train one network as in the paper, on the splits of one set, or those of a folder."""
    check_new(output)
    require("training", "torch", "onnx", "onnxruntime")
    from dehusk.training.boilernet.net.export import write_paper  # noqa: PLC0415  (needs torch)
    from dehusk.training.boilernet.net.fit import FitTask, fit  # noqa: PLC0415

    path = work / "paper-features.npz"
    packed = load_or_make(BoilernetPacked, path, corpora, lambda opened, _: pack_splits(opened, jobs), reporter)
    everything = range(len(packed.info))
    split = split_of_folder(packed, options.split) if options.split else own_split(packed, everything)
    pages = PaperPages.of(packed, split, options.tags, options.words)
    reporter.message(f"{len(pages.train)} training pages, {len(pages.check)} validation pages")
    task = FitTask(pages.data, pages.data.labels, pages.train, pages.check, pages.judge)
    on_epoch = _on_epoch("paper", options.epochs, reporter)
    net = fit(task, options.recipe, seed, on_epoch, work / "paper.pt")
    command = train_command("boilernet", {**options.arguments, "--data": corpora, "--seed": seed})
    reporter.message(write_paper(pages, net, output, command, seed))


def pack_splits(corpora: Sequence[Corpus], jobs: int) -> BoilernetPacked:
    """Return the examples of all pages of the splits that may be trained on, the yardstick's among them.

    A defect of a gold text leaves the labels of nodes usable: a list of links has no content.
    """
    pages = (page for corpus in corpora for page in corpus.pages() if page.split in corpus.train_splits)
    return pack_pages((page for page in pages if page.defect != TWICE), licences_of(corpora), jobs)


def pack(corpora: Sequence[Corpus], jobs: int, tick: Tick = lambda: None) -> BoilernetPacked:
    """Return the examples of all training pages."""
    return pack_pages(training_pages(corpora), licences_of(corpora), jobs, tick)


def _on_epoch(name: str, epochs: int, reporter: Reporter) -> Callable[[int, float, float], None]:
    def report(epoch: int, loss: float, figure: float) -> None:
        reporter.message(f"{name}, epoch {epoch} of {epochs}: loss {loss:.3f}, F1 {figure:.3f}")

    return report
