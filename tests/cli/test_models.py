from dehusk import __version__
from dehusk.models.registry import DEFAULT, REGISTRY
from tests.cli.conftest import Run


def test_every_method_has_its_line_and_the_default_a_star(dehusk: Run) -> None:
    heading, *lines = dehusk("models").out.splitlines()
    assert heading.split()[0] == "method"
    assert [line.split()[0] for line in lines] == [entry.name + "*" * (entry.name == DEFAULT) for entry in REGISTRY]
    assert len({line.index(entry.summary) for line, entry in zip(lines, REGISTRY, strict=True)}) == 1


def test_the_version_is_printed(dehusk: Run) -> None:
    assert dehusk("--version") == (0, f"dehusk {__version__}\n", "")
