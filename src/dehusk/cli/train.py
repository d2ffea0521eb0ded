"""dehusk train: a method's weights, trained again from pages with gold, or a language model from text."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from dehusk.cli.commands import Argument, Option
from dehusk.cli.options import Jobs, Silent
from dehusk.cli.progress import ProgressDisplay
from dehusk.cli.terminal import print_message
from dehusk.errors import InputError, UsageError
from dehusk.extras import require
from dehusk.training.progress import SILENT, Reporter, Tick

CORPUS_HELP = (
    "A set in DEHUSK_DATA, or the path of your own data; may be repeated  [default: all that may be trained on]"
)


class Terminal(Reporter):
    """Shows progress bars, and prints messages to standard error."""

    @contextmanager
    def steps(self, total: int | None, what: str) -> Iterator[Tick]:
        """Show a progress bar."""
        with ProgressDisplay(total, what) as progress:
            yield progress.advance

    message = staticmethod(print_message)


def reporter_for(quiet: bool) -> Reporter:
    """Return what shows how far a training is."""
    return SILENT if quiet else Terminal()


Output = Annotated[Path, Option("--output", "-o", metavar="DIR", help="A new folder for weights.npz and model.json")]
Corpora = Annotated[list[str] | None, Option("--corpus", metavar="NAME", help=CORPUS_HELP)]


def workers(jobs: int | None) -> int:
    """Return how many worker processes to start."""
    return jobs or os.cpu_count() or 1


class KernelStep(StrEnum):
    """The steps of training the kernel that can be run on their own."""

    features = "features"
    folds = "folds"
    sets = "sets"
    weights = "weights"


Seeds = Annotated[
    list[int] | None,
    Option(
        "--seed",
        metavar="N",
        min=0,
        help="Seed of a network's initial weights and of what is hidden during training; may be repeated for one"
        " network each  [default: 0, 1, 2]",
    ),
]
Only = Annotated[
    KernelStep | None,
    Option(
        metavar="STEP",
        help="features, folds (predictions to tune on), sets (each predicted by a model trained without it) or weights"
        "  [default: all that the weights need]",
    ),
]


def kernel(
    output: Output = Path("kernel"),
    features: Annotated[
        Path,
        Option(
            metavar="FILE", help="Feature file, created if missing; the predictions of the folds are kept beside them"
        ),
    ] = Path("kernel-work/features.npz"),
    corpus: Corpora = None,
    seeds: Seeds = None,
    jobs: Jobs = None,
    only: Only = None,
    quiet: Silent = False,
) -> None:
    """Train the kernel: features, five folds to tune on, then the weights.

    Existing files are reused: an interrupted run continues, and features made on one machine can be trained on at
    another, without the pages.

    \b
      dehusk train kernel --output my-kernel
      dehusk train kernel --only features --features work/features.npz

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter = reporter_for(quiet)
    require("training", "rapidfuzz")
    from dehusk.training.kernel import pipeline as training
    from dehusk.training.model_folder import check_new

    corpora, chosen, folder = corpus or [], seeds or [], features.parent
    if only is None:
        training.train(output, features, corpora, chosen, workers(jobs), reporter)
    else:
        if only is KernelStep.weights:
            check_new(output)
        if only is not KernelStep.features:
            require("training", "torch")
        packed = training.load_features(features, corpora, workers(jobs), reporter)
        if only is KernelStep.folds:
            training.predict_folds(packed, folder, chosen, reporter)
        if only is KernelStep.sets:
            training.predict_sets(packed, folder, chosen, reporter)
        if only is KernelStep.weights:
            training.train_weights(output, packed, folder, chosen, reporter)
    if only in (None, KernelStep.weights):
        reporter.message(f"weights in {output}")


