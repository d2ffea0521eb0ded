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
        ("[nonsense]", "nonsense", r"unknown setting 'nonsense' in a.toml; expected \[records\], \[extraction\]"),
        ("records = 1", "records", "unknown setting 'records'"),
        (
            "[quality]\nmin_charcters = 1",
            "quality.min_charcters",
            r"unknown setting 'min_charcters' in \[quality\] of a.toml; expected min_char",
        ),
        (
            '[quality]\nmin_characters = "1"',
            "quality.min_characters",
            r"min_characters in \[quality\] of a.toml is '1'; expected int",
        ),
        ("[language]\nkeep = [1]", "language.keep", r"keep in \[language\] of a.toml is \[1\]; expected a list"),
        ("[text]\nnfc = 1", "text.nfc", "expected bool"),
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
