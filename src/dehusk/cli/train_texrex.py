"""dehusk train texrex: nets from pages with gold, or from feature vectors in FANN's format."""

import os
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from dehusk.cli.progress import Progress
from dehusk.cli.train_options import Corpora, Jobs, Output, check_new
from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.training.texrex.examples import Packed

Data = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Feature vectors in FANN's format in place of pages, such as mine.en.dat; may be repeated",
    ),
]
Features = Annotated[Path, typer.Option(metavar="FILE", help="Features of the pages, made where they are not there")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the first weights")]


def texrex(
    output: Output = Path("texrex"),
    data: Data = None,
    features: Features = Path("texrex-work/features.npz"),
    corpus: Corpora = None,
    seed: Seed = 0,
    jobs: Jobs = None,
) -> None:
    """Train texrex's nets: one a language, one for the Germanic languages, one for all.

    From pages they learn the paper's features, from vectors what those hold: of the author's, the original's numbers.

    \b
      dehusk train texrex --output my-texrex
      dehusk train texrex --data mine.en.dat --data mine.de.dat --output my-texrex

    Exit status: 0 trained, 2 wrong usage.
    """
    check_new(output)
    if data and corpus:
        raise UsageError("nets are trained on pages or on vectors; choose one of --corpus and --data")
    if data:
        _from_vectors(data, seed, output)
    else:
        _from_pages(_packed(features, corpus or [], jobs or os.cpu_count() or 1), corpus or [], seed, output)
    typer.echo(f"dehusk: nets in {output}", err=True)


def _from_vectors(paths: list[Path], seed: int, output: Path) -> None:
    from dataclasses import replace

    from dehusk.training.texrex import vectors
    from dehusk.training.texrex.export import Origin, write

    read = vectors.read_all(paths)
    groups, recipe = vectors.groups(read), replace(vectors.RECIPE, seed=seed)
    with Progress(len(groups) * recipe.epochs, "epochs") as progress:
        nets = vectors.vector_nets(read, recipe, progress.advance)
    right = {name: vectors.accuracy(net, groups[name]) for name, net in nets.items()}
    command = [part for path in paths for part in ("--data", path.name)]
    origin = Origin(
        "texrex-quirks",
        True,
        shlex.join(["dehusk", "train", "texrex", *command, "--seed", str(seed)]),
        seed,
        [vectors.about(path, read) for path in paths],
        {},
        right,
    )
    write(output, nets, dict.fromkeys(nets, vectors.THRESHOLD), origin)


def _packed(path: Path, corpora: list[str], jobs: int) -> "Packed":
    try:
        from dehusk.gold.trainable import training_corpora, training_pages
        from dehusk.training.texrex.examples import Packed, packed
    except ImportError as error:
        raise UsageError(f"training needs more packages ({error}); pip install 'dehusk[eval]'") from error
    if not path.exists():
        opened = training_corpora(corpora)
        with Progress(sum(1 for _ in training_pages(opened)), "features") as progress:
            licences = {corpus.name: corpus.licence for corpus in opened}
            packed(training_pages(opened), licences, jobs, progress.advance).save(path)
    found = Packed.load(path)
    if _set_names(corpora) != set(found.licences):
        raise UsageError(f"{path} was made of {', '.join(found.licences)}; choose another --features or remove it")
    typer.echo(f"dehusk: {len(found.page):,} blocks of {len(found.about):,} pages in {path}", err=True)
    for reason, count in found.skipped.items():
        typer.echo(f"dehusk: {count} pages: {reason}", err=True)
    return found


def _set_names(corpora: list[str]) -> set[str]:
    from dehusk.gold.corpora import SETS

    # Names suffice: features that are there need no pages.
    if not corpora:
        return {name for name, (_, splits) in SETS.items() if splits}
    return {name if name in SETS else Path(name).resolve().name.partition(".jsonl")[0] for name in corpora}


def _from_pages(packed: "Packed", corpora: list[str], seed: int, output: Path) -> None:
    from dataclasses import replace

    from dehusk.training.texrex import pages
    from dehusk.training.texrex.export import Origin, write

    recipe, groups = replace(pages.RECIPE, seed=seed), pages.page_groups(packed)
    thresholds, f1 = {}, np.full(len(packed.about), np.nan)
    with Progress((len(groups) + 1) * recipe.epochs, "epochs") as progress:
        for name, own in groups.items():
            said = pages.held_out(packed, own, recipe, progress.advance)
            thresholds[name] = pages.best_threshold(packed, said, own)
            # The Germanic net is for pages that have no other, though it is tuned on more.
            new = own & np.isnan(f1)
            f1[new] = pages.page_f1(packed, said < thresholds[name])[new]
        nets = pages.page_nets(packed, recipe, progress.advance)
    counted = Counter(about.corpus for about in packed.about)
    command = [part for name in corpora for part in ("--corpus", name)]
    origin = Origin(
        "texrex",
        False,
        shlex.join(["dehusk", "train", "texrex", *command, "--seed", str(seed)]),
        seed,
        [{"set": name, "pages": counted[name], "licence": licence} for name, licence in packed.licences.items()],
        packed.skipped,
        pages.figures_by_set(packed, f1),
    )
    write(output, nets, thresholds, origin)
