"""Profiles for `dehusk.corpus.badness`, from running text: sentences in a row make up documents."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dehusk.compressed import decompressed
from dehusk.corpus.badness import LIMIT, train
from dehusk.errors import InputError
from dehusk.training.model_folder import write_model

DOCUMENTS: Final = 1000  # per language, as texrex took
LENGTH: Final = 2500  # characters of a document
DENSE_LENGTH: Final = 800  # in Chinese and Japanese
DENSE: Final = frozenset({"ja", "zh"})


def write_profiles(data: Path, output: Path, command: str) -> list[str]:
    """Train one profile per folder of text, write them to model.json and return the languages."""
    folders = sorted(path for path in (data / "lm").iterdir() if path.is_dir() and len(path.name) == 2)
    if not folders:
        raise InputError(f"no folders of text in {data / 'lm'}; expected one per language, such as de")
    profiles = {folder.name: _rows(folder) for folder in folders}
    description = {
        "format": 1,
        "method": "badness",
        "command": command,
        "trained_on": f"up to {DOCUMENTS:,} documents of running text per language; NOTICE names the sources",
        "limit": LIMIT,
        "profiles": profiles,
    }
    write_model(output, description)
    return list(profiles)


def _rows(folder: Path) -> list[tuple[str, float, float]]:
    sources = sorted(folder.glob("*.txt.zst"))
    share = -(-DOCUMENTS // max(len(sources), 1))  # the same for each source, so that no register decides alone
    length = DENSE_LENGTH if folder.name in DENSE else LENGTH
    texts = [text for source in sources for text in _documents(source, share, length)]
    return [(word, usual.mean, usual.deviation) for word, usual in train(texts).items()]


def _documents(path: Path, count: int, length: int) -> Iterator[str]:
    """Yield up to so many documents from the whole of a file."""
    with path.open("rb") as file, decompressed(file, path) as stream:
        sentences = stream.read().decode("utf-8").split("\n")
    documents, current = [list[str]()], 0
    for sentence in sentences:
        documents[-1].append(sentence)
        current += len(sentence)
        if current >= length:
            documents.append([])
            current = 0
    whole = documents[:-1] or documents
    step = max(len(whole) / count, 1.0)
    for index in range(min(count, len(whole))):
        yield " ".join(whole[int(index * step)])
