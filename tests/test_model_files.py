import pickle
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import ClassVar, Self
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from dehusk import ModelError, model_files
from dehusk.model_files import FromFolder, open_description, read_arrays


def described(header: str, data: bytes = b"") -> bytes:
    """Return a .npy file with that header."""
    line = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line + data


def weights(path: Path, data: bytes) -> Path:
    with ZipFile(path / "weights.npz", "w", ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", data)
    return path / "weights.npz"


@pytest.mark.parametrize("order", ["True", "False"])
@pytest.mark.parametrize("kind", ["<f4", ">f8", "|u1", "<f9", "nonsense", "O"])
@pytest.mark.parametrize(
    "shape", ["(1000000000000,)", "(1000000, 1000000)", f"({10**40},)", "(-1, 9)", f"({'9' * 5000},)"]
)
def test_a_shape_that_the_file_does_not_have_is_reported(tmp_path: Path, order: str, kind: str, shape: str) -> None:
    header = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}"
    with pytest.raises(ModelError, match=r"weights\.npz is damaged: "):
        read_arrays(weights(tmp_path, described(header, bytes(64))))


def test_arrays_far_beyond_any_model_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_files, "LARGEST", 1_000_000)
    with pytest.raises(ModelError, match="bytes of arrays, expected at most 1,000,000"):
        read_arrays(weights(tmp_path, bytes(2_000_000)))


@pytest.mark.parametrize("array", [np.arange(6.0).reshape(2, 3).T, np.arange(3, dtype=">i4"), np.array(["x", "yz"])])
def test_other_arrays_of_numpy_are_read_too(
    tmp_path: Path, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]
) -> None:
    file = BytesIO()
    np.save(file, array)
    assert np.array_equal(read_arrays(weights(tmp_path, file.getvalue()))["a"], array)


def test_no_room_is_made_for_more_than_the_file_has(tmp_path: Path) -> None:
    header = "{'descr': '>f8', 'fortran_order': False, 'shape': (1000,), }"
    with pytest.raises(ModelError, match="an array of 8,000 bytes in a file of"):
        read_arrays(weights(tmp_path, described(header, bytes(64))))


def test_a_model_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text('{"format": 2}')
    with open_description(tmp_path, 2, "dehusk train") as description:
        assert description == {"format": 2}
    with (
        pytest.raises(ModelError, match="has format 2, this version reads 3; retrain it"),
        open_description(tmp_path, 3, "dehusk train"),
    ):
        pass


@dataclass(frozen=True, slots=True, eq=False)
class Weights(FromFolder):
    values: list[int]
    folder: Path | None = None
    bias: int = 0
    adjustable: ClassVar = ("bias",)

    @classmethod
    def load(cls, folder: Path) -> Self:
        return cls([1, 2], folder)


def test_a_folder_is_read_once_and_pickled_by_its_path(tmp_path: Path) -> None:
    read = Weights.loaded(tmp_path)
    assert pickle.loads(pickle.dumps(read)).values is Weights.loaded(tmp_path).values is read.values


def test_what_was_adjusted_after_reading_is_pickled_too(tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(replace(Weights.loaded(tmp_path), bias=3, values=[])))
    assert (again.bias, again.values) == (3, [1, 2])


def test_weights_without_a_folder_are_pickled_whole() -> None:
    again = pickle.loads(pickle.dumps(Weights([5], bias=4)))
    assert (again.values, again.folder, again.bias) == ([5], None, 4)
