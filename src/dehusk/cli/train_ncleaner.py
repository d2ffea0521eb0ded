"""dehusk train ncleaner: tables of n-grams from pages with gold, or from raw and cleaned texts."""

import os
import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.progress import Progress
from dehusk.cli.train_options import Corpora, Jobs, Output, check_new
from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.gold.labelled import Labelled
    from dehusk.training.ncleaner.examples import Example
    from dehusk.training.ncleaner.tables import Made, Wish

Raw = Annotated[Path | None, typer.Option(metavar="DIR", help="Pages as plain text, in place of a corpus")]
Clean = Annotated[Path | None, typer.Option(metavar="DIR", help="The same texts cleaned, under the same names")]
One = Annotated[bool, typer.Option("--one", help="One table for all pages, in place of one a language")]
Order = Annotated[
    int | None,
    typer.Option("--n", metavar="N", help="Characters in an n-gram, 1 to 7  [default: 5, of non-lexical tables 6]"),
]
Q = Annotated[float, typer.Option("--q", metavar="Q", help="How much each shorter history counts of the one before")]
NonLexical = Annotated[bool, typer.Option("--non-lexical", help="Letters become a, digits 0, in every table")]
Differential = Annotated[
    bool, typer.Option("--differential", help="Dirty counts as whole pages less their gold, without aligning the two")
]


def ncleaner(
    output: Output = Path("ncleaner"),
    corpus: Corpora = None,
    raw: Raw = None,
    clean: Clean = None,
    one: One = False,
    order: Order = None,
    q: Q = 0.6,
    non_lexical: NonLexical = False,
    differential: Differential = False,
    jobs: Jobs = None,
) -> None:
    """Train ncleaner's tables: one a language with 30 pages of 10 sites or more, and a non-lexical one for all others.

    For a language of your own, 30 to 50 pages are enough: --one makes one table of them, used for every page.

    \b
      dehusk train ncleaner --output my-ncleaner
      dehusk train ncleaner --corpus my-pages/ --one --output my-ncleaner
      dehusk train ncleaner --raw dumps/ --clean cleaned/ --one --output my-ncleaner

    Exit status: 0 trained, 2 wrong usage.
    """
    check_new(output)
    if (raw is None) != (clean is None) or (raw and corpus):
        raise UsageError("texts are given by --raw and --clean together, and not beside --corpus")
    from dehusk.training.ncleaner.tables import Origin, Wish, write

    wish = Wish(order, q, not non_lexical, differential)
    examples, licences, skipped = _examples(corpus or [], raw, clean, jobs or os.cpu_count() or 1)
    tables = _tables(examples, wish, one=one)
    counted = Counter(example.corpus for example in examples)
    command = [part for name in corpus or [] for part in ("--corpus", name)]
    command += ["--raw", str(raw), "--clean", str(clean)] if raw else []
    flags = {"--one": one, "--non-lexical": non_lexical, "--differential": differential}
    command += [name for name, said in flags.items() if said]
    command += [*(["--n", str(order)] if order else []), "--q", str(q)]
    origin = Origin(
        shlex.join(["dehusk", "train", "ncleaner", *command]),
        [{"set": name, "pages": counted[name], "licence": licence} for name, licence in licences.items()],
        dict(skipped),
    )
    write(output, tables, origin)
    typer.echo(f"dehusk: tables in {output}", err=True)


def _examples(
    corpora: list[str], raw: Path | None, clean: Path | None, jobs: int
) -> "tuple[list[Example], dict[str, str], Counter[str]]":
    """Return the pages or texts as segments, the licence of each set, and what was left out by reason."""
    try:
        from dehusk.gold.corpora import OWN_LICENCE
        from dehusk.gold.trainable import training_corpora, training_pages
        from dehusk.training.ncleaner.examples import examples
        from dehusk.training.ncleaner.texts import text_pairs
    except ImportError as error:
        raise UsageError(f"training needs more packages ({error}); pip install 'dehusk[eval]'") from error
    if raw is not None and clean is not None:
        pairs = list(text_pairs(raw, clean))
        pages: Iterable[Labelled] = pairs
        count, licences = len(pairs), {pairs[0].corpus: OWN_LICENCE}
    else:
        opened = training_corpora(corpora)
        pages, count = training_pages(opened), sum(1 for _ in training_pages(opened))
        licences = {each.name: each.licence for each in opened}
    with Progress(count, "pages") as progress:
        found, skipped = examples(pages, jobs, progress.advance)
    for reason, count in skipped.items():
        typer.echo(f"dehusk: {count} pages: {reason}", err=True)
    return found, licences, skipped


def _tables(examples: "list[Example]", wish: "Wish", *, one: bool) -> "dict[str, Made]":
    from dataclasses import replace

    from dehusk.methods.ncleaner import OTHERWISE
    from dehusk.training.ncleaner.fit import FOLDS
    from dehusk.training.ncleaner.tables import by_language, made

    groups = {OTHERWISE: examples} if one else by_language(examples)
    tables = {}
    with Progress(len(groups) * (FOLDS + 1), "folds") as progress:
        for name, pages in groups.items():
            # What has to do for every language cannot know any one's words.
            own = wish if one or name != OTHERWISE else replace(wish, lexical=False)
            tables[name] = made(pages, own.recipe(name, len(pages)), progress.advance)
            shares = tables[name].shares
            typer.echo(
                f"dehusk: {name}: {len(pages):,} pages, F1 {shares.f1:.1f} %, precision {shares.precision:.1f} %, "
                f"recall {shares.recall:.1f} % of words, bias {tables[name].bias:+.2f} bits",
                err=True,
            )
    return tables
