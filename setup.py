"""Compiles `core/`. All else about the package stands in pyproject.toml."""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CORE = Path("src", "dehusk", "core")
TYPED = [types.with_suffix(".py") for types in CORE.glob("*.pxd")]
# `make` says so where it installs, since it compiles afterwards, once for several installs and only what has changed.
LATER = os.environ.get("DEHUSK_CORE") == "later"


class BuildCore(build_ext):
    """Compiles by way of Cython, and says what a failure means."""

    def finalize_options(self) -> None:
        """Set what Cython needs to know; as `options` of `setup` it would be lost in an editable install."""
        super().finalize_options()
        self.cython_c_in_temp = True
        # C types come from the .pxd alone: to Cython an annotation such as `int` means something else than to mypy.
        self.cython_directives = {"annotation_typing": False}

    def build_extension(self, ext: Extension) -> None:
        """Compile one module; setuptools, to which it is optional, goes on without it."""
        try:
            super().build_extension(ext)
        except Exception:
            self.warn(f"{ext.name} could not be compiled and will run as plain Python or numpy, many times slower")
            raise


setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=[
        Extension(
            f"dehusk.core.{source.stem}",
            [str(source)],
            # All types, since one may take them from another; of the headers its own.
            depends=[str(path) for path in sorted([*CORE.glob("*.pxd"), *CORE.glob(f"{source.stem}.h")])],
            include_dirs=[str(CORE)],
            # No -march: a wheel must run on processors other than the one that built it.
            extra_compile_args=["-O3", "-g0", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"],
            optional=True,
        )
        for source in ([] if LATER else sorted([*TYPED, *CORE.glob("*.pyx")]))
    ],
)
