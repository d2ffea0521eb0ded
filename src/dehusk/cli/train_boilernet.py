"""dehusk train boilernet: train the general networks, or one by the paper's recipe."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from dehusk.cli.commands import Option
from dehusk.cli.options import Jobs, Silent
from dehusk.cli.train import CORPUS_HELP, reporter_for, workers
from dehusk.errors import UsageError
from dehusk.extras import require


@dataclass(frozen=True)
class BoilernetOptions:
    """The options of `dehusk train boilernet`, in the order of its help."""

    output: Annotated[
        Path, Option("--output", "-o", metavar="DIR", help="A new folder for the folders of both networks, or for one")
    ] = Path("boilernet")
    data: Annotated[list[str] | None, Option("--data", "--corpus", metavar="NAME", help=CORPUS_HELP)] = None
    work: Annotated[
        Path,
        Option(metavar="DIR", help="Where features and unfinished networks are kept and reused"),
    ] = Path("boilernet-work")
    seed: Annotated[int, Option(metavar="N", min=0, help="Seed of the initial weights and of the order of pages")] = 0
    paper: Annotated[
        bool, Option(help="One network by the paper's recipe, which the options below are for, in place of both")
    ] = False
    layers: Annotated[int | None, Option(metavar="N", min=1, max=8, help="Recurrent layers  [default: 2]")] = None
    units: Annotated[
        int | None,
        Option(metavar="N", min=1, max=4096, help="Units per direction  [default: 256]"),
    ] = None
    dropout: Annotated[
        float | None, Option(metavar="P", min=0, max=0.99, help="Dropout after the last layer  [default: 0.5]")
    ] = None
    epochs: Annotated[int | None, Option(metavar="N", min=1, max=10_000, help="Epochs  [default: 50]")] = None
    tags: Annotated[
        int | None,
        Option(metavar="N", min=0, max=1000, help="Tags in the vocabulary  [default: 50]"),
    ] = None
    words: Annotated[
        int | None, Option(metavar="N", min=0, max=30_000, help="Words in the vocabulary  [default: 1000]")
    ] = None
    split: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="A folder with train_set.txt and dev_set.txt, one page per line  [default: the set's own splits]",
        ),
    ] = None
    jobs: Jobs = None
    quiet: Silent = False


def boilernet(options: BoilernetOptions) -> None:
    """Train boilernet: the large network, then the small one, which also learns from the large one.

    A page needs labelled text nodes or gold text. An interrupted run continues where it was; the work folder can be
    moved to a machine with a GPU, which is used if there is one.

    \b
      dehusk train boilernet --output my-boilernet
      dehusk train boilernet --data my-pages.jsonl --output my-boilernet
      dehusk train boilernet --paper --data googletrends2017 --layers 1 --output my-boilernet

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter, data = reporter_for(options.quiet), options.data or []
    names = ("layers", "units", "dropout", "epochs", "tags", "words", "split")
    chosen: dict[str, Any] = {name: value for name in names if (value := getattr(options, name)) is not None}
    if chosen and not options.paper:
        raise UsageError(
            f"--{min(chosen)} is for one network by the paper's recipe; add --paper or leave it out",
            setting=min(chosen),
        )
    if options.paper and len(data) != 1:
        raise UsageError("--paper trains on one set; name it with --data", setting="paper")
    require("training", "rapidfuzz")
    from dehusk.training import boilernet as training

    output, work, seed, jobs = options.output, options.work, options.seed, workers(options.jobs)
    if options.paper:
        training.train_paper(output, work, data, training.PaperOptions(**chosen), seed, jobs, reporter)
    else:
        training.train(output, work, data, seed, jobs, reporter)
    reporter.message(f"network{'s' * (not options.paper)} in {output}")
