"""Settings of a corpus: one small type per step, read from and written to one TOML file."""

import json
import tomllib
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Self, get_origin, get_type_hints

from dehusk.corpus.blanks import BLANKS
from dehusk.corpus.setting_checks import MOST_BYTES, OneOf, Text, Within, check, did_you_mean
from dehusk.corpus.writers import WRITERS
from dehusk.errors import ConfigError

NAME: Final = "corpus.toml"
MOST_TOML: Final = 1_000_000  # bytes of a file with settings
MOST_HASHES: Final = 10_000  # in a signature


@cache
def _languages() -> list[str]:
    from dehusk.metadata.language import known_languages  # noqa: PLC0415  (numpy, and rarely needed)

    return known_languages()


# What several settings are. Each annotation says what is allowed: `check` reads it from there.
Share = Annotated[float, Within(0, 1)]
Count = Annotated[int, Within(0, 2**31 - 1)]
Name = Annotated[str, Text()]


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """Which records are pages."""

    statuses: tuple[Annotated[int, Within(100, 999)], ...] = (200, 203)
    types: tuple[Name, ...] = ("text/html", "application/xhtml+xml")
    min_bytes: Count = 1
    max_bytes: Annotated[int, Within(1, 2**31 - 1)] = 20_000_000
    respect_robots: bool = False  # reject pages whose robots tag says noindex
    respect_tdm: bool = False  # reject pages that reserve text and data mining
    headers: tuple[Name, ...] = ("date", "last-modified", "content-language")  # of HTTP, to be copied
    archives: tuple[Name, ...] = ()  # folders and addresses of which a CDX index may name archives, besides its own


@dataclass(frozen=True, slots=True)
class Extraction:
    """How blocks are scored and chosen."""

    method: Name = "kernel"
    threshold: Share = 0.5
    comments: bool = False
    tables: bool = True
    trace: bool = False  # add the span of each block in the page's source


@dataclass(frozen=True, slots=True)
class Languages:
    """Which languages are kept; none named means all."""

    keep: tuple[Annotated[str, OneOf(_languages)], ...] = ()
    min_confidence: Share = 0.0
    blocks: bool = False  # also the language of each block of 100 characters and more


