"""A small version of `make duplicates-scale`."""

from pathlib import Path

from benchmarks.duplicates_scale import measure


def test_planted_clusters_are_found_in_many_ranges(tmp_path: Path) -> None:
    found = measure(documents=20_000, per_part=2_000, memory=2_000_000, folder=tmp_path)
    assert found["ranges"] > 10
    assert found["duplicates"] >= 0.999 * 9 * 200  # the first part has none
    assert found["recall"] >= 0.999
    assert found["in a wrong cluster"] == 0
    assert 500 <= found["disk GB"] * 1e9 / found["documents"] <= 520
