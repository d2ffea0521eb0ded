"""What is in an earlier corpus is marked, with the id that it has there."""

from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from dehusk.corpus.build import build
from dehusk.corpus.settings import Duplicates, Extraction, OutputSettings, Settings
from dehusk.errors import InputError
from tests.helpers.archives import http, joined, warc_record
from tests.helpers.articles import article


def settings(*earlier: Path, format: str = "parquet", **duplicates: Any) -> Settings:
    return Settings(
        extraction=Extraction(method="bte"),
        duplicates=Duplicates(earlier=tuple(map(str, earlier)), **duplicates),
        output=OutputSettings(format=format, part_bytes=3000, shard_parts=2),
    )


def crawl(path: Path, pages: list[str], first: int = 0) -> list[str]:
    path.write_bytes(joined(warc_record(first + number, http(page.encode())) for number, page in enumerate(pages)))
    return [str(path)]


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("data/*.parquet")) for row in parquet.read_table(path).to_pylist()]


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """Return a corpus of ten articles, the first of them twice."""
    pages = [article(number) for number in (0, *range(10))]
    build(crawl(tmp_path / "a.warc.gz", pages), tmp_path / "earlier", settings(), jobs=1)
    return tmp_path / "earlier"


@pytest.mark.parametrize("hashes", [{}, {"bands": 100, "rows": 1, "threshold": 0.6}])
def test_exact_and_near_twins_in_an_earlier_corpus(tmp_path: Path, earlier: Path, hashes: dict[str, Any]) -> None:
    longer = article(3).replace("</article>", "<p>One more sentence at the end of it all.</p></article>")
    chained = longer.replace("</article>", "<p>And yet another one, after that.</p></article>")
    pages = [article(2), longer, chained, article(20), article(20), article(21)]
    new = tmp_path / "new"
    manifest = build(crawl(tmp_path / "b.warc.gz", pages, 100), new, settings(earlier, **hashes), jobs=1)
    ids = {row["title"]: row["id"] for row in rows(earlier) if row["reason_code"] is None}
    found = rows(new)
    assert manifest["records"] == len(found) == 6
    assert manifest["rejected"] == {"earlier-duplicate": 3, "exact-duplicate": 1}
    marks = [(row["reason_code"], row["duplicate_of"]) for row in found]
    # The earlier one is kept, though the new ones are longer.
    assert marks[:3] == [("earlier-duplicate", ids[f"Story {number}"]) for number in (2, 3, 3)]
    assert marks[3:] == [(None, None), ("exact-duplicate", found[3]["id"]), (None, None)]
    assert found[0]["similarity"] == 1.0 > found[1]["similarity"] > 0.6
    assert found[1]["reason"] == f"duplicate of {ids['Story 3']} in an earlier corpus"


def test_two_earlier_corpora_and_a_run_that_was_interrupted(tmp_path: Path, earlier: Path) -> None:
    second = tmp_path / "second"
    build(crawl(tmp_path / "b.warc.gz", [article(number) for number in (1, 30)], 50), second, settings(), jobs=1)
    files = crawl(tmp_path / "c.warc.gz", [article(number) for number in (1, 30, 40)], 90)
    manifest = build(files, tmp_path / "new", settings(earlier, second), jobs=2)
    assert manifest["rejected"] == {"earlier-duplicate": 2}
    # Nothing of them is left in the new corpus.
    assert len(rows(tmp_path / "new")) == 3
    assert build(files, tmp_path / "new", settings(earlier, second), resume=True) == manifest


def test_what_is_no_earlier_corpus(tmp_path: Path) -> None:
    files = crawl(tmp_path / "a.warc.gz", [article(1)])
    with pytest.raises(InputError, match=r"nowhere has no manifest\.json; expected the folder of a finished corpus"):
        build(files, tmp_path / "new", settings(tmp_path / "nowhere"))
    build(files, tmp_path / "text", settings(format="text"), jobs=1)
    with pytest.raises(InputError, match="is in the format text; an earlier corpus must be in parquet"):
        build(files, tmp_path / "new", settings(tmp_path / "text"))
    assert not (tmp_path / "new").exists()
