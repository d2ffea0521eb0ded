"""Settings of a corpus: one small type per step, read from and written to one TOML file."""

import json
import tomllib
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Final, Self, get_args, get_origin, get_type_hints

from dehusk.errors import ConfigError

NAME: Final = "corpus.toml"


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """Which records are pages."""

    statuses: tuple[int, ...] = (200, 203)
    types: tuple[str, ...] = ("text/html", "application/xhtml+xml")
    min_bytes: int = 1
    max_bytes: int = 20_000_000
    respect_robots: bool = False  # reject pages whose robots tag says noindex
    respect_tdm: bool = False  # reject pages that reserve text and data mining
    headers: tuple[str, ...] = ("date", "last-modified", "content-language")  # of HTTP, to be copied
    archives: tuple[str, ...] = ()  # folders and addresses of which a CDX index may name archives, besides its own


@dataclass(frozen=True, slots=True)
class Extraction:
    """How blocks are scored and chosen."""

    method: str = "kernel"
    threshold: float = 0.5
    comments: bool = False
    tables: bool = True
    trace: bool = False  # add the span of each block in the page's source


@dataclass(frozen=True, slots=True)
class Languages:
    """Which languages are kept; none named means all."""

    keep: tuple[str, ...] = ()
    min_confidence: float = 0.0
    blocks: bool = False  # also the language of each block of 100 characters and more


@dataclass(frozen=True, slots=True)
class Quality:
    """What the main text must be like; 0 switches a limit off."""

    min_characters: int = 200
    max_badness: float = 35.0
    max_perplexity: float = 0.0  # median over sentences; needs the language models (dehusk[lm])
    min_mean_word: float = 0.0
    max_mean_word: float = 0.0
    min_letters: float = 0.0  # share of characters
    max_repeated_lines: float = 0.0  # share of characters in lines that were there before


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Which documents count as the same."""

    exact: bool = True
    near: bool = True
    words: int = 5  # in a shingle; characters in scripts without spaces
    bands: int = 20
    rows: int = 6  # hashes in a band
    threshold: float = 0.8  # Jaccard similarity of shingles
    memory: int = 500_000_000  # bytes that the step may take for keys
    earlier: tuple[str, ...] = ()  # folders of other corpora: what is in one of them is rejected

    @property
    def hashes(self) -> int:
        """How many values a signature has."""
        return self.bands * self.rows


@dataclass(frozen=True, slots=True)
class TextSettings:
    """What is changed in the main text."""

    nfc: bool = False
    normalise: bool = False  # dashes, quotation marks, ligatures and the like, as texrex does
    blank: tuple[str, ...] = ()  # of: email, url, phone
    dehyphenate: bool = False  # "exam- ple", where the whole word occurs in the document
    split_sentences: bool = False  # "the end.The next"


@dataclass(frozen=True, slots=True)
class Location:
    """Where servers are."""

    database: str = ""  # a file in MaxMind's format; none means that nothing is looked up


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """What is written."""

    format: str = "parquet"
    drop: bool = False  # leave out what was rejected
    part_bytes: int = 16_000_000  # of input, in a unit of work
    shard_parts: int = 16  # units of work whose documents are in one file


@dataclass(frozen=True, slots=True)
class Guards:
    """How much one document may cost."""

    seconds: float = 30.0
    memory: int = 3_000_000_000


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
            return cls.from_toml(path.read_text(encoding="utf-8"), str(path))
        except OSError as error:
            raise ConfigError(
                f"{path}: {error.strerror}; expected a TOML file with settings of a corpus", setting="config"
            ) from error

    @classmethod
    def from_toml(cls, text: str, name: str = NAME) -> Self:
        """Return the settings in TOML; raise ConfigError for what is unknown or of the wrong type."""
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{name} is not TOML: {error}") from error
        return cls(**{key: _table(cls, key, value, name) for key, value in tables.items()})

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


def _table(settings: type, key: str, value: Any, name: str) -> Any:
    kind = get_type_hints(settings).get(key)
    if not is_dataclass(kind) or not isinstance(value, dict):
        known = ", ".join(f"[{each.name}]" for each in fields(settings))
        raise ConfigError(f"unknown setting {key!r} in {name}; expected {known}", setting=key)
    hints = get_type_hints(kind)
    return kind(**{each: _value(hints, key, each, entry, name) for each, entry in value.items()})  # type: ignore[operator]


def _value(hints: dict[str, Any], table: str, key: str, value: Any, name: str) -> Any:
    setting = f"{table}.{key}"
    if key not in hints:
        known = ", ".join(hints)
        raise ConfigError(f"unknown setting {key!r} in [{table}] of {name}; expected {known}", setting=setting)
    kind = hints[key]
    if get_origin(kind) is tuple and isinstance(value, list):
        member = get_args(kind)[0]
        if all(isinstance(each, member) for each in value):
            return tuple(value)
    elif kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif not isinstance(kind, UnionType) and get_origin(kind) is None and type(value) is kind:
        return value
    expected = "a list" if get_origin(kind) is tuple else kind.__name__
    raise ConfigError(f"{key} in [{table}] of {name} is {value!r}; expected {expected}", setting=setting)
