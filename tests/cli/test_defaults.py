"""Defaults of options from dehusk.toml or pyproject.toml."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PAGE = b"<p>One <b>word</b>, <a href=/b>two</a> words and a few more of them."
EXTRACT = ("extract", "--method", "alltext")


def extract(dehusk: Run, *arguments: str) -> str:
    ended = dehusk(*EXTRACT, *arguments, stdin=PAGE)
    assert (ended.status, ended.err) == (0, "")
    return ended.out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dehusk.toml", 'format = "md"\n'),
        ("dehusk.toml", '[extract]\nformat = "markdown"\n'),
        ("dehusk.toml", 'format = "html"\n[extract]\nformat = "md"\n'),
        ("pyproject.toml", '[tool.dehusk]\nformat = "md"\n'),
        ("pyproject.toml", '[tool.dehusk.extract]\nformat = "md"\n'),
    ],
)
def test_a_file_sets_the_format(dehusk: Run, name: str, text: str) -> None:
    Path(name).write_text(text)
    assert extract(dehusk) == "One **word**, two words and a few more of them.\n"
    assert extract(dehusk, "-f", "text") == "One word, two words and a few more of them.\n"


def test_the_nearest_file_counts_and_dehusk_toml_more_than_pyproject(dehusk: Run) -> None:
    Path("deep/down").mkdir(parents=True)
    Path("dehusk.toml").write_text('format = "md"\n')
    Path("deep/pyproject.toml").write_text('[project]\ndependencies = ["dehusk"]\n')  # without settings of ours
    os.chdir("deep/down")
    assert "**word**" in extract(dehusk)
    Path("pyproject.toml").write_text('[tool.dehusk]\nformat = "cleaneval"\n')
    assert extract(dehusk).startswith("<p>One")
    Path("dehusk.toml").write_text("")
    assert extract(dehusk).startswith("One word")


def test_verbose_says_which_file_is_used(dehusk: Run) -> None:
    assert "defaults" not in dehusk(*EXTRACT, "-v", stdin=PAGE).err
    Path("dehusk.toml").write_text("min-length = 1\n")
    assert dehusk(*EXTRACT, "-v", stdin=PAGE).err.startswith("dehusk: defaults from dehusk.toml\ndehusk: -: ")


def test_a_flag_that_the_file_sets_can_be_unset_on_the_command_line(dehusk: Run) -> None:
    Path("dehusk.toml").write_text('format = "md"\nlinks = true\nno_formatting = true\n')
    assert extract(dehusk) == "One word, [two](/b) words and a few more of them.\n"
    assert extract(dehusk, "--no-links", "--formatting") == "One **word**, two words and a few more of them.\n"
    assert "--links / --no-links" in dehusk("extract", "-h").out


def test_a_general_setting_is_for_the_commands_that_can_take_it(dehusk: Run) -> None:
    Path("dehusk.toml").write_text('format = "md"\nmethod = "alltext"\n[train.kernel]\nseed = [1, 2]\n')
    assert "One **word**" in dehusk("extract", stdin=PAGE).out
    assert dehusk("strip", stdin=PAGE).out.startswith("One word")
    assert dehusk("perplexity", "-h").status == 0
    assert "[default: 1, 2" in dehusk("train", "kernel", "-h").out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('fromat = "md"', "no option is called 'fromat'; did you mean format? (in dehusk.toml)"),
        ("[extract]\nseed = 1", "no option of extract is called 'seed'; there are"),
        ("[corpus.report]\noutput = 3", "no option of corpus report is called 'output'; it has none (in dehusk.toml)"),
        ('[extrac]\nformat = "md"', "no command is called 'extrac'; did you mean extract? (in dehusk.toml)"),
        ("[train.kernl]\nseed = 1", "no command is called 'train.kernl'; did you mean kernel? (in dehusk.toml)"),
        ("extract = 1", "extract is a command: expected a table [extract], got 1 (in dehusk.toml)"),
        ("[extract.set]\nbias = 1", "extract.set is an option: expected a value or a list of values, got a table (in"),
        ("[jobs]\nx = 1", "jobs is an option: expected a value or a list of values, got a table (in dehusk.toml)"),
        ("jobs = 2.5", "jobs: 2.5 is not a whole number (in dehusk.toml)"),
        ("jobs = 0", "jobs: 0 is not at least 1 (in dehusk.toml)"),
        ('[extract]\njobs = "many"', "jobs: 'many' is not a whole number (in dehusk.toml)"),
        ('favour = "both"', "favour: 'both' is not one of 'precision', 'recall' (in dehusk.toml)"),
        ("links = 1", "links: expected true or false, got 1 (in dehusk.toml)"),
        ("format = true", "format: expected a value as for --format, got true (in dehusk.toml)"),
        ('format = "nonsense"', "no format is called 'nonsense'; there are"),
        ("threshold = 50", "threshold must lie between 0 and 1, got 50; did you mean 0.5? (threshold: set in dehusk."),
        ("= 1", "dehusk.toml is not valid TOML: "),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_file_and_key(dehusk: Run, text: str, message: str) -> None:
    Path("dehusk.toml").write_text(text)
    ended = dehusk("extract", stdin=PAGE)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert "dehusk.toml" in ended.err
    assert dehusk("-h").status == dehusk("--version").status == 0


BLAME = [  # what the file says, the command line, and the key that the message names
    ("jobs = 2\nthreshold = 7\n", "extract", "threshold"),
    ("jobs = 2\nthreshold = 0.7\n", "extract --threshold 7", None),
    ("jobs = 7\n", "extract --threshold 7", None),
    ("threshold = 7\nmethod = 'bte'\n", "extract --threshold 0.5 --explain", None),
    ("explain = true\nthreshold = 0.7\n", "extract --method bte", "explain"),
    ("method = 'magic'\n", "extract", "method"),
    ("method = 'bte'\n", "extract -f report --beside magic", None),
    ("beside = 'magic'\nformat = 'report'\nmethod = 'bte'\n", "extract", "beside"),
    ("beside = 'alltext'\nmethod = 'bte'\n", "extract", "beside"),
    ("format = 'nonsense'\nlinks = true\n", "extract", "format"),
    ("quiet = true\n", "extract -v", "quiet"),
    ("resume = true\n", "extract", "resume"),
    ("min_length = 3\n", "extract -m magic", None),
    ("[train.ncleaner]\nq = 7\nn = 3\n", "train ncleaner --output x", "q"),
    ("[train.ncleaner]\nq = 0.5\nn = 9\n", "train ncleaner --output x", "n"),
    ("[train.ncleaner]\nq = 0.5\nn = 3\n", "train ncleaner --output x --corpus nonsense", None),
    ("[perplexity]\nlimit = 0.5\nmodel = 'en'\n", "perplexity", "limit"),
    ("[perplexity]\nlimit = 9\nmodel = 'tlh'\n", "perplexity", "model"),
    ("url = 'example.org'\n", "extract", "url"),
    ("url = 'https://example.org/'\n", "extract https://a.example/ https://b.example/", "url"),
    ("url = 'https://example.org/'\n", "extract https://example.org/", "url"),
]


@pytest.mark.parametrize(("text", "arguments", "key"), BLAME, ids=[str(index) for index in range(len(BLAME))])
def test_an_error_names_the_key_of_the_file_that_it_is_about_and_no_other(
    dehusk: Run, text: str, arguments: str, key: str | None
) -> None:
    Path("dehusk.toml").write_text(text)
    ended = dehusk(*arguments.split(), stdin=PAGE)
    assert ended.status == 2
    if key is None:
        assert "dehusk.toml" not in ended.err
    else:
        assert ended.err.endswith(f" ({key}: set in dehusk.toml)\n")


def test_where_nothing_can_render_the_key_that_asked_for_it_is_named(
    dehusk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dehusk.rendering.chromium.is_available", lambda: False)
    Path("dehusk.toml").write_text("render = true\n")
    ended = dehusk("extract", stdin=PAGE)
    assert ended.status == 2
    assert ended.err.endswith(" (render: set in dehusk.toml)\n")
