from pathlib import Path

import pytest

from dehusk.corpus.settings import Settings, TextSettings
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
