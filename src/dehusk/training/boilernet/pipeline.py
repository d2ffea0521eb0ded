"""Pipeline: boilernet's two networks from corpora to their folders."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from dehusk.extras import require
from dehusk.gold.corpora import Corpus, training_pages
from dehusk.training.boilernet import recipe as recipes
from dehusk.training.boilernet.examples import examples
from dehusk.training.boilernet.packed import BoilernetPacked
from dehusk.training.model_folder import check_new, repeated, train_command
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
    command = train_command("boilernet", *repeated("--data", corpora), "--seed", str(seed))
    for name, net in (("boilernet", large), ("boilernet-small", small)):
        reporter.message(write(trainer, net, output / name, command, seed))


def pack(corpora: Sequence[Corpus], jobs: int, tick: Tick = lambda: None) -> BoilernetPacked:
    """Return the examples of all training pages."""
    skipped: Counter[str] = Counter()
    found = examples(training_pages(corpora), jobs, skipped, tick)
    return BoilernetPacked.of(found, licences_of(corpora), skipped)


def _on_epoch(name: str, epochs: int, reporter: Reporter) -> Callable[[int, float, float], None]:
    def report(epoch: int, loss: float, figure: float) -> None:
        reporter.message(f"{name}, epoch {epoch} of {epochs}: loss {loss:.3f}, F1 {figure:.3f}")

    return report
