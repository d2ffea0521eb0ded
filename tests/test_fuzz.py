"""The fuzzer itself: it sees what was planted, makes it small, counts right; and a minute of it finds nothing."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dehusk import Document, Extractor, Metadata, Page, formats
from dehusk.formats import PLAIN, Look
from fuzz import commands, failures, growth, invariants, limits, output_invariants, pages, seeds
from fuzz.campaign import Budget, Campaign, Places, smallest, still_fails
from fuzz.child import Child
from fuzz.execution import METHODS, Failure, Request, Runner, requests
from fuzz.failures import Saved
from fuzz.invariants import InvariantError
from fuzz.minimise import minimised
from fuzz.mutations import MUTATIONS, USUAL_BYTES, Case, make
from fuzz.output_invariants import OUTPUT, Written
from fuzz.shapes import FEW, SHAPES, Shape
from fuzz.state import State
from fuzz.tasks import Given
from fuzz.trials import TRIALS, Scene, check_complete, markers
from testing.seeds import new_seed

PLANTED = (sys.executable, "-m", "tests.helpers.planted_worker")
ROOT = Path(__file__).parents[1]
TEXT = Request("alltext", ("text",), every=False, look=PLAIN, chunk_words=0, again=False)
HTML = "<title>Rain</title><h1>Rain</h1><p>It <b>rained</b> all day.<ul><li>One<li>Two</ul><pre>code</pre>"


def document(html: str = HTML) -> Document:
    return Extractor("alltext").extract(html, url="https://example.org/")


def but(original: object, **changes: object) -> Any:
    """Return something that looks like a frozen object with other values."""
    names = [name for name in dir(original) if not name.startswith("_") and name not in changes]
    return SimpleNamespace(**{name: getattr(original, name) for name in names}, **changes)


def with_blocks(**changes: object) -> Any:
    whole = document()
    return but(whole, blocks=but(whole.blocks, **changes))


def with_scores(values: list[float], **changes: object) -> Any:
    whole = document()
    return but(whole, scores=but(whole.scores, values=np.array(values), **changes))


def with_metadata(**fields: object) -> Any:
    return but(document(), metadata=Metadata(**fields))  # type: ignore[arg-type]


def leaves(start: list[int], end: list[int]) -> Any:
    return but(document().page, leaves=SimpleNamespace(start=np.array(start), end=np.array(end)))


VIOLATIONS: dict[str, tuple[Callable[[Any], None], Callable[[], Any]]] = {
    "leaves that leave a gap": (invariants.leaves_make_up_the_text, lambda: leaves([0, 6], [4, 29])),
    "leaves that end early": (invariants.leaves_make_up_the_text, lambda: leaves([0], [4])),
    "an empty leaf": (invariants.leaves_make_up_the_text, lambda: leaves([0, 29], [29, 29])),
    "a surrogate in the text": (invariants.text_can_be_encoded, lambda: SimpleNamespace(text="\ud800")),
    "a source that reads differently": (
        invariants.source_spans_read_as_their_leaf,
        lambda: but(Page.from_html("<p>Rain"), source_spans=lambda: [(0, 2)], html="Snow"),
    ),
    "blocks out of order": (
        invariants.blocks_lie_in_order,
        lambda: with_blocks(start=document().blocks.start[::-1], end=document().blocks.end[::-1]),
    ),
    "a blank block": (invariants.blocks_lie_in_order, lambda: with_blocks(strings=lambda: ["Rain", " "])),
    "blocks that lose a word": (invariants.blocks_lose_no_word, lambda: with_blocks(strings=lambda: ["Rain"])),
    "a score above 1": (invariants.scores_lie_between_0_and_1, lambda: with_scores([1.5, 0, 0, 0, 0])),
    "a score too few": (invariants.scores_lie_between_0_and_1, lambda: with_scores([0.5])),
    "no score and no reason": (invariants.scores_lie_between_0_and_1, lambda: with_scores([np.nan, 0, 0, 0, 0])),
    "a wrong letter": (invariants.letters_agree_with_scores, lambda: with_scores([0.95, 0, 0, 0, 0], letters="aaaaa")),
    "half a word": (invariants.whole_words_are_kept, lambda: but(document(), spans=[(0, 2)])),
    "spans out of order": (invariants.whole_words_are_kept, lambda: but(document(), spans=[(5, 15), (0, 4)])),
    "text of a dropped block": (invariants.kept_blocks_are_the_text, lambda: but(document(), text="Rain and snow")),
    "no text and no reason": (invariants.text_or_reason, lambda: but(document(), text="", reason="")),
    "a control character in a title": (invariants.metadata_is_clean, lambda: with_metadata(title="a\x1bb")),
    "a relative address": (invariants.metadata_is_clean, lambda: with_metadata(url="/rain")),
    "a date that does not exist": (invariants.metadata_is_clean, lambda: with_metadata(published="2024-02-30")),
    "an author twice": (invariants.metadata_is_clean, lambda: with_metadata(authors=("Ann", "Ann"))),
    "chunks that lose a word": (
        invariants.chunks_lose_no_word,
        lambda: but(document(), markdown=lambda: "Rain and more"),
    ),
    "another text the second time": (
        lambda second: invariants.same_result(document(), second),
        lambda: but(document(), text="Snow"),
    ),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_each_invariant_sees_a_planted_violation(name: str) -> None:
    invariant, make_one = VIOLATIONS[name]
    with pytest.raises(InvariantError):
        invariant(make_one())


def test_every_invariant_has_a_planted_violation() -> None:
    planted = {invariant for invariant, _ in VIOLATIONS.values()}
    assert {*invariants.PAGE, *invariants.DOCUMENT} - planted <= {invariants.locations_lie_in_the_page}


OUTPUTS: dict[str, tuple[str, Callable[[str], str]]] = {
    "text that is not the text": ("text", lambda output: output + "x"),
    "a line without its tag": ("cleaneval", lambda output: output.replace("<h>", "")),
    "a lost word of cleaneval": ("cleaneval", lambda output: output.replace("rained", "")),
    "NaN in JSON": ("json", lambda output: output.replace("0.5", "NaN", 1)),
    "two lines of JSON": ("json", lambda output: output + "\n"),
    "an element that is not closed": ("xml", lambda output: output.replace("</doc>", "")),
    "a lost word of XML": ("xml", lambda output: output.replace("rained", "")),
    "TEI that is not closed": ("tei", lambda output: output.replace("</body>", "")),
    "a word of TEI twice": ("tei", lambda output: output.replace("all", "all all")),
    "a script in HTML": ("html", lambda output: output.replace("<ul>", "<script></script><ul>")),
    "an event in HTML": ("html", lambda output: output.replace("<ul>", "<ul onclick=x>")),
    "an unsafe link in HTML": ("html", lambda output: output.replace("<ul>", "<a href='javascript:x'></a><ul>")),
    "HTML that is not closed": ("html", lambda output: output.replace("</ul>", "")),
    "a lost word of HTML": ("html", lambda output: output.replace("Two", "")),
    "markup in Markdown": ("markdown", lambda output: output + "\n\n<img src=x onerror=alert(1)>"),
    "an unsafe link in Markdown": ("markdown", lambda output: output.replace("One", "[One](ftps:x)")),
    "a carriage return in Markdown": ("markdown", lambda output: output.replace("code", "co\rde")),
    "a next line in Markdown": ("markdown", lambda output: output.replace("code", "co\x85de")),
    "a torn word of Markdown": ("markdown", lambda output: output.replace("rained", "rai ned")),
    "a third script in a report": ("report", lambda output: output + "<script>alert(1)</script>"),
    "a surrogate": ("text", lambda output: output + "\ud800"),
}


def broken(format: str, output: str, look: Look = PLAIN) -> list[str]:
    written = Written(document(), format, False, look, output)
    found = []
    for invariant in (output_invariants.output_can_be_encoded, *OUTPUT[format]):
        try:
            invariant(written)
        except (AssertionError, ValueError) as error:
            found.append(f"{invariant.__name__}: {error}")
    return found


@pytest.mark.parametrize("name", OUTPUTS)
def test_each_invariant_of_a_format_sees_a_planted_violation(name: str) -> None:
    wanted, change = OUTPUTS[name]
    output = formats.render(document(), wanted)
    assert broken(wanted, output) == []
    assert change(output) != output
    assert broken(wanted, change(output)) != []


def test_front_matter_must_be_yaml() -> None:
    look = Look(metadata=True)
    output = formats.render(document(), "markdown", look=look)
    assert broken("markdown", output, look) == []
    assert broken("markdown", output.replace('"Rain"', '"Rain'), look) != []


def test_inputs_are_a_function_of_seed_and_index() -> None:
    golden = seeds.golden_pages()
    first = [make(golden, 7, index) for index in range(60)]
    assert first == [make(golden, 7, index) for index in range(60)]
    assert first != [make(golden, 8, index) for index in range(60)]
    assert max(len(case.data) for case in first) <= USUAL_BYTES
    assert len({case.data for case in first}) > 50


def test_every_mutation_is_used_and_ends() -> None:
    for mutation in MUTATIONS:
        for data in (b"", b"<p>", HTML.encode()):
            assert isinstance(mutation(Random(1), data, [HTML.encode()]), bytes)


def test_every_method_gets_every_format() -> None:
    seen = {(each.method, name) for index in range(15) for each in requests(3, index) for name in each.formats}
    assert seen == {(method, name) for method in METHODS for name in formats.names()}


def test_a_page_is_minimised_to_what_fails() -> None:
    page = HTML.encode() * 40 + b"<p>a <i>needle</i> in hay" + HTML.encode() * 40
    tries = []

    def fails(data: bytes) -> bool:
        tries.append(data)
        return b"<i>" in data and b"needle" in data

    assert minimised(page, fails) == b"<i>needle"
    assert len(tries) <= 400


def test_the_minimiser_stops_when_its_tries_are_spent() -> None:
    tries = []
    minimised(b"<p>x" * 1000, lambda data: not tries.append(data), tries=5)  # type: ignore[func-returns-value]
    assert len(tries) == 5


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Child]:
    path = tmp_path_factory.mktemp("planted") / "seeds.pickle"
    seeds.write([HTML.encode()], path)
    with Child(path, PLANTED) as child:
        yield child


def failures_of(child: Child, data: bytes) -> list[Failure]:
    return [failure for outcome in child.ask(Given(Case(data), (TEXT,))).outcomes for failure in outcome.failures]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "name", "format"),
    [
        ("hangs", "no_hang", "text"),
        ("crashes", "no_crash", "text"),
        ("hogs", "memory_is_bounded", "text"),
        ("hogs a little", "memory_is_bounded", "text"),
        ("slow", "time_is_bounded", "text"),
        ("raises", "no_error", "text"),
    ],
)
def test_a_planted_fault_is_seen_and_the_next_page_runs(planted: Child, word: str, name: str, format: str) -> None:
    found = failures_of(planted, f"<p>This page {word}.".encode())
    assert (name, "alltext", format) in {failure.key[:3] for failure in found}
    assert failures_of(planted, b"<p>This page is fine.") == []


@pytest.mark.slow
def test_a_failure_is_saved_small_and_can_be_replayed(planted: Child, tmp_path: Path) -> None:
    (failure,) = failures_of(planted, b"<p>One.<p>Two.<p>This page raises.<p>Three.")
    case = Case(b"<p>One.<p>Two.<p>This page raises.<p>Three.", "http://x/\ud800")
    small = smallest(planted, Saved(failure, case, TEXT, 1, 2, "abc"), threading.Event())
    assert small.case.data == b"raises"
    path = failures.save(small, tmp_path)
    loaded = failures.load(path)
    assert loaded == small
    assert still_fails(planted, loaded)
    assert failures.saved_pages(tmp_path) == [path]


@pytest.mark.slow
def test_a_campaign_counts_each_input_once_and_resumes(tmp_path: Path) -> None:
    golden, places = seeds.golden_pages()[:5], Places(tmp_path)
    Campaign(State(5), golden, places).run(Budget(executions=30))
    first = State.load(places.state)
    assert first.executions == first.inputs * len(METHODS) == sum(first.commits.values()) >= 30
    assert (first.next, first.done) == (first.inputs, [])
    Campaign(State.load(places.state), golden, places).run(Budget(executions=30))
    second = State.load(places.state)
    assert second.inputs == second.next > first.inputs
    assert second.executions == second.inputs * len(METHODS)
    assert second.cpu_seconds["0"] > first.cpu_seconds["0"]
    assert second.pages == first.pages == [seeds.fingerprint(golden)]


def test_inputs_that_end_out_of_order_are_counted_once() -> None:
    state = State(1)
    for index in (2, 0, 3):
        state.finished(index)
    assert (state.next, state.done) == (1, [2, 3])
    state.finished(1)
    assert (state.next, state.done) == (4, [])


@pytest.mark.slow
def test_a_kill_leaves_a_state_that_can_be_read(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fuzz.pages", "--golden", "--seconds", "600", "--folder", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not (tmp_path / "state.json").exists() or State.load(tmp_path / "state.json").executions < 9:
            assert process.poll() is None
            time.sleep(0.1)
    finally:
        process.kill()
        process.wait()
    state = State.load(tmp_path / "state.json")
    assert state.executions == (state.next + len(state.done)) * len(METHODS)


def test_limits_grow_with_the_page() -> None:
    for limit in (limits.seconds, limits.memory, limits.output):
        assert 0 < limit(0) < limit(1_000_000) <= limit(0) + 1_000_000 * limit(1)


def test_the_fuzzer_runs_in_this_process_too() -> None:
    outcomes = Runner().run(Case(HTML.encode(), "https://example.org/"), requests(1, 1))
    assert [outcome.method for outcome in outcomes] == list(METHODS)
    assert [failure for outcome in outcomes for failure in outcome.failures] == []
    assert all(outcome.seconds > 0 for outcome in outcomes)


@pytest.mark.slow
def test_some_seconds_of_fuzzing_find_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = new_seed()
    with capsys.disabled():
        sys.stderr.write(f"\nfuzz seed {seed}: python -m fuzz.pages --seed {seed} --fresh --executions 800\n")
    status = pages.main(["--seed", str(seed), "--folder", str(tmp_path), "--seconds", "60", "--executions", "800"])
    state = State.load(tmp_path / "state.json")
    assert state.executions >= 200
    shown = [failures.load(path).failure for path in failures.saved_pages(tmp_path / "failures")]
    assert (status, shown) == (0, []), f"replay with: python -m fuzz.pages --seed {seed} --fresh --executions 800"


def test_growth_tells_linear_from_quadratic(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = {
        "linear": lambda size: size,
        "linear with a step": lambda size: size if size < 40_000 else 2 * size,
        "quadratic": lambda size: size * size / 1e5,
    }
    for name, cost in costs.items():
        monkeypatch.setattr(growth, "measured", lambda html, cost=cost: planted_cost(len(html), cost))
        found = growth.growth(name, Shape("<p>x"))
        assert found.too_fast == (name == "quadratic")
        assert found.worst_stage[0] == "page"
        assert name in growth.table([found])
        assert "page" in growth.breakdown(found)


def planted_cost(size: int, cost: Callable[[int], float]) -> growth.Measured:
    return growth.Measured(size, {"page": cost(size) / 1e5, "text": 1e-4}, {"text": size})


def test_output_that_grows_too_fast_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(html: str) -> growth.Measured:
        return growth.Measured(len(html), {"json": 1e-6 * len(html)}, {"json": len(html) ** 2 // 100})

    monkeypatch.setattr(growth, "measured", measured)
    assert growth.growth("xpaths", Shape("<p>x")).too_fast


def test_there_are_hundreds_of_shapes_and_each_grows() -> None:
    assert len(SHAPES) >= 200
    assert set(FEW) <= set(SHAPES)
    for name, shape in SHAPES.items():
        assert 1.5 < len(shape.page(16_000)) / len(shape.page(8_000)) < 2.5, name


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_no_shape_grows_faster_than_its_page(name: str) -> None:
    found = growth.growth(name, SHAPES[name])
    assert not found.too_fast, f"\n{growth.breakdown(found)}"


def test_lost_doubled_and_half_pages_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("marker0z\n")
    (tmp_path / "b.txt").write_text("marker1z\n")
    check_complete(tmp_path, 2)
    with pytest.raises(InvariantError, match="lost"):
        check_complete(tmp_path, 3)
    (tmp_path / "c.txt").write_text("marker1z\n")
    with pytest.raises(InvariantError, match="doubled"):
        check_complete(tmp_path, 2)
    (tmp_path / "c.txt").write_text("marker2z\n")
    (tmp_path / "d.txt.part").write_text("mark")
    with pytest.raises(InvariantError, match="left over"):
        check_complete(tmp_path, 3)
    (tmp_path / "e.txt").write_text("marker4")
    with pytest.raises(InvariantError, match="not whole"):
        markers(tmp_path)


@pytest.mark.parametrize(
    ("status", "errors"), [(3, b""), (1, b"Traceback (most recent call last):\n"), (0, b"Exception ignored in: x")]
)
def test_an_odd_end_of_a_command_is_seen(tmp_path: Path, status: int, errors: bytes) -> None:
    scene = Scene(Random(1), tmp_path, [b""], ["extract"])
    scene.seen(0, b"dehusk: no pages", (0, 1, 2))
    with pytest.raises(InvariantError):
        scene.seen(status, errors, (0, 1, 2))


@pytest.mark.slow
def test_the_command_line_survives_a_few_trials(capsys: pytest.CaptureFixture[str]) -> None:
    seed = new_seed()
    with capsys.disabled():
        sys.stderr.write(f"\npython -m fuzz.commands --seed {seed} --trials {3 * len(TRIALS)}\n")
    status = commands.main(["--seed", str(seed), "--trials", str(3 * len(TRIALS)), "--minutes", "30"])
    assert status == 0, capsys.readouterr().err
