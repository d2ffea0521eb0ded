"""Compile the `fast_….py` modules and the kernel's layers. Everything else about the package is in pyproject.toml."""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path("src")
TYPES = sorted(ROOT.rglob("*.pxd"))
SOURCES = sorted([types.with_suffix(".py") for types in TYPES] + [*ROOT.rglob("*.pyx")])
# What Cython would otherwise put into every module that uses memoryviews: half of the time to compile, and of the size.
SHARED = "dehusk.fast_shared"
JOBS = os.cpu_count() or 1
# `make` sets this while it installs: it compiles at the same time, once for several installs and only what has changed.
LATER = os.environ.get("DEHUSK_COMPILE") == "later"
# Loops over arrays, and all that the default method runs on a page. The others mostly follow pointers: with -O1 they
# are slower by about 5 %, and compile in half of the time.
HOT = {
    "ensemble", "fast_blocks", "fast_features", "fast_formatting", "fast_minhash", "fast_repeats", "fast_rows",
    "fast_scan", "fast_scoring", "fast_shape", "fast_spans", "fast_text", "fast_tokens", "fast_tree", "fast_walk",
    "layers", "tags",
}  # fmt: skip
# By the kind of compiler, as setuptools calls it: gcc and clang, or MSVC, whose /fp:fast would drop checks for NaN.
# No -march: a wheel must run on processors other than the one that built it. No warnings: Cython wrote the C.
FLAGS = {"unix": ["-O1", "-g0", "-w"], "msvc": ["/O2"]}
HOT_FLAGS = {
    "unix": [
        "-O3", "-g0", "-w", "-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math",
        # Two passes that take gcc 40 % of its time for the layers, and gain nothing there.
        "-fno-gcse", "-fno-gcse-after-reload",
    ],
    "msvc": ["/O2"],
}  # fmt: skip


class BuildFastModules(build_ext):
    """Compiles with Cython, several modules at a time, and explains what a failure means."""

    def build_extensions(self) -> None:
        """Translate to C in several processes, then compile in several threads: Cython is not safe in threads."""
        from Cython.Build import cythonize  # noqa: PLC0415  (only building needs it)

        self.parallel = self.parallel or JOBS
        translated = cythonize(
            self.extensions,
            nthreads=JOBS if sys.platform == "linux" else 0,  # elsewhere each process would start by running this file
            quiet=True,
            build_dir=self.build_temp,
            shared_utility_qualified_name=SHARED,
            # C types come from the .pxd alone: an annotation such as `int` means one thing to Cython, another to mypy.
            compiler_directives={"annotation_typing": False},
        )
        sources = {each.name: each.sources for each in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Compile one module; it is optional, so setuptools goes on without it."""
        flags = HOT_FLAGS if ext.name.rpartition(".")[2] in HOT else FLAGS
        ext.extra_compile_args = flags.get(self.compiler.compiler_type, [])
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
        # The flags above; all C types, since one module may use another's; for C the headers beside it.
        depends=["setup.py", *map(str, [*TYPES, *(source.parent.glob("*.h") if source.suffix == ".pyx" else ())])],
        include_dirs=[str(source.parent)],
        optional=True,
    )


sources = [] if LATER else [ROOT / "dehusk" / "fast_shared.c", *SOURCES]
setup(cmdclass={"build_ext": BuildFastModules}, ext_modules=[extension(source) for source in sources])
