"""--set NAME=VALUE: settings of a method."""

import json
from pathlib import Path

import pytest

import dehusk as library
from dehusk.errors import UsageError
from dehusk.models.registry import adjusted, method
from tests.cli.conftest import Run

PAGE = b"<p>Home | News<p>Read more<p>It rained all day, and nobody went out of the house until the evening."


def scores(dehusk: Run, *arguments: str) -> list[float]:
    ended = dehusk("annotate", "--format", "json", *arguments, stdin=PAGE)
    assert (ended.status, ended.err) == (0, "")
    return [block["score"] for block in json.loads(ended.out)["blocks"]]


def test_settings_change_the_scores_as_in_python(dehusk: Run) -> None:
    changed = scores(dehusk, "--method", "ncleaner", "--set", "bias=-0.3", "--set", "n=2")
    usual = scores(dehusk, "--method", "ncleaner")
    assert changed != usual
    document = library.extract(PAGE, method=adjusted(method("ncleaner"), {"bias": -0.3, "n": 2}))
    assert changed == pytest.approx(document.scores.values.tolist(), abs=0.001)
    assert scores(dehusk, "--method", "ncleaner") == usual  # the shipped method stays as it was


def test_settings_come_from_a_file_and_the_command_line_has_the_last_word(dehusk: Run) -> None:
    given = scores(dehusk, "--method", "ncleaner", "--set", "bias=-0.3")
    usual = scores(dehusk, "--method", "ncleaner")
    Path("dehusk.toml").write_text('method = "ncleaner"\nset = ["bias=-0.3"]\n')
    assert scores(dehusk) == given
    assert scores(dehusk, "--set", "bias=0") == usual


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kernel bias=0.1", "method 'kernel' has no setting 'bias'; ncleaner has"),
        ("bte limit=9", "method 'bte' has no setting 'limit'; pyplexity has"),
        ("bte magic=9", "method 'bte' has no setting 'magic'; it has none"),
        ("ncleaner bais=0.1", "method 'ncleaner' has no setting 'bais'; did you mean bias?"),
        ("ncleaner magic=1", "method 'ncleaner' has no setting 'magic'; it has bias and n"),
        ("ncleaner bias=much", "bias must be a number between -10 and 10, got much"),
        ("ncleaner bias=11", "bias must be a number between -10 and 10, got 11"),
        ("ncleaner n=0", "n must lie between 1 and 6, the longest n-grams of these tables; got 0"),
        ("pyplexity limit=1", "limit must be a number above 1 and below 1,000,000, got 1"),
        ("ncleaner bias=", "bias must be a number between -10 and 10, got nothing"),
        ("ncleaner bias", "--set takes NAME=VALUE, such as bias=0.1; got 'bias'"),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it_and_the_file_it_is_from(
    dehusk: Run, arguments: str, message: str
) -> None:
    name, setting = arguments.split()
    assert dehusk("extract", "-m", name, "--set", setting, stdin=PAGE) == (2, "", f"dehusk: {message}\n")
    Path("dehusk.toml").write_text(f'jobs = 2\nset = ["{setting}"]\n')
    ended = dehusk("extract", "-m", name, stdin=PAGE)
    assert ended == (2, "", f"dehusk: {message} (set: set in dehusk.toml)\n")


def test_an_error_of_a_setting_knows_its_name() -> None:
    for name, value in (("bias", "x"), ("n", 9), ("magic", 1)):
        with pytest.raises(UsageError) as caught:
            adjusted(method("ncleaner"), {name: value})
        assert caught.value.setting == name


def test_extract_and_annotate_have_the_same_options(dehusk: Run) -> None:
    first, second = (dehusk(command, "-h").out.partition("Options:\n")[2] for command in ("extract", "annotate"))
    assert first == second
    assert first.index("--method") < first.index("--set NAME=VALUE") < first.index("--threshold")
