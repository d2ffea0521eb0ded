"""dehusk train boilernet: train the general networks, or one by the paper's recipe."""

from pathlib import Path
from typing import Annotated, Any

from dehusk.cli.commands import Option
from dehusk.cli.options import Jobs, Silent
from dehusk.cli.train import CORPUS_HELP, reporter_for, workers
from dehusk.errors import UsageError
from dehusk.extras import require

Output = Annotated[
    Path, Option("--output", "-o", metavar="DIR", help="A new folder for the folders of both networks, or for one")
]
Work = Annotated[
    Path,
    Option(metavar="DIR", help="Where features and unfinished networks are kept and reused"),
]
Data = Annotated[list[str] | None, Option("--data", "--corpus", metavar="NAME", help=CORPUS_HELP)]
Seed = Annotated[
    int, Option("--seed", metavar="N", min=0, help="Seed of the initial weights and of the order of pages")
]
Paper = Annotated[
    bool, Option("--paper", help="One network by the paper's recipe, which the options below are for, in place of both")
]
Layers = Annotated[int | None, Option(metavar="N", min=1, max=8, help="Recurrent layers  [default: 2]")]
Units = Annotated[int | None, Option(metavar="N", min=1, max=4096, help="Units of each, per direction  [default: 256]")]
Dropout = Annotated[
    float | None, Option(metavar="P", min=0, max=0.99, help="Dropout after the last of them  [default: 0.5]")
]
Epochs = Annotated[int | None, Option(metavar="N", min=1, max=10_000, help="Epochs  [default: 50]")]
Tags = Annotated[int | None, Option(metavar="N", min=0, max=1000, help="Tags that it tells apart  [default: 50]")]
Words = Annotated[int | None, Option(metavar="N", min=0, max=30_000, help="Words that it tells apart  [default: 1000]")]
Split = Annotated[
    Path | None,
    Option(
        metavar="DIR",
        help="A folder with train_set.txt and dev_set.txt, one page per line  [default: the set's own splits]",
    ),
]


def boilernet(
    output: Output = Path("boilernet"),
    data: Data = None,
    work: Work = Path("boilernet-work"),
    seed: Seed = 0,
    paper: Paper = False,
    layers: Layers = None,
    units: Units = None,
    dropout: Dropout = None,
    epochs: Epochs = None,
    tags: Tags = None,
    words: Words = None,
    split: Split = None,
    jobs: Jobs = None,
    quiet: Silent = False,
) -> None:
    """Train boilernet: the large network, then the small one, which also learns from the large one.

    A page needs labelled text nodes or gold text. An interrupted run continues where it was; the work folder can be
    moved to a machine with a GPU, which is used if there is one.

    \b
      dehusk train boilernet --output my-boilernet
      dehusk train boilernet --data my-pages.jsonl --output my-boilernet
      dehusk train boilernet --paper --data googletrends2017 --layers 1 --output my-boilernet

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter = reporter_for(quiet)
    sizes = {"layers": layers, "units": units, "dropout": dropout, "epochs": epochs, "tags": tags, "words": words}
    chosen: dict[str, Any] = {name: value for name, value in {**sizes, "split": split}.items() if value is not None}
    if chosen and not paper:
        raise UsageError(f"--{min(chosen)} is for one network by the paper's recipe; add --paper or leave it out")
    if paper and len(data or ()) != 1:
        raise UsageError("--paper trains on one set; name it with --data")
    require("training", "rapidfuzz")
    from dehusk.training import boilernet as training

    if paper:
        options = training.PaperOptions(**chosen)
        training.train_paper(output, work, data or [], options, seed, workers(jobs), reporter)
        reporter.message(f"network in {output}")
        return
    training.train(output, work, data or [], seed, workers(jobs), reporter)
    reporter.message(f"networks in {output}")
