"""pyplexity: the paper's CleanEval table, its sweep of cut-offs and its costs; and what the models can distinguish.

The sweep uses plain perplexity, without the doubt that the method adds. The paper's sweep measures searches in
ClueWeb12, which is not available here: ours measures the similarity on CleanEval and the remaining text. Trigram models
are trained from text in DEHUSK_DATA/lm and kept in `pyplexity-work`, and the plots are written there.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.evaluation.metrics import edit_similarity
from dehusk.evaluation.peers import Peer, find_peer
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.lm import shipped
from dehusk.training.lm.fit import DOUBT
from research import Line, PaperTable, Progress, charts_of
from research.pyplexity import paper, runs, tuning
from research.pyplexity.judged_pages import JudgedPage, parsed
from research.pyplexity.program import remaining
from research.pyplexity.separation import separation

PAPER: Final = (
    "Fernández-Pichel, Prada-Corral, Losada, Pichel, Gamallo: An unsupervised perplexity-based method for boilerplate "
    "removal. Natural Language Engineering, 2023, tables 2, 4, 5 and 7"
)
WORK: Final = Path("pyplexity-work")
MODELS: Final = (("general", 2), ("science", 2), ("general", 3), ("science", 3))
TODAYS_PAGES: Final = 300
GRAMS: Final = {2: "bigrams", 3: "trigrams"}

Sweep = dict[
    tuple[str, int], list[tuple[float, float]]
]  # similarity and remaining share of text, per model and cut-off


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield all tables, and draw the figures."""
    charts = charts_of("pyplexity")
    progress("training pages")
    yield _tuning()
    progress("separation")
    yield _separation()
    pages = runs.test_pages()
    progress("CleanEval, jusText")
    yield _table_7(pages)
    sweep: Sweep = {}
    for kind, order in MODELS:
        model = runs.model(kind, order, WORK, progress)
        progress(f"CleanEval, {kind}, {GRAMS[order]}")
        sweep[kind, order] = _sweep_of(runs.judged(pages, model))
    yield _similarities(sweep)
    yield _sizes(sweep)
    progress("table 2 by the program's own scores")
    yield _by_the_program(pages)
    progress("costs")
    yield _costs(pages)
    progress(f"plots, in {WORK}")
    charts.draw(sweep, WORK)


def _tuning() -> PaperTable:
    lines = []
    for language in ("en", "de", "pl"):
        pages = tuning.judged_pages(language)
        for doubt in tuning.DOUBTS if language == "en" else (DOUBT,):
            choice = tuning.chosen(pages, doubt)
            name = f"{language}, {choice.pages} pages, doubt of {doubt:g} words"
            ours = (choice.cutoff, *(100 * each for each in (choice.best, choice.crossed, choice.everything)))
            lines.append(Line(name, (None,) * 4, ours))
    columns = ("cut-off", "F1 %", "F1 % on other folds", "F1 % of all text")
    note = "Bag of words, mean over pages; five folds by site. No test pages."
    return PaperTable("The choice of cut-offs on training pages", columns, tuple(lines), note)


def _separation() -> PaperTable:
    lines = []
    for part in ("train", "yardstick"):
        for kind, name in runs.SHIPPED.items():
            result = separation(open_corpus("wcxb-dev").pages(part), shipped.model(name))
            ours = tuple(100 * share for share in (result.length, result.perplexity, result.score))
            title = (
                f"{part}, {kind}: {result.snippets:,} snippets, {result.sentences:,} sentences, {result.pairs:,} pairs"
            )
            lines.append(Line(title, (None,) * 5, (*ours, 100 * result.matched, 100 * result.bare)))
    columns = ("length alone", "perplexity", "score", "score, same length", "the same without final stops")
    note = "How often boilerplate is distinguished from a sentence, per cent; 50 is chance. Not in the paper."
    return PaperTable("Boilerplate and sentences of wcxb-dev (AUC)", columns, tuple(lines), note)


