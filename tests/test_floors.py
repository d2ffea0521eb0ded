"""F1 floors: figures that may rise and must not fall, on pages that nothing is trained on (the part `heldout`).

`make floors` measures again and raises them. Lowering one is done by hand, with the reason in the commit. The floors of
a corpus hold for one version of its pages: if its hash changes, the test says so, and `make floors` resets them.
"""

import json
import os
from pathlib import Path
from typing import TypedDict

import pytest

from dehusk.evaluation.session import PageSelection, measure
from dehusk.evaluation.summary import summarise
from dehusk.gold.corpora import SETS, open_corpus
from dehusk.models.registry import REGISTRY

FLOORS = Path(__file__).with_name("floors.json")
# The networks of BoilerNet's paper learnt from its own splits, which have pages of the yardstick. What fiasco-visual
# does depends on the layouts in the user's cache.
METHODS = [entry.name for entry in REGISTRY if not entry.name.startswith(("boilernet-paper", "fiasco-visual"))]
NOISE = 0.0005  # figures are rounded to four digits; a smaller change is none


class Floors(TypedDict):
    sha256: str
    part: str
    f1: dict[str, float]


def read_floors() -> dict[str, Floors]:
    floors: dict[str, Floors] = json.loads(FLOORS.read_text(encoding="utf-8"))
    return floors


def measured(corpus: str) -> dict[str, float]:
    session = measure([open_corpus(corpus)], METHODS, PageSelection("heldout"), jobs=os.cpu_count() or 1)
    return {figure.system: round(figure.f1, 4) for figure in summarise(session.rows) if figure.group == "all"}


def raised(old: Floors | None, sha256: str, f1: dict[str, float]) -> Floors:
    """Return the higher of old floor and new figure for each method; the new figures if the corpus has changed."""
    floors = old["f1"] if old and old["sha256"] == sha256 else {}
    best = {method: max(figure, floors.get(method, 0.0)) for method, figure in f1.items()}
    return {"sha256": sha256, "part": "heldout", "f1": best}


def hash_problem(corpus: str, old: Floors | None, sha256: str) -> str:
    """Return why floors cannot be compared with figures of these pages, "" if they can."""
    if old is None:
        return f"{corpus} has no floors; run `make floors`"
    if old["sha256"] != sha256:
        return (
            f"the pages of {corpus} have changed (sha256 {old['sha256'][:12]}… is now {sha256[:12]}…), so its floors "
            "no longer apply; run `make floors` to reset them, and commit them with the reason for the change"
        )
    return ""


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("corpus", SETS)
def test_no_figure_falls_below_its_floor(corpus: str, request: pytest.FixtureRequest) -> None:
    floors, sha256 = read_floors(), open_corpus(corpus).sha256
    if request.config.getoption("--raise-floors"):
        figures = measured(corpus)
        floors[corpus] = raised(floors.get(corpus), sha256, {method: figures[method] for method in METHODS})
        FLOORS.write_text(json.dumps(floors, indent=1) + "\n", encoding="utf-8")
    else:
        if problem := hash_problem(corpus, floors.get(corpus), sha256):
            pytest.fail(problem, pytrace=False)
        figures = measured(corpus)
    pinned = floors[corpus]["f1"]
    assert {m: (figures[m], floor) for m, floor in pinned.items() if figures[m] < floor - NOISE} == {}
    assert set(figures) == set(pinned), "a method without a floor: run `make floors`"


def test_floors_rise_and_do_not_fall() -> None:
    old: Floors = {"sha256": "1", "part": "heldout", "f1": {"bte": 0.7, "kernel": 0.9}}
    assert raised(old, "1", {"bte": 0.6, "kernel": 0.95, "new": 0.1})["f1"] == {"bte": 0.7, "kernel": 0.95, "new": 0.1}


def test_a_changed_corpus_is_reported_and_its_floors_are_reset() -> None:
    old: Floors = {"sha256": "1", "part": "heldout", "f1": {"bte": 0.7}}
    assert raised(old, "2", {"bte": 0.6}) == {"sha256": "2", "part": "heldout", "f1": {"bte": 0.6}}
    assert "have changed (sha256 1… is now 2…)" in hash_problem("mine", old, "2")
    assert "no floors" in hash_problem("mine", None, "2")
    assert hash_problem("mine", old, "1") == ""
