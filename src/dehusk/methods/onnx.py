"""ONNX: a network from a file, run by onnxruntime, which nothing but this module imports."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import ModelError

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network that reads sparse rows and gives one number a row."""

    path: Path
    width: int  # of a row
    _session: Any = field(repr=False)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a network; one thread runs it, since pages run side by side in processes of their own."""
        try:
            import onnxruntime  # noqa: PLC0415  (an extra, and half a second to import)
        except ImportError as error:
            raise ModelError(
                f"{path.parent.name} needs onnxruntime, which is not installed; pip install 'dehusk[neural]'"
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # as fast, and what one long page took is given back
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            width = int(session.get_modelmeta().custom_metadata_map["width"])
        except Exception as error:  # onnxruntime raises classes of its own that it does not name
            raise ModelError(f"{path} cannot be read: {error}; install dehusk again or train it anew") from error
        return cls(path, width, session)

    def run(self, rows: Longs, columns: Longs, values: Floats, count: int) -> Floats:
        """Return the numbers of `count` rows, of which the entries that are not 0 are given."""
        entries = {"rows": rows[:, None], "columns": columns, "values": values[:, None]}
        scores: Floats = self._session.run(None, {**entries, "leaves": np.array([count])})[0]
        return scores
