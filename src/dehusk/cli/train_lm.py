"""dehusk train lm: a language model from running text."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.progress import Progress
from dehusk.cli.train_options import check_new
from dehusk.errors import InputError, UsageError

if TYPE_CHECKING:
    from dehusk.training.lm.fit import Recipe

Files = Annotated[list[Path], typer.Argument(metavar="FILES", show_default=False, hidden=True)]
Lang = Annotated[str, typer.Option("--lang", metavar="XX", help="The language of the text, by its code: de, fr, …")]
Output = Annotated[Path, typer.Option(metavar="DIR", help="A new folder for ngrams.npy and model.json")]
Order = Annotated[int, typer.Option(metavar="N", min=2, max=3, help="Words in the longest n-grams: 2 or 3")]
Megabytes = Annotated[float, typer.Option(metavar="MB", min=0.6, max=4000, help="How large the model may be")]
Least = Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Leave out n-grams that come less often")]
Cutoff = Annotated[
    float | None,
    typer.Option(metavar="P", min=2, max=999_999, help="The cut-off  [default: found on sentences held back]"),
]
Sources = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help='JSON for model.json: {"NAME.txt": {"origin": "…", "licence": "…"}, …}'),
]


def lm(
    files: Files,
    lang: Lang,
    output: Output,
    order: Order = 2,
    megabytes: Megabytes = 4.0,
    least: Least = 1,
    cutoff: Cutoff = None,
    sources: Sources = None,
) -> None:
    """Train a language model on running text; FILES are text, plain or as .gz, .xz or .zst, or folders of such.

    Text is in UTF-8. Each file is a source, and counts by the root of its length, so that no one of them dominates.
    Memory is bounded by the size of the model, not by the amount of text (some 500 MB for 15 MB): counts are written to
    a temporary folder in sorted runs and merged. N-grams that come least often are left out until the model is small
    enough. The cut-off is found on sentences held back.

    \b
      dehusk train lm --lang de --output my-de texts/
      dehusk perplexity --model my-de page.txt
    """
    from dehusk.training.lm import export, fit, text

    check_new(output)
    if not (lang.isalpha() and lang.isascii() and len(lang) in (2, 3)):
        raise UsageError(f"--lang must be a code of two or three letters such as de, got {lang[:20]!r}")
    known = _known(sources)
    found = text.find(files)
    _make(output)
    recipe = fit.Recipe(lang.lower(), order, int(megabytes * 1e6), least, cutoff=cutoff)
    with Progress(max(2, text.steps(found)), "steps") as progress:
        model, figures = fit.fit(found, recipe, progress.advance)
    export.write(output, model, recipe, figures, export.Origin(_command(files, recipe), found, known))
    entries = ", ".join(f"{len(table):,}" for table in model.tables)
    typer.echo(
        f"dehusk: {sum(figures.words):,} words; entries: {entries}; cut-off {model.cutoff:,.0f}; in {output}", err=True
    )


def _make(output: Path) -> None:
    """Make the folder now: that it cannot be written to is better told before the training than after it."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        (output / "model.json").touch()
        (output / "model.json").unlink()
    except OSError as error:
        raise InputError(
            f"--output {output}: {error.strerror}; expected a folder that can be made or written to"
        ) from error


def _known(path: Path | None) -> dict[str, dict[str, str]]:
    if path is None:
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): {str(key): str(value) for key, value in about.items()} for name, about in known.items()}
    except OSError as error:
        raise InputError(f"--sources {path} cannot be read: {error.strerror}") from error
    except (ValueError, AttributeError) as error:
        raise UsageError(f'--sources {path} is not {{"NAME.txt": {{"licence": "…"}}, …}}: {error}') from error


def _command(files: list[Path], recipe: "Recipe") -> str:
    options = ["--lang", recipe.language, "--order", str(recipe.order), "--megabytes", f"{recipe.size / 1e6:g}"]
    least = ["--least", str(recipe.least)] if recipe.least > 1 else []
    cutoff = ["--cutoff", f"{recipe.cutoff:g}"] if recipe.cutoff else []
    # By name alone: where they lay is nobody's business.
    return shlex.join(["dehusk", "train", "lm", *options, *least, *cutoff, *(path.absolute().name for path in files)])
