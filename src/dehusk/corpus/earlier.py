"""Earlier corpora: their documents take part in the search for duplicates, and are always the ones that are kept.

Their signatures are computed from their texts, as those of new documents are, so that settings may differ.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.corpus.files import read_manifest


def earlier_shards(folders: Iterable[str]) -> list[str]:
    """Return the files of earlier corpora, each of which becomes a part."""
    need = "an earlier corpus must be in parquet"
    return [str(Path(folder, shard["file"])) for folder in folders for shard in read_manifest(folder, need)["shards"]]


def kept_texts(shard: str) -> Iterator[dict[str, Any]]:
    """Yield id and text of the documents of a file that were kept."""
    from dehusk.corpus.columns import read_rows  # noqa: PLC0415  (pyarrow, which only workers need)

    for row in read_rows(Path(shard), ("id", "text", "reason_code")):
        if row.pop("reason_code") is None and row["text"]:
            yield row
