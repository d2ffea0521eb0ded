"""Compile the `fast_….py` modules and the kernel's layers. Everything else about the package is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path("src")
TYPES = sorted(ROOT.rglob("*.pxd"))
SOURCES = sorted([types.with_suffix(".py") for types in TYPES] + [*ROOT.rglob("*.pyx")])
# `make` sets this while it installs: it compiles afterwards, once for several installs and only what has changed.
LATER = os.environ.get("DEHUSK_COMPILE") == "later"


class BuildFastModules(build_ext):
    """Compiles with Cython, several modules at a time, and explains what a failure means."""

    def finalize_options(self) -> None:
        """Set what Cython needs to know; `options` of `setup` would be lost in an editable install."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        self.cython_c_in_temp = True
        # C types come from the .pxd alone: an annotation such as `int` means one thing to Cython, another to mypy.
        self.cython_directives = {"annotation_typing": False}

    def build_extension(self, ext: Extension) -> None:
        """Compile one module; it is optional, so setuptools goes on without it."""
        try:
            super().build_extension(ext)
        except Exception:
            self.warn(f"{ext.name} could not be compiled and will run as plain Python or numpy, many times slower")
            raise


def extension(source: Path) -> Extension:
    """Return how to compile one module."""
    return Extension(
        ".".join(source.relative_to(ROOT).with_suffix("").parts),
        [str(source)],
        # All C types, since one module may use another's; of the headers only its own.
        depends=[str(path) for path in [*TYPES, *source.parent.glob(f"{source.stem}.h")]],
        include_dirs=[str(source.parent)],
        # No -march: a wheel must run on processors other than the one that built it.
        extra_compile_args=["-O3", "-g0", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"],
        optional=True,
    )


setup(cmdclass={"build_ext": BuildFastModules}, ext_modules=[] if LATER else [extension(source) for source in SOURCES])