def texrex(
    output: Output = Path("texrex"),
    data: Annotated[
        list[Path] | None,
        Option(
            metavar="FILE",
            help="Feature vectors in FANN's format in place of pages, such as mine.en.dat; may be repeated",
        ),
    ] = None,
    features: Annotated[Path, Option(metavar="FILE", help="Feature file, rebuilt if the pages have changed")] = Path(
        "texrex-work/features.npz"
    ),
    corpus: Corpora = None,
    hidden: Annotated[int | None, Option(metavar="N", min=1, max=1000, help="Hidden units  [default: 18]")] = None,
    activation: Annotated[
        str | None,
        Option(metavar="NAME", help="`sigmoid symmetric` or `gaussian symmetric`  [default: sigmoid symmetric]"),
    ] = None,
    epochs: Annotated[
        int | None,
        Option(
            metavar="N", min=1, help="Training epochs  [default: 300 on pages; on vectors, chosen by folds of pages]"
        ),
    ] = None,
    fann: Annotated[
        bool,
        Option(
            help="Also write the nets and their vectors in FANN's format, for the original program; on pages, nets are"
            " then trained on that program's numbers"
        ),
    ] = False,
    seed: Annotated[int, Option(metavar="N", min=0, help="Seed of the initial weights")] = 0,
    jobs: Jobs = None,
    quiet: Silent = False,
) -> None:
    """Train texrex's nets: one per language, one for the Germanic languages, one for all.

    From pages they learn the paper's features, from vectors whatever those contain: the author's have the numbers of
    the original program.

    \b
      dehusk train texrex --output my-texrex
      dehusk train texrex --data mine.en.dat --data mine.de.dat --output my-texrex
      dehusk train texrex --corpus my-pages.jsonl --fann --output my-texrex

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter = reporter_for(quiet)
    from dehusk.training import texrex as training

    if data and corpus:
        raise UsageError("nets are trained on pages or on vectors; choose one of --corpus and --data", setting="data")
    options = training.NetOptions(hidden, activation, epochs, seed, fann)
    if data:
        training.train_on_vectors(output, data, options, reporter)
    else:
        require("training", "rapidfuzz")
        training.train(output, features, corpus or [], options, workers(jobs), reporter)
    reporter.message(f"nets in {output}")


class NcleanerRecipeName(StrEnum):
    """How tables are made."""

    usual = "usual"
    paper = "paper"


def ncleaner(
    output: Output = Path("ncleaner"),
    corpus: Corpora = None,
    raw: Annotated[Path | None, Option(metavar="DIR", help="Pages as plain text, in place of a corpus")] = None,
    clean: Annotated[Path | None, Option(metavar="DIR", help="The same texts cleaned, under the same names")] = None,
    one: Annotated[bool, Option(help="One table for all pages, in place of one per language")] = False,
    order: Annotated[
        int | None,
        Option("--n", metavar="N", help="Characters in an n-gram, 1 to 7  [default: 5, in non-lexical tables 6]"),
    ] = None,
    q: Annotated[
        float | None, Option(metavar="Q", help="Weight of each shorter history, relative to the next  [default: 0.6]")
    ] = None,
    mode: Annotated[
        int | None,
        Option(
            metavar="N",
            min=0,
            max=3,
            help="The original's folding: 0 Latin-1, 1 ASCII and tildes, 2 vowels and consonants, 3 letters and digits",
        ),
    ] = None,
    recipe: Annotated[
        NcleanerRecipeName,
        Option(help="paper: n 3, q 0.5, mode 1, differential counts, no bias, no neighbours, no n-gram left out"),
    ] = NcleanerRecipeName.usual,
    non_lexical: Annotated[bool, Option(help="Letters become a, digits 0, in every table")] = False,
    differential: Annotated[
        bool, Option(help="Dirty counts are those of whole pages minus those of their gold")
    ] = False,
    jobs: Jobs = None,
    quiet: Silent = False,
) -> None:
    """Train ncleaner's tables: one per language with at least 30 pages of 10 sites, and a non-lexical one for the rest.

    For a language of your own, 30 to 50 pages are enough: --one makes one table of them, used for every page.

    \b
      dehusk train ncleaner --output my-ncleaner
      dehusk train ncleaner --corpus my-pages/ --one --output my-ncleaner
      dehusk train ncleaner --raw dumps/ --clean cleaned/ --one --output my-ncleaner
      dehusk train ncleaner --corpus my-pages/ --one --recipe paper --output my-ncleaner

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter = reporter_for(quiet)
    require("training", "rapidfuzz")
    from dehusk.training import ncleaner as training

    if (raw is None) != (clean is None) or (raw and corpus):
        raise UsageError("--raw and --clean go together, and not with --corpus", setting="raw")
    by_paper = recipe is NcleanerRecipeName.paper
    options = training.TableOptions(order, q, not non_lexical, differential, one, by_paper, mode)
    texts = (raw, clean) if raw and clean else None
    training.train(output, corpus or [], texts, options, workers(jobs), reporter)
    reporter.message(f"tables in {output}")


