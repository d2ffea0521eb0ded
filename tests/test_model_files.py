from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from dehusk import ModelError, model_files
from dehusk.model_files import read_arrays


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
