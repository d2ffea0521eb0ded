"""Earlier corpora: their documents take part in the search for duplicates, and are always the ones that are kept.

Their signatures are computed from their texts, as those of new documents are, so that settings may differ.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.corpus.files import MANIFEST, read_json
from dehusk.errors import InputError


def earlier_shards(folders: Iterable[str]) -> list[str]:
    """Return the files of earlier corpora, each of which becomes a part."""
    return [str(Path(folder, shard["file"])) for folder in folders for shard in _manifest(folder)["shards"]]


def _manifest(folder: str) -> Any:
    try:
        manifest = read_json(Path(folder, MANIFEST))
    except OSError as error:
        raise InputError(f"{folder} has no {MANIFEST}; expected the folder of a finished corpus") from error
    if manifest["format"] != "parquet":
        raise InputError(f"{folder} is in the format {manifest['format']}; an earlier corpus must be in parquet")
    return manifest


def kept_texts(shard: str) -> Iterator[dict[str, Any]]:
    """Yield id and text of the documents of a file that were kept."""
    from dehusk.corpus.columns import read_rows  # noqa: PLC0415  (pyarrow, which only workers need)

    for row in read_rows(Path(shard), ("id", "text", "rejected")):
        if row.pop("rejected") is None and row["text"]:
            yield row
