"""The language model is converted once per machine, then mapped; a cache that does not work costs only time."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dehusk.metadata.language_model import cache_folder, language_model

GERMAN = "Es regnete den ganzen Tag, und niemand ging hinaus."
PROGRAM = f"""
import sys
from dehusk.metadata.language import language_of
print(language_of({GERMAN!r}).code, "py3langid.langid" in sys.modules)
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a cache folder with the tables in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        folder = cache_folder()
        assert folder
        language_model.__wrapped__()
        yield folder


def detect(cache: Path) -> str:
    """Return what a new process detects, and whether it needed py3langid's own model for it."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment
    )
    return result.stdout.strip()


class TestCache:
    def test_a_later_process_maps_what_was_stored(self, stored: Path) -> None:
        assert {file.name for file in stored.iterdir()} == {"moves.npy", "prior.npy", "tables.json", "weights.npy"}
        assert [each.name for each in stored.parent.iterdir()] == [stored.name]  # nothing unfinished is left behind
        assert detect(stored.parent.parent) == "de False"

    def test_the_mapped_model_is_the_converted_one(self, stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(stored.parent.parent))
        text = GERMAN.encode()
        assert language_model.__wrapped__()[1].likeliest(text) == language_model()[1].likeliest(text)

    @pytest.mark.parametrize("name", ["moves.npy", "tables.json"])
    def test_a_damaged_cache_is_replaced(self, name: str, stored: Path, tmp_path: Path) -> None:
        shutil.copytree(stored.parent.parent, tmp_path / "cache")
        damaged = tmp_path / "cache" / "dehusk" / stored.name / name
        damaged.write_bytes(damaged.read_bytes()[:100])
        assert detect(tmp_path / "cache") == "de True"
        assert detect(tmp_path / "cache") == "de False"

    def test_without_a_folder_to_write_to_it_works_all_the_same(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a folder")
        assert detect(tmp_path / "file") == "de True"

    def test_several_processes_may_store_it_at_once(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(3) as pool:
            assert all(answer.startswith("de ") for answer in pool.map(detect, [tmp_path] * 3))
        assert len(list((tmp_path / "dehusk").iterdir())) == 1
        assert detect(tmp_path) == "de False"