@dataclass(frozen=True, slots=True)
class Quality:
    """What the main text must be like; 0 switches a limit off."""

    min_characters: Count = 200
    max_badness: Annotated[float, Within(0, 50)] = 35.0
    # Median over sentences; needs the language models (dehusk[lm]).
    max_perplexity: Annotated[float, Within(0, 1_000_000_000)] = 0.0
    min_mean_word: Annotated[float, Within(0, 1000)] = 0.0
    max_mean_word: Annotated[float, Within(0, 1000)] = 0.0
    min_letters: Share = 0.0  # share of characters
    max_repeated_lines: Share = 0.0  # share of characters in lines that were there before


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Which documents count as the same."""

    exact: bool = True
    near: bool = True
    words: Annotated[int, Within(1, 100)] = 5  # in a shingle; characters in scripts without spaces
    bands: Annotated[int, Within(1, 1000)] = 20
    rows: Annotated[int, Within(1, 100)] = 6  # hashes in a band
    threshold: Share = 0.8  # Jaccard similarity of shingles
    memory: Annotated[int, Within(10_000, MOST_BYTES)] = 500_000_000  # bytes that the step may take for keys
    earlier: tuple[Name, ...] = ()  # folders of other corpora: what is in one of them is rejected

    @property
    def hashes(self) -> int:
        """How many values a signature has."""
        return self.bands * self.rows


@dataclass(frozen=True, slots=True)
class TextSettings:
    """What is changed in the main text."""

    nfc: bool = False
    normalise: bool = False  # dashes, quotation marks, ligatures and the like, as texrex does
    blank: tuple[Annotated[str, OneOf(lambda: BLANKS)], ...] = ()
    dehyphenate: bool = False  # "exam- ple", where the whole word occurs in the document
    split_sentences: bool = False  # "the end.The next"


@dataclass(frozen=True, slots=True)
class Location:
    """Where servers are."""

    database: Annotated[str, Text(may_be_empty=True)] = (
        ""  # a file in MaxMind's format; none means that nothing is looked up
    )


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """What is written."""

    format: Annotated[str, OneOf(lambda: WRITERS)] = "parquet"
    drop: bool = False  # leave out what was rejected
    part_bytes: Annotated[int, Within(100, MOST_BYTES)] = 16_000_000  # of input, in a unit of work
    shard_parts: Annotated[int, Within(1, 1_000_000)] = 16  # units of work whose documents are in one file


@dataclass(frozen=True, slots=True)
class Guards:
    """How much one document may cost."""

    seconds: Annotated[float, Within(0.1, 86_400)] = 30.0
    memory: Annotated[int, Within(100_000_000, MOST_BYTES)] = 3_000_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a corpus.

    >>> Settings.from_toml('[language]\\nkeep = ["de"]').language.keep
    ('de',)
    """

    records: RecordSettings = field(default_factory=RecordSettings)
    extraction: Extraction = field(default_factory=Extraction)
    language: Languages = field(default_factory=Languages)
    quality: Quality = field(default_factory=Quality)
    duplicates: Duplicates = field(default_factory=Duplicates)
    text: TextSettings = field(default_factory=TextSettings)
    location: Location = field(default_factory=Location)
    output: OutputSettings = field(default_factory=OutputSettings)
    limits: Guards = field(default_factory=Guards)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a TOML file; what it does not mention has its default."""
        try:
            with path.open("rb") as file:
                data = file.read(MOST_TOML + 1)
        except OSError as error:
            raise _not_settings(path, str(error.strerror)) from error
        if len(data) > MOST_TOML:
            raise _not_settings(path, f"more than {MOST_TOML:,} bytes")
        try:
            return cls.from_toml(data.decode("utf-8-sig").replace("\r\n", "\n"), str(path))
        except UnicodeDecodeError as error:
            raise _not_settings(path, f"not UTF-8 at byte {error.start:,}") from error

    @classmethod
    def from_toml(cls, text: str, name: str = NAME) -> Self:
        """Return the settings in TOML; raise ConfigError for what is unknown or not allowed."""
        try:
            tables = tomllib.loads(text)
        except RecursionError as error:
            raise ConfigError(f"{name} is nested too deeply; expected tables with lists at most") from error
        except ValueError as error:  # also for numbers that are too long
            raise ConfigError(f"{name} is not TOML: {error}") from error
        settings = cls(**{key: _table(cls, key, value, name) for key, value in tables.items()})
        settings.check(f" of {name}")
        return settings

    def check(self, place: str = "") -> None:
        """Raise ConfigError if a value is not allowed, or two of them exclude each other; `place` names the file.

        >>> Settings(duplicates=Duplicates(bands=0)).check()
        Traceback (most recent call last):
        dehusk.errors.ConfigError: bands in [duplicates] is 0; expected a whole number from 1 to 1,000
        """
        for table in fields(self):
            values = getattr(self, table.name)
            for key, hint in _hints(values.__class__).items():
                check(hint, f"{table.name}.{key}", getattr(values, key), place)
        quality = self.quality
        for table_name, least, most, ordered in (
            ("records", "min_bytes", "max_bytes", self.records.min_bytes <= self.records.max_bytes),
            ("quality", "min_mean_word", "max_mean_word",
             not quality.max_mean_word or quality.min_mean_word <= quality.max_mean_word),
        ):  # fmt: skip
            if not ordered:
                raise ConfigError(
                    f"{least} in [{table_name}]{place} is greater than {most}; nothing would be kept",
                    setting=f"{table_name}.{least}",
                )
        if self.duplicates.hashes > MOST_HASHES:
            raise ConfigError(
                f"bands times rows in [duplicates]{place} is {self.duplicates.hashes:,}; expected at most "
                f"{MOST_HASHES:,}",
                setting="duplicates.bands",
            )

    def to_toml(self) -> str:
        """Return all settings as TOML.

        >>> Settings.from_toml(Settings().to_toml()) == Settings()
        True
        """
        # JSON's strings, numbers, booleans and lists are TOML too.
        return "\n".join(
            f"[{table}]\n"
            + "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in settings.items())
            for table, settings in asdict(self).items()
        )


def _not_settings(path: Path, problem: str) -> ConfigError:
    return ConfigError(f"{path}: {problem}; expected a TOML file with settings of a corpus", setting="config")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _table(settings: type, key: str, value: Any, name: str) -> Any:
    kind = _hints(settings).get(key)
    if kind is None or not isinstance(value, dict):
        known = ", ".join(f"[{each}]" for each in _hints(settings))
        problem = f"unknown setting {key!r:.80}" if kind is None else f"{key} is {value!r:.80}"
        hint = did_you_mean(key, list(_hints(settings))) if kind is None else ""
        raise ConfigError(f"{problem} in {name}; expected the tables {known}{hint}", setting=key)
    return kind(**{each: _value(_hints(kind), key, each, entry, name) for each, entry in value.items()})


def _value(hints: dict[str, Any], table: str, key: str, value: Any, name: str) -> Any:
    setting = f"{table}.{key}"
    if key not in hints:
        known, hint = ", ".join(hints), did_you_mean(key, hints)
        raise ConfigError(
            f"unknown setting {key!r:.80} in [{table}] of {name}; expected {known}{hint}", setting=setting
        )
    check(hints[key], setting, value, f" of {name}")
    if get_origin(hints[key]) is tuple:
        return tuple(value)
    return float(value) if getattr(hints[key], "__origin__", None) is float else value
