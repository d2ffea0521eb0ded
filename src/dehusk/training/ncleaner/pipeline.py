"""Pipeline: ncleaner's tables, from corpora or texts to a folder."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from dehusk.gold.corpora import OWN_LICENCE, training_corpora, training_pages
from dehusk.gold.pages import GoldPage
from dehusk.methods.ncleaner import OTHERWISE
from dehusk.training.figures import FOLDS
from dehusk.training.model_folder import Origin, check_new, train_command, trained_on
from dehusk.training.ncleaner.examples import NcleanerExample, examples, text_pairs
from dehusk.training.ncleaner.tables import FittedTable, TableOptions, by_language, make_table, write
from dehusk.training.packed import licences_of
from dehusk.training.progress import SILENT, Reporter

DEFAULT_OPTIONS: Final = TableOptions()
TextFolders = tuple[Path, Path]  # of raw texts, and of the same texts cleaned


def train(
    output: Path,
    corpora: Sequence[str] = (),
    texts: TextFolders | None = None,
    options: TableOptions = DEFAULT_OPTIONS,
    jobs: int = 1,
    reporter: Reporter = SILENT,
) -> None:
    """Train tables on the pages of corpora (names or paths), by default all that may be trained on, or on texts."""
    check_new(output)
    pages, licences, skipped = _examples(corpora, texts, jobs, reporter)
    tables = _tables(pages, options, reporter)
    sets = trained_on((page.corpus for page in pages), licences)
    raw, clean = texts or (None, None)
    chosen = {
        "--corpus": corpora,
        "--raw": raw,
        "--clean": clean,
        "--recipe": "paper" if options.paper else None,
        "--one": options.one_table,
        "--non-lexical": not options.lexical,
        "--differential": options.differential,
        "--n": options.order,
        "--q": options.q,
        "--mode": options.mode,
    }
    write(output, tables, Origin(train_command("ncleaner", chosen), sets, skipped))


def _examples(
    corpora: Sequence[str], texts: TextFolders | None, jobs: int, reporter: Reporter
) -> tuple[list[NcleanerExample], dict[str, str], Counter[str]]:
    """Return the examples, the licence of each set, and how many pages were left out by reason."""
    if texts:
        pairs = list(text_pairs(*texts))
        pages: Iterable[GoldPage] = pairs
        count, licences = len(pairs), {pairs[0].corpus: OWN_LICENCE}
    else:
        opened = training_corpora(corpora)
        pages, count = training_pages(opened), sum(1 for _ in training_pages(opened))
        licences = licences_of(opened)
    with reporter.steps(count, "pages") as tick:
        made, skipped = examples(pages, jobs, tick)
    for reason, count in skipped.items():
        reporter.message(f"{count} pages: {reason}")
    return made, licences, skipped


def _tables(made: Sequence[NcleanerExample], options: TableOptions, reporter: Reporter) -> dict[str, FittedTable]:
    groups = {OTHERWISE: made} if options.one_table else by_language(made)
    tables = {}
    with reporter.steps(len(groups) * (FOLDS + 1), "folds") as tick:
        for name, pages in groups.items():
            # A table for all languages cannot know the words of any.
            own = options if options.one_table or name != OTHERWISE else replace(options, lexical=False)
            tables[name] = make_table(pages, own.recipe(name, len(pages)), tick)
            figures = tables[name].figures
            reporter.message(
                f"{name}: {len(pages):,} pages, F1 {figures.f1:.1f} %, precision {figures.precision:.1f} %, "
                f"recall {figures.recall:.1f} % of words, bias {tables[name].bias:+.2f} bits"
            )
    return tables