def _table_7(pages: list[GoldPage]) -> PaperTable:
    model, justext = shipped.model("en"), find_peer("justext")
    judged = runs.judged(pages, model)
    whole = [page.text(page.everything) for page in judged]
    rows: dict[str, tuple[float | None, list[str]]] = {
        "jusText": (paper.JUSTEXT, [_run(justext, page) for page in pages]),
        "all text": (None, whole),
        **{
            f"perplexity below {cutoff:,}": (printed, [page.text(page.below(cutoff)) for page in judged])
            for cutoff, printed in paper.SIMILARITY.items()
        },
        "`pyplexity`, tuned on training pages": (
            None,
            [page.text(page.below(model.cutoff, model.doubt)) for page in judged],
        ),
    }
    lines = []
    for name, (printed, texts) in rows.items():
        similarities = [edit_similarity(text, page.gold) for text, page in zip(texts, judged, strict=True)]
        remaining = 100 * sum(map(len, texts)) / sum(map(len, whole))
        lines.append(Line(name, (printed, None), (float(np.mean(similarities)), remaining)))
    title = f"Table 7: mean similarity on CleanEval, {len(pages)} test pages, per cent"
    note = "Levenshtein distance in words over the longer length, the same for all rows. The paper has 625 pages."
    return PaperTable(title, ("similarity", "remaining text"), tuple(lines), note)


def _run(peer: Peer, page: GoldPage) -> str:
    """Return the output of another program, empty if it fails, as `dehusk compare` counts it too."""
    html = parsed(page).html
    try:
        return peer.run(html, "en")
    except Exception:
        return ""


def _sweep_of(judged: list[JudgedPage]) -> list[tuple[float, float]]:
    whole = sum(len(page.text(page.everything)) for page in judged)
    figures = []
    for cutoff in paper.CUTOFFS:
        kept = [page.below(cutoff) for page in judged]
        remaining = sum(len(page.text(stays)) for page, stays in zip(judged, kept, strict=True))
        similarities = [page.similarity(stays) for page, stays in zip(judged, kept, strict=True)]
        figures.append((float(np.mean(similarities)), 100 * remaining / whole))
    return figures


def _similarities(sweep: Sweep) -> PaperTable:
    lines = tuple(
        Line(f"{kind}, {GRAMS[order]}", (None,) * len(figures), tuple(similarity for similarity, _ in figures))
        for (kind, order), figures in sweep.items()
    )
    title = "Similarity on CleanEval by cut-off, per cent"
    note = "The paper's sweep, table 2, has the precision of searches: P@5 of 0.56 to 0.63, without a trend."
    return PaperTable(title, _columns(), lines, note)


def _sizes(sweep: Sweep) -> PaperTable:
    lines = []
    for (kind, order), figures in sweep.items():
        printed = tuple(100 * size / paper.BASELINE_GIGABYTES for size in paper.GIGABYTES[kind, order])
        lines.append(Line(f"{kind}, {GRAMS[order]}", printed, tuple(share for _, share in figures)))
    note = (
        "The paper gives the size of the index of ClueWeb12 relative to that of all text; ours counts the characters "
        "of CleanEval's pages, of which the gold has more than half."
    )
    return PaperTable("Table 2: remaining text by cut-off, per cent", _columns(), tuple(lines), note)


def _by_the_program(pages: list[GoldPage]) -> PaperTable:
    today = list(open_corpus("wcxb-dev").pages("train", TODAYS_PAGES))
    lines = []
    for name, chosen in (("CleanEval's test pages", pages), (f"{TODAYS_PAGES} training pages of wcxb-dev", today)):
        amounts = remaining(chosen, shipped.model("en"), 8000)
        own = [JudgedPage.of(page, shipped.model("en")) for page in chosen]
        whole = sum(len(page.text(page.everything)) for page in own)
        ours = sum(len(page.text(page.below(8000))) for page in own) / whole
        shares = (ours, amounts.kept / amounts.text, amounts.kept / amounts.source)
        lines.append(
            Line(name, (None, None, 100 * 93 / paper.BASELINE_GIGABYTES), tuple(100 * each for each in shares))
        )
    columns = ("of the text, by our scores", "of the text, by the program's", "of the HTML, by the program's")
    title = "Table 2 at 8,000, general bigrams: of what the remaining text is a share, per cent"
    return PaperTable(title, columns, tuple(lines))


def _columns() -> tuple[str, ...]:
    return tuple(f"{cutoff // 1000}K" for cutoff in paper.CUTOFFS)


def _costs(pages: list[GoldPage]) -> PaperTable:
    lines = []
    for name, each in zip(("tags removed", "perplexities"), runs.seconds(pages, shipped.model("en")), strict=True):
        hours = each * paper.PAGES / 3600
        lines.append(Line(name, (paper.CPU_HOURS, paper.KILOGRAMS), (hours, paper.carbon(hours))))
    note = (
        f"Hours of one core for {paper.PAGES:,} pages like CleanEval's, on this machine; kg by equation 9 with the "
        f"paper's {paper.CARBON} kg per kWh and {paper.WATTS} W per core. The paper's pages are larger."
    )
    return PaperTable("Tables 4 and 5: the cost of cleaning", ("CPU hours", "kg of CO2"), tuple(lines), note)
