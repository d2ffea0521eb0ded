import pytest

from dehusk import __version__
from dehusk.models.registry import DEFAULT, REGISTRY, Entry
from tests.cli.conftest import Run

CHOSEN = [entry for entry in REGISTRY if entry.variant_of is None]
VARIANTS = [entry for entry in REGISTRY if entry.variant_of is not None]


def test_every_method_to_choose_from_has_its_line_and_the_default_a_star(dehusk: Run) -> None:
    table, _, _ = dehusk("models").out.partition("\n\n")
    heading, *lines = table.splitlines()
    assert heading.split()[0] == "method"
    assert [line.split()[0] for line in lines] == [entry.name + "*" * (entry.name == DEFAULT) for entry in CHOSEN]
    assert len({line.index(entry.summary) for line, entry in zip(lines, CHOSEN, strict=True)}) == 1


def test_variants_come_last_each_under_its_paper(dehusk: Run) -> None:
    assert {entry.name for entry in VARIANTS} == {
        "texrex-quirks", "pyplexity-plain", "boilernet-paper", "boilernet-paper-cleaneval",
    }  # fmt: skip
    _, heading, *papers = dehusk("models").out.rstrip().split("\n\n")
    assert heading == "For comparison with the papers:"
    listed = {paper: [line.split()[0] for line in lines] for paper, *lines in map(str.splitlines, papers)}
    by_name = {entry.name: entry for entry in REGISTRY}
    for entry in VARIANTS:
        assert entry.name in listed[by_name[str(entry.variant_of)].paper]
    assert sum(map(len, listed.values())) == len(VARIANTS)


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.name)
def test_a_method_is_described_with_its_settings(dehusk: Run, entry: Entry) -> None:
    ended = dehusk("models", entry.name)
    assert (ended.status, ended.err) == (0, "")
    facts, _, rest = ended.out.partition("\n\n")
    assert facts.splitlines()[0].split() == ["method", entry.name]
    assert entry.summary in facts
    assert entry.block in facts
    assert entry.paper in facts
    assert ("explains its scores" in facts) == entry.capabilities.explains
    assert ("recognises readers' comments" in facts) == entry.capabilities.comments
    assert (f"variant of    {entry.variant_of}" in facts) == (entry.variant_of is not None)
    assert (f"needs         dehusk[{entry.extra}]: " in facts) == (entry.extra is not None)
    assert [line.split(":")[0].strip() for line in rest.splitlines()[2::3]] == [each.name for each in entry.settings]
    for each in entry.settings:
        assert f"  {each.name}: {each.meaning}\n    {each.allowed}  [default: {each.default}]\n" in rest


def test_what_a_method_needs_is_shown_with_the_command_that_installs_it(
    dehusk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "needs         dehusk[lm]: installed\n" in dehusk("models", "pyplexity").out
    monkeypatch.setattr("dehusk.extras.find_spec", lambda name: None)
    described = dehusk("models", "pyplexity").out
    assert "needs         dehusk[lm]: not installed; pip install " in described
    assert "limit: " in described  # no model is loaded for it


def test_a_method_that_there_is_not_is_an_error(dehusk: Run) -> None:
    ended = dehusk("models", "magic")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("dehusk: no method is called 'magic'; there are kernel, ")


def test_the_version_is_printed(dehusk: Run) -> None:
    assert dehusk("--version") == (0, f"dehusk {__version__}\n", "")
