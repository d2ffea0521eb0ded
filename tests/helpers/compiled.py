"""Compiled modules beside their plain twins: the same source, run as Python."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import dehusk

PACKAGE = Path(dehusk.__file__).parent
SOURCES = sorted(types.with_suffix(".py") for types in PACKAGE.rglob("*.pxd"))
COMPILED = sorted([*SOURCES, *PACKAGE.rglob("*.pyx")])


def module_name(source: Path) -> str:
    """Return the name under which a source is imported."""
    return ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts)


def uncompiled(module: ModuleType | str) -> ModuleType:
    """Load a module from its source, even if it is compiled."""
    name = module if isinstance(module, str) else module.__name__
    source = PACKAGE.parent / Path(*name.split(".")).with_suffix(".py")
    spec = spec_from_file_location(f"uncompiled_{source.stem}", source)
    assert spec
    assert spec.loader
    plain = module_from_spec(spec)
    spec.loader.exec_module(plain)
    return plain


class _SourceFinder(MetaPathFinder):
    """Finds the sources of compiled modules before the compiled ones are found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        source = PACKAGE.parent / Path(*fullname.split(".")).with_suffix(".py")
        return spec_from_file_location(fullname, source) if source in SOURCES else None


def import_from_source() -> None:
    """Make this process import compiled modules from their sources; call it before anything else is imported."""
    sys.meta_path.insert(0, _SourceFinder())


def copied(arguments: tuple[Any, ...]) -> list[Any]:
    """Return the arguments with copies of their arrays; parts of one array stay parts of one."""
    wholes: dict[int, NDArray[Any]] = {}
    copies = []
    for each in arguments:
        if isinstance(each, np.ndarray):
            whole = each
            while isinstance(whole.base, np.ndarray):
                whole = whole.base
            offset = each.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
            buffer = wholes.setdefault(id(whole), whole.copy())
            copies.append(np.ndarray(each.shape, each.dtype, buffer.data, offset, each.strides))
        else:
            copies.append(each)
    return copies


def held(ours: Callable[..., Any], plain: Callable[..., Any], places: float = 0) -> Callable[..., Any]:
    """Return `ours`, compared at every call with what `plain` returns for copies of the same arguments."""

    def both(*arguments: Any) -> Any:
        copies = copied(arguments)
        expected, found = plain(*copies), ours(*arguments)
        # Compiled sums may be added up in another order.
        assert found == (pytest.approx(expected, rel=1e-12) if isinstance(expected, float) else expected)
        for number, (left, right) in enumerate(zip(arguments, copies, strict=True)):
            if isinstance(left, np.ndarray):
                # What neither has written to is arbitrary, but the same in both.
                np.testing.assert_allclose(left, right, rtol=places, atol=places, err_msg=f"argument {number}")
        return found

    return both
