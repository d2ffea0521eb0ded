"""dehusk train fiasco: a support vector machine from pages with gold."""

from pathlib import Path
from typing import Annotated

from dehusk.cli.commands import Option
from dehusk.cli.options import Jobs, Silent
from dehusk.cli.train import Corpora, Output, reporter_for, workers
from dehusk.errors import UsageError
from dehusk.extras import require


def fiasco(
    output: Output = Path("fiasco"),
    features: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Feature file, rebuilt if the pages have changed; the grid is kept beside them"
            "  [default: fiasco-work/features.npz, with --visual fiasco-work/visual.npz]",
        ),
    ] = None,
    corpus: Corpora = None,
    cost: Annotated[
        float | None,
        Option(metavar="C", min=0.0001, max=1e9, help="Cost of a wrong decision in training  [default: 4]"),
    ] = None,
    gamma: Annotated[
        float | None, Option(metavar="G", min=1e-9, max=1e6, help="How local the kernel is (gamma)  [default: 0.125]")
    ] = None,
    visual: Annotated[
        bool, Option(help="Also learn how targets look: pages are rendered first, by Chromium (dehusk[visual])")
    ] = False,
    search: Annotated[bool, Option(help="Look for the best cost and gamma first, on a grid by three folds")] = False,
    seed: Annotated[int, Option(metavar="N", min=0, help="Seed of the sample of targets")] = 0,
    jobs: Jobs = None,
    quiet: Silent = False,
) -> None:
    """Train fiasco's machine: features of target nodes, folds by site for its probabilities, then the weights.

    The lexicon and the frequencies of general English come from the folder lm in DEHUSK_DATA; without it the shipped
    lexicon is used. An interrupted search resumes where it stopped.

    \b
      dehusk train fiasco --output my-fiasco
      dehusk train fiasco --corpus my-pages.jsonl --search --output my-fiasco

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter = reporter_for(quiet)
    require("training", "rapidfuzz", "sklearn")
    from dehusk.rendering import require_rendering
    from dehusk.training import fiasco as training

    if search and (cost or gamma):
        raise UsageError("--search looks for the cost and gamma; leave out --cost and --gamma", setting="search")
    usual = training.SvmRecipe()
    if visual:
        require_rendering("--visual")
    families = (*usual.families, "visual") if visual else usual.families
    recipe = training.SvmRecipe(cost or usual.cost, gamma or usual.gamma, families=families, seed=seed)
    kept = features or Path("fiasco-work") / ("visual.npz" if visual else "features.npz")
    training.train(output, kept, corpus or [], recipe, workers(jobs), reporter, search=search)
    reporter.message(f"machine in {output}")