def lm(
    files: Annotated[list[Path], Argument("FILES")],
    lang: Annotated[str, Option(metavar="XX", help="Code of the language of the text: de, fr, …")],
    output: Annotated[Path, Option("--output", "-o", metavar="DIR", help="A new folder for ngrams.npy and model.json")],
    order: Annotated[int, Option(metavar="N", min=2, max=3, help="Words in the longest n-grams: 2 or 3")] = 2,
    megabytes: Annotated[float, Option(metavar="MB", min=0.6, max=4000, help="Largest size of the model")] = 4.0,
    least: Annotated[int, Option(metavar="N", min=1, max=64, help="Leave out n-grams that occur less often")] = 1,
    cutoff: Annotated[
        float | None,
        Option(metavar="P", min=2, max=999_999, help="The cut-off  [default: chosen on held-out sentences]"),
    ] = None,
    sources: Annotated[
        Path | None,
        Option(metavar="FILE", help='JSON for model.json: {"NAME.txt": {"origin": "…", "licence": "…"}, …}'),
    ] = None,
    quiet: Silent = False,
) -> None:
    """Train a language model on running text; FILES are text, plain or as .gz, .xz or .zst, or folders of such.

    Text is in UTF-8. Each file is a source, weighted by the root of its length so that none dominates. Memory is
    bounded by the size of the model, not by the amount of text (some 500 MB for 15 MB): counts are written to a
    temporary folder in sorted runs and merged. The rarest n-grams are left out until the model is small enough. The
    cut-off is chosen on held-out sentences.

    \b
      dehusk train lm --lang de --output my-de texts/
      dehusk perplexity --model my-de page.txt

    Exit status: 0 trained, 2 wrong usage.
    """
    reporter = reporter_for(quiet)
    from dehusk.training import lm as training

    if not (lang.isalpha() and lang.isascii() and len(lang) in (2, 3)):
        raise UsageError(f"--lang must be a code of two or three letters such as de, got {lang[:20]!r}", setting="lang")
    recipe = training.LmRecipe(lang.lower(), order, int(megabytes * 1e6), least, cutoff=cutoff)
    model, figures = training.train(output, files, recipe, _read_sources(sources), reporter)
    entries = ", ".join(f"{len(table):,}" for table in model.tables)
    reporter.message(f"{sum(figures.words):,} words; entries: {entries}; cut-off {model.cutoff:,.0f}; in {output}")


def _read_sources(path: Path | None) -> dict[str, dict[str, str]]:
    if path is None:
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): {str(key): str(value) for key, value in facts.items()} for name, facts in known.items()}
    except OSError as error:
        raise InputError(f"--sources {path} cannot be read: {error.strerror}") from error
    except (ValueError, AttributeError) as error:
        raise UsageError(
            f'--sources {path} is not {{"NAME.txt": {{"licence": "…"}}, …}}: {error}', setting="sources"
        ) from error


def badness(output: Output) -> None:
    """Train the profiles by which `dehusk corpus` judges the quality of text, from the running text in DEHUSK_DATA.

    Exit status: 0 the profiles were written, 2 wrong usage.
    """
    from dehusk.training.badness import write_profiles

    data = os.environ.get("DEHUSK_DATA")
    if not data:
        raise UsageError("DEHUSK_DATA is not set; expected the folder that has running text in lm/")
    languages = write_profiles(Path(data), output, f"dehusk train badness --output {output.name}")
    print_message(f"profiles of {', '.join(languages)} in {output}")
