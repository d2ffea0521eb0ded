"""dehusk train boilernet: the large network and the small one, from labelled text nodes or pages with gold text."""

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.progress import Progress
from dehusk.cli.train_options import Jobs, check_new
from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.training.boilernet.net.fit import Told
    from dehusk.training.boilernet.net.network import Net
    from dehusk.training.boilernet.net.trained import Ground
    from dehusk.training.boilernet.packed import Packed
    from dehusk.training.boilernet.recipe import Recipe

COMPARED = 80  # pages on which a file is held against the network that it was made from
SAME = 1e-4  # scores that differ by less are the same
INSTALL = "pip install 'dehusk[eval,neural,train]'"

Output = Annotated[Path, typer.Option(metavar="DIR", help="A new folder for the folders of both networks")]
Work = Annotated[
    Path,
    typer.Option(
        metavar="DIR", file_okay=False, help="Where features and unfinished networks are kept, and found again"
    ),
]
Corpora = Annotated[
    list[str] | None,
    typer.Option(
        "--data",
        "--corpus",
        metavar="NAME",
        help="A set in DEHUSK_DATA, or the path of your own data; may be repeated  [default: all that may be]",
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the first weights, and of the order of pages")]


def boilernet(
    output: Output = Path("boilernet"),
    data: Corpora = None,
    work: Work = Path("boilernet-work"),
    seed: Seed = 0,
    jobs: Jobs = None,
) -> None:
    """Train boilernet: the large network, then the small one, which learns from the large one too.

    A page needs labelled text nodes or gold text. A run that broke off goes on where it was; what is in the work folder
    can be made on a machine with a GPU, which is used where there is one.

    \b
      dehusk train boilernet --output my-boilernet
      dehusk train boilernet --data my-pages.jsonl --output my-boilernet

    Exit status: 0 trained, 2 wrong usage.
    """
    check_new(output)
    _need("torch", "onnx", "onnxruntime")
    packed = _features(work / "features.npz", data or [], jobs or os.cpu_count() or 1)
    from dehusk.training.boilernet.net.trained import Ground
    from dehusk.training.boilernet.recipe import LARGE, SMALL

    ground, command = Ground.of(packed), _command(data or [], seed)
    # Both before either is written, since a run that broke off goes on only where the output is new.
    large = ground.fitted(LARGE, seed, _told(LARGE.epochs, "large"), work / "large.pt")
    small = ground.distilled(large, SMALL, seed, _told(SMALL.epochs, "small"), work / "small.pt")
    _write(ground, large, output / "boilernet", LARGE, (command, seed))
    _write(ground, small, output / "boilernet-small", SMALL, (command, seed))
    typer.echo(f"dehusk: networks in {output}", err=True)


def _need(*packages: str) -> None:
    from importlib.util import find_spec

    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise UsageError(f"training needs {', '.join(missing)}; {INSTALL}")


def _features(path: Path, corpora: list[str], jobs: int) -> "Packed":
    from collections import Counter

    try:
        from dehusk.gold.corpora import SETS
        from dehusk.gold.trainable import training_corpora, training_pages
        from dehusk.training.boilernet.examples import examples
        from dehusk.training.boilernet.packed import Packed
    except ImportError as error:
        raise UsageError(f"training needs more packages ({error}); {INSTALL}") from error
    if not path.exists():
        opened, skipped = training_corpora(corpora), Counter[str]()
        with Progress(sum(1 for _ in training_pages(opened)), "features") as progress:
            found = examples(training_pages(opened), jobs, skipped, progress.advance)
            Packed.of(found, {corpus.name: corpus.licence for corpus in opened}, skipped).save(path)
    packed = Packed.load(path)
    # The usual sets by their names alone: features that are there need no pages, which a machine with a GPU may lack.
    usual = {name for name, (_, splits) in SETS.items() if splits}
    wanted = {corpus.name for corpus in training_corpora(corpora)} if corpora else usual
    if wanted != set(packed.licences):
        raise UsageError(f"{path} was made of {', '.join(packed.licences)}; choose another --work or remove it")
    typer.echo(f"dehusk: {len(packed.labels):,} text nodes of {len(packed.about):,} pages in {path}", err=True)
    for reason, count in packed.skipped.items():
        typer.echo(f"dehusk: {count} pages: {reason}", err=True)
    return packed


def _told(epochs: int, name: str) -> "Told":
    def told(epoch: int, loss: float, figure: float) -> None:
        typer.echo(f"dehusk: {name}, epoch {epoch} of {epochs}: loss {loss:.3f}, F1 {figure:.3f}", err=True)

    return told


def _write(ground: "Ground", net: "Net", folder: Path, recipe: "Recipe", origin: tuple[str, int]) -> None:
    from dehusk.methods.boilernet import NETWORK
    from dehusk.training.boilernet import tuning
    from dehusk.training.boilernet.export import Origin, write_about
    from dehusk.training.boilernet.net.onnx import write_eight_bits, write_onnx

    said = ground.said(net, ground.check)
    threshold = tuning.best_threshold(ground.packed, ground.check, said)
    figures = tuning.figures_by_set(ground.packed, ground.check, said < threshold)
    command, seed = origin
    about = Origin(folder.name, recipe, command, seed, threshold, figures)
    write_about(folder, ground.tags, ground.words, ground.packed, about)
    if recipe.cell == "lstm":
        write_eight_bits(ground.narrowed(net), folder / NETWORK)
    else:
        write_onnx(net, folder / NETWORK)
    _compare(ground, net, folder, threshold)


def _compare(ground: "Ground", net: "Net", folder: Path, threshold: float) -> None:
    """Hold the network's file against the network itself, on some of the pages it was checked on."""
    from tempfile import TemporaryDirectory

    import numpy as np

    from dehusk.methods.boilernet import NETWORK, WINDOW
    from dehusk.training.boilernet import tuning
    from dehusk.training.boilernet.export import scores_by_file
    from dehusk.training.boilernet.net.onnx import write_onnx

    pages = [page for page in ground.check if ground.data.size[page] <= WINDOW][:COMPARED]
    if not pages:
        typer.echo(
            f"dehusk: {folder.name}: not compared, each page to check on has more than {WINDOW} leaves", err=True
        )
        return
    labels, said = ground.data.labels[tuning.leaves_of(ground.packed, pages)], ground.said(net, pages)
    with TemporaryDirectory() as scratch:
        write_onnx(net, Path(scratch) / NETWORK)
        differ = float(np.abs(scores_by_file(Path(scratch) / NETWORK, ground.data, pages) - said).max())
    if np.isnan(differ) or differ > SAME:
        raise UsageError(f"ONNX and torch differ by {differ:.2g} on {len(pages)} pages; expected less than {SAME}")
    shipped = scores_by_file(folder / NETWORK, ground.data, pages)
    f1 = [np.mean(tuning.leaf_f1(labels, scores >= threshold)) for scores in (said, shipped)]
    typer.echo(
        f"dehusk: {folder.name}: ONNX and torch differ by {differ:.1g} on {len(pages)} pages; F1 of text nodes "
        f"{f1[0]:.4f} by torch, {f1[1]:.4f} by the file",
        err=True,
    )


def _command(corpora: list[str], seed: int) -> str:
    """Return the command that makes the same networks again."""
    named = [part for name in corpora for part in ("--data", name)]
    return shlex.join(["dehusk", "train", "boilernet", *named, "--seed", str(seed)])
