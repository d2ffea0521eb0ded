"""Runs: the models that the experiment compares, and the pages of CleanEval judged by each."""

import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Final

from dehusk.errors import InputError
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.lm import shipped
from dehusk.lm.model import LanguageModel
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.training.lm import fit, pipeline
from dehusk.training.model_folder import Origin
from research.pyplexity.judged_pages import JudgedPage, parsed

SCIENCE: Final = ("elife_abstracts.txt.zst", "elife_intro_discussion.txt.zst")
SHIPPED: Final = {"general": "en", "science": "en-science"}
TRIGRAM_BYTES: Final = 80_000_000


def model(kind: str, order: int, work: Path, progress: Callable[[str], None]) -> LanguageModel:
    """Return the shipped bigram model, or a trigram model, which is trained first if it is missing."""
    if order == 2:
        return shipped.model(SHIPPED[kind])
    folder = work / f"{kind}-{order}"
    if not (folder / "model.json").exists():
        progress(f"training trigrams, {kind}")
        files = [path for path in _texts() if (path.name in SCIENCE) == (kind == "science")]
        recipe = fit.LmRecipe("en", order, TRIGRAM_BYTES)
        made, figures = fit.fit(files, recipe)
        origin = Origin("python -m research pyplexity", pipeline.sources(files, figures))
        pipeline.write(folder, made, recipe, figures, origin)
    return LanguageModel.loaded(folder)


def _texts() -> list[Path]:
    texts = sorted(Path(os.environ.get("DEHUSK_DATA", ""), "lm", "en").glob("*.txt.zst"))
    if not texts:
        raise InputError("found no English text; set DEHUSK_DATA to the folder that holds lm/en/*.txt.zst")
    return texts


def test_pages() -> list[GoldPage]:
    """Return the test pages of CleanEval that have gold."""
    return [page for page in open_corpus("cleaneval").pages("test") if page.gold]


def judged(pages: list[GoldPage], by: LanguageModel) -> list[JudgedPage]:
    """Return the pages with the scores of their sentences."""
    return [JudgedPage.of(page, by) for page in pages]


def seconds(pages: list[GoldPage], by: LanguageModel) -> tuple[float, float]:
    """Return the CPU seconds per page for reading its text and for judging its sentences."""
    start = process_time()
    read = [parsed(page) for page in pages]
    half = process_time()
    for page in read:
        by.measured(cut_sentences(page).strings())
    return (half - start) / len(pages), (process_time() - half) / len(pages)
