from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from dehusk.corpus.build import build
from dehusk.corpus.settings import (
    Duplicates,
    Extraction,
    Guards,
    Languages,
    OutputSettings,
    Quality,
    RecordSettings,
    Settings,
    TextSettings,
)
from dehusk.errors import ConfigError


def test_what_is_written_is_read_again() -> None:
    changed = Settings(text=TextSettings(nfc=True, blank=("email", "url")))
    assert Settings.from_toml(changed.to_toml()) == changed


@pytest.mark.parametrize(
    ("text", "setting", "message"),
    [
        (
            "[nonsense]",
            "nonsense",
            r"unknown setting 'nonsense' in a.toml; expected the tables \[records\], \[extraction\]",
        ),
        ("records = 1", "records", r"records is 1 in a.toml; expected the tables \[records\]"),
        (
            "[quality]\nmin_charcters = 1",
            "quality.min_charcters",
            r"unknown setting 'min_charcters' in \[quality\] of a.toml; expected min_.*; did you mean 'min_chara",
        ),
        (
            '[quality]\nmin_characters = "1"',
            "quality.min_characters",
            r"min_characters in \[quality\] of a.toml is '1'; expected a whole number from 0 to",
        ),
        ("[language]\nkeep = [1]", "language.keep", r"keep in \[language\] of a.toml has 1; expected one of ace, af"),
        ("[text]\nnfc = 1", "text.nfc", "nfc .* is 1; expected true or false"),
        ("=", None, "a.toml is not TOML"),
    ],
)
def test_wrong_settings_are_named(text: str, setting: str | None, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as wrong:
        Settings.from_toml(text, "a.toml")
    assert wrong.value.setting == setting


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file or directory; expected a TOML file"):
        Settings.read(tmp_path / "corpus.toml")


@pytest.mark.parametrize(
    ("text", "setting", "message"),
    [
        ('[text]\nblank = ["ips"]', "text.blank", r"has 'ips'; expected one of email, url, .*; did you mean 'ip'\?"),
        ('[language]\nkeep = ["en", "german"]', "language.keep", "has 'german'; expected one of ace, af, .*, zu"),
        ('[language]\nkeep = ["de-AT"]', "language.keep", r"did you mean 'de'\?"),
        ('[language]\nkeep = "de"', "language.keep", "is 'de'; expected a list, each of it one of"),
        ("[extraction]\nthreshold = 8", "extraction.threshold", r"is 8; expected .* 0 to 1; did you mean 0.08\?"),
        ("[limits]\nseconds = nan", "limits.seconds", "is nan; expected a number from 0.1 to 86,400"),
        ("[limits]\nseconds = inf", "limits.seconds", "is inf"),
        ("[limits]\nseconds = -1", "limits.seconds", "is -1"),
        ("[output]\npart_bytes = 0", "output.part_bytes", "is 0; expected a whole number from 100 to"),
        ("[output]\npart_bytes = 9223372036854775808", "output.part_bytes", "is 9223372036854775808; expected"),
        ("[output]\nshard_parts = -3", "output.shard_parts", "is -3; expected"),
        ('[output]\nformat = "parket"', "output.format", r"is 'parket'; .*; did you mean 'parquet'\?"),
        ("[records]\nmax_bytes = 1e23", "records.max_bytes", r"is 1e\+23; expected a whole number from 1 to 2,147"),
        ("[records]\nmax_bytes = true", "records.max_bytes", "is True; expected a whole number"),
        ("[records]\nstatuses = [200, 99999]", "records.statuses", "has 99999; expected a whole number from 100 to"),
        ('[records]\ntypes = ["text/html", ""]', "records.types", "has ''; expected .* not an empty one"),
        ('[records]\nheaders = ["a\\u0000"]', "records.headers", "expected a string of printable characters"),
        ("[records]\nmin_bytes = 9\nmax_bytes = 3", "records.min_bytes", "is greater than max_bytes"),
        ("[quality]\nmin_mean_word = 9\nmax_mean_word = 3", "quality.min_mean_word", "greater than max_mean_word"),
        (f"[quality]\nmax_badness = {'9' * 400}", "quality.max_badness", "is 9{80}…; expected a number from 0 to 50"),
        ("[duplicates]\nbands = 0", "duplicates.bands", "is 0; expected a whole number from 1 to 1,000"),
        ("[duplicates]\nbands = 1000\nrows = 100", "duplicates.bands", "bands times rows .* is 100,000; expected at"),
        ("[duplicates]\nmemory = -1", "duplicates.memory", "is -1"),
        ('[extraction]\nmethod = " "', "extraction.method", "is ' '; expected"),
        (f"a = {'[' * 20_000}", None, "a.toml is nested too deeply"),
        (f"[limits]\nmemory = 0x{'f' * 5000}", "limits.memory", "is a number with thousands of digits; expected"),
        (f"a = {'9' * 5000}", None, "a.toml is not TOML"),
        ("[text]\nnfc = true\nnfc = false", None, "a.toml is not TOML: Cannot overwrite a value"),
        ("[textt]", "textt", r"did you mean 'text'\?"),
    ],
)
def test_values_that_are_not_allowed_are_named(text: str, setting: str | None, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as wrong:
        Settings.from_toml(text, "a.toml")
    assert wrong.value.setting == setting
    assert "a.toml" in str(wrong.value)
    assert len(str(wrong.value)) < 1000


WRONG = {
    "text.blank": Settings(text=TextSettings(blank=("address",))),
    "language.keep": Settings(language=Languages(keep=("german",))),
    "extraction.threshold": Settings(extraction=Extraction(threshold=float("nan"))),
    "limits.memory": Settings(limits=Guards(memory=2**70)),
    "limits.seconds": Settings(limits=Guards(seconds=float("inf"))),
    "output.part_bytes": Settings(output=OutputSettings(part_bytes=0)),
    "records.max_bytes": Settings(records=RecordSettings(max_bytes=1e23)),  # type: ignore[arg-type]
    "quality.max_badness": Settings(quality=Quality(max_badness="much")),  # type: ignore[arg-type]
    "duplicates.rows": Settings(duplicates=Duplicates(rows=-1)),
    "duplicates.earlier": Settings(duplicates=Duplicates(earlier=("\ud800",))),
}


@pytest.mark.parametrize("setting", WRONG)
def test_settings_made_in_python_are_checked_before_anything_is_read_or_written(setting: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as wrong:
        build([str(tmp_path / "missing.warc.gz")], tmp_path / "corpus", WRONG[setting])
    assert wrong.value.setting == setting
    assert not list(tmp_path.iterdir())


def declared() -> list[tuple[str, str, Any]]:
    """All settings with their tables and annotations."""
    return [
        (table.name, key, hint)
        for table in fields(Settings)
        for key, hint in get_type_hints(type(getattr(Settings(), table.name)), include_extras=True).items()
    ]


def test_every_number_and_string_has_a_rule() -> None:
    for table, key, hint in declared():
        member: Any = get_args(hint)[0] if getattr(hint, "__origin__", None) is tuple else hint
        rules: tuple[Any, ...] = getattr(member, "__metadata__", ())
        assert member is bool or (len(rules) == 1 and isinstance(rules[0].expected(int), str)), f"{table}.{key}"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, 2**63, 10**400, "", "\x00", None, b"x", {}, [[]]])
def test_no_setting_takes_what_makes_no_sense(value: Any) -> None:
    for table, key, hint in declared():
        if value == "" and (table, key) == ("location", "database"):
            continue
        part = replace(getattr(Settings(), table), **{key: value})
        with pytest.raises(ConfigError) as wrong:
            replace(Settings(), **{table: part}).check()
        assert wrong.value.setting == f"{table}.{key}", hint


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[text]\nnfc = \xff", "not UTF-8 at byte 13"),
        (b"#" * 1_000_001, "more than 1,000,000 bytes"),
        ("[text]\nnfc = true".encode("utf-16"), "not UTF-8 at byte 0"),
    ],
)
def test_files_that_are_no_settings(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "a.toml").write_bytes(data)
    with pytest.raises(ConfigError, match=f"a.toml: {message}; expected a TOML file") as wrong:
        Settings.read(tmp_path / "a.toml")
    assert wrong.value.setting == "config"
    with pytest.raises(ConfigError, match="Is a directory; expected a TOML file"):
        Settings.read(tmp_path)


def test_files_of_other_systems_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes("\ufeff[text]\r\nnfc = true\r\n".encode())
    assert Settings.read(tmp_path / "a.toml").text.nfc
