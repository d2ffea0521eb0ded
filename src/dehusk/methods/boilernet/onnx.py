"""ONNX: a network from a file, run by onnxruntime, which only this module imports."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError
from dehusk.extras import install_command
from dehusk.methods.boilernet.fast_features import add_entries
from dehusk.model_files import read_arrays

TABLE: Final = "table.npz"

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FirstLayer:
    """The first layer of a network: the weights of each column, and the bias; onnxruntime is 15 times slower here."""

    added: Floats
    begin: Floats

    @classmethod
    def load(cls, path: Path, width: int, sums: object) -> Self:
        """Read the table of a network whose rows have `width` columns, and which takes `sums` numbers per row."""
        arrays = read_arrays(path)
        added, begin = (np.asarray(arrays.get(name)) for name in ("added", "begin"))
        shapes, floats = ((width, sums), (sums,)), added.dtype == begin.dtype == np.float32
        if (added.shape, begin.shape) != shapes or not floats:
            raise ModelError(f"{path} belongs to another network than the one beside it; retrain it")
        return cls(np.ascontiguousarray(added), begin)

    def sums(self, rows: Longs, columns: Longs, values: Floats, count: int) -> Floats:
        """Return the weighted sums of `count` rows.

        >>> table = FirstLayer(np.array([[1, 0], [0, 2]], np.float32), np.array([0, 1], np.float32))
        >>> table.sums(np.array([0, 0]), np.array([0, 1]), np.array([3, 1], np.float32), 2)
        array([[3., 3.],
               [0., 1.]], dtype=float32)
        """
        sums: Floats = np.tile(self.begin, (count, 1))
        add_entries(rows, columns, values, self.added, sums)
        return sums


@dataclass(frozen=True, slots=True, eq=False)
class OnnxNetwork:
    """A network that reads sparse rows and returns one number per row."""

    path: Path
    width: int  # of a row
    _session: Any = field(repr=False)
    _table: FirstLayer | None = field(repr=False)  # None if the file includes the first layer, as browsers need it

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a network; it runs in one thread, since pages are processed in parallel processes."""
        try:
            import onnxruntime  # noqa: PLC0415  (an extra, and half a second to import)
        except ImportError as error:
            raise ModelError(
                f"{path.parent.name} needs onnxruntime, which is not installed; {install_command('neural')}"
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # as fast, and memory that a long page took is released
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            width = int(session.get_modelmeta().custom_metadata_map["width"])
            sums = {each.name: each.shape[-1] for each in session.get_inputs()}.get("dense")
        except Exception as error:  # onnxruntime does not export the classes that it raises
            raise ModelError(f"{path} cannot be read: {error}; reinstall dehusk or retrain it") from error
        return cls(path, width, session, FirstLayer.load(path.with_name(TABLE), width, sums) if sums else None)

    def run(self, rows: Longs, columns: Longs, values: Floats, count: int) -> Floats:
        """Return one number for each of `count` rows, given as entries that are not 0."""
        inputs: dict[str, NDArray[np.generic]]
        if self._table:
            inputs = {"dense": self._table.sums(rows, columns, values, count)}
        else:
            inputs = {"rows": rows[:, None], "columns": columns, "values": values[:, None], "leaves": np.array([count])}
        scores: Floats = self._session.run(None, inputs)[0]
        return scores
