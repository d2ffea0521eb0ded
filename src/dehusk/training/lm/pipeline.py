"""Pipeline: a language model from files of running text to a folder."""

from collections.abc import Sequence
from pathlib import Path

from dehusk.errors import InputError
from dehusk.lm.model import LanguageModel
from dehusk.training.lm.export import SourceFacts, sources, write
from dehusk.training.lm.fit import Figures, LmRecipe, fit
from dehusk.training.lm.text_files import find, steps
from dehusk.training.model_folder import Origin, check_new, train_command
from dehusk.training.progress import SILENT, Reporter


def train(
    output: Path, paths: Sequence[Path], recipe: LmRecipe, known: SourceFacts | None = None, reporter: Reporter = SILENT
) -> tuple[LanguageModel, Figures]:
    """Train a language model on files of text and folders of such; `known` is copied to model.json."""
    check_new(output)
    files = find(paths)
    _check_writable(output)
    with reporter.steps(max(2, steps(files)), "steps") as tick:
        model, figures = fit(files, recipe, tick)
    write(output, model, recipe, figures, Origin(_command(paths, recipe), sources(files, figures, known)))
    return model, figures


def _check_writable(output: Path) -> None:
    """Make the folder now: better to fail before the training than after it."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        (output / "model.json").touch()
        (output / "model.json").unlink()
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}; expected a folder that can be made or written to") from error


def _command(paths: Sequence[Path], recipe: LmRecipe) -> str:
    options = ["--lang", recipe.language, "--order", str(recipe.order), "--megabytes", f"{recipe.size / 1e6:g}"]
    least = ["--least", str(recipe.least)] if recipe.least > 1 else []
    cutoff = ["--cutoff", f"{recipe.cutoff:g}"] if recipe.cutoff else []
    # By name alone: the folders of this machine are nobody's business.
    return train_command("lm", *options, *least, *cutoff, *(path.absolute().name for path in paths))
