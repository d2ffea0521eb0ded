"""The wheels, built from the source archives and installed in empty environments, run."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from sysconfig import get_platform

import click
import pytest

from dehusk import __version__
from dehusk.cli import command_line

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "dehusk"
PAGE = ROOT / "tests" / "pages" / "recipe" / "source.html"
GENERATED = {".c", ".so", ".pyd", ".pyc"}

pytestmark = pytest.mark.slow


# Compiled again from the source archive, to show that it can be: a module with a header, and one with another's types.
# What `make` has compiled in this folder serves for the others: all of it twice takes minutes on a busy machine.
AGAIN = ("layers", "fast_markup")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source archive and the wheel, which is built from that archive and not from this folder."""
    folder = tmp_path_factory.mktemp("dist")
    source = archived(ROOT, folder)
    # In this order: C files must be younger than their sources, and modules younger than their C files.
    copied(next(ROOT.glob("build/temp.*")), source / "build", "temp", "*.c")
    copied(PACKAGE.parent, source / "build", "lib", "*.so")
    build("--wheel", folder, source)
    return folder


def archived(project: Path, folder: Path) -> Path:
    """Make the source archive of a project, and return the folder that it was unpacked to."""
    build("--sdist", folder, project)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder)
    return next(path for path in folder.glob("dehusk*") if path.is_dir())


def copied(compiled: Path, build: Path, kind: str, pattern: str) -> None:
    """Put compiled files where the build of a wheel looks for its own."""
    target = build / f"{kind}.{get_platform()}-{sys.implementation.cache_tag}"
    for path in compiled.rglob(pattern):
        if path.name.partition(".")[0] not in AGAIN:
            place = target / path.relative_to(compiled)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())


def build(kind: str, folder: Path, source: Path, **environment: str) -> None:
    command = [sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | environment)
    assert done.returncode == 0, done.stdout + done.stderr


def written(package: Path) -> set[str]:
    """Every file of a package that somebody wrote."""
    files = (path for path in package.rglob("*") if path.is_file() and path.suffix not in GENERATED)
    return {path.relative_to(package.parent).as_posix() for path in files}


def test_nothing_of_the_package_is_missing_from_the_wheel_and_the_source_archive(built: Path) -> None:
    wheel = set(zipfile.ZipFile(next(built.glob("dehusk-*.whl"))).namelist())
    assert written(PACKAGE) - wheel == set()
    assert {Path(name).name for name in wheel if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    with tarfile.open(next(built.glob("dehusk-*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in written(PACKAGE)} - source == set()
    assert {"README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "setup.py"} <= source
    assert not any(name.startswith(("tests/", "distributions/")) or Path(name).suffix in GENERATED for name in source)


def test_the_base_wheel_is_small(built: Path) -> None:
    assert next(built.glob("dehusk-*.whl")).stat().st_size <= 6_000_000


@pytest.mark.parametrize("name", ["lm", "neural"])
def test_the_models_are_wheels_for_every_system_with_the_same_version(name: str, tmp_path: Path) -> None:
    project = ROOT / "distributions" / name
    build("--wheel", tmp_path, archived(project, tmp_path))
    wheel = tmp_path / f"dehusk_{name}-{__version__}-py3-none-any.whl"
    names = set(zipfile.ZipFile(wheel).namelist())
    assert written(project / "src" / f"dehusk_{name}") - names == set()
    assert {Path(name).name for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def environment(folder: Path, wheel: Path, python: str = sys.executable) -> Path:
    """Make an empty environment with the wheel, and return the folder of its programs."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True, capture_output=True)
    # By the pip of this environment, and compiled when it is imported: both halve the time.
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    install = ["install", "-q", "--disable-pip-version-check", "--no-compile", str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True, env=clean())
    return folder / "bin"


def clean() -> dict[str, str]:
    """The environment variables without those that would lead to this folder's modules or to real pages."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DEHUSK_DATA")}


@pytest.fixture(scope="module")
def base(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the base install."""
    return environment(tmp_path_factory.mktemp("base") / "empty", next(built.glob("dehusk-*.whl")))


def run(programs: Path, folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [programs / "dehusk", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=clean(), input="")


def test_the_wheel_runs_compiled_in_an_empty_environment(base: Path, tmp_path: Path) -> None:
    assert len(run(base, tmp_path, "extract", PAGE).stdout.split()) > 50
    imports = "from dehusk.methods.kernel import layers; from dehusk.page import fast_walk; "
    code = imports + "print(fast_walk.__file__, layers.__file__, sep='\\n')"
    python = [str(base / "python"), "-c", code]
    core = subprocess.run(python, check=True, capture_output=True, text=True, cwd=tmp_path, env=clean())
    assert {Path(line).suffix for line in core.stdout.splitlines()} <= {".so", ".pyd"}
    assert len(core.stdout.splitlines()) == 2


EVAL = "pip install 'dehusk[eval]'"
# What each command prints on the base install, without any extra: a result (None), or what is missing.
ON_THE_BASE_INSTALL: dict[tuple[str, ...], str | None] = {
    ("demo",): None,
    ("models",): None,
    ("models", "pyplexity"): None,
    ("completion", "bash"): None,
    ("extract", str(PAGE)): None,
    ("annotate", str(PAGE)): None,
    ("strip", str(PAGE)): None,
    ("extract", "--method", "texrex", str(PAGE)): None,
    ("extract", "--method", "ncleaner", str(PAGE)): None,
    ("extract", "--method", "fiasco", str(PAGE)): None,
    ("extract", "--render", str(PAGE)): "pip install 'dehusk[visual]'",
    ("extract", "--method", "pyplexity", str(PAGE)): "pip install 'dehusk[lm]'",
    ("extract", "--method", "boilernet", str(PAGE)): "pip install 'dehusk[neural]'",
    ("perplexity", "It rained all day."): "pip install 'dehusk[lm]'",
    ("perplexity", "--model", "en", str(PAGE)): "pip install 'dehusk[lm]'",
    ("corpus", "pages.jsonl", "--output", "corpus"): "pip install 'dehusk[corpus]'",
    ("corpus", "report", "corpus"): "pip install 'dehusk[corpus,eval]'",
    ("corpus", "pages.jsonl", "--output", "corpus", "--engine", "ray"): "pip install 'dehusk[corpus,ray]'",
    ("serve",): "pip install 'dehusk[serve]'",
    ("mcp",): "pip install 'dehusk[mcp]'",
    ("evaluate", "--corpus", "pages.jsonl"): EVAL,
    ("compare", "--corpus", "pages.jsonl"): EVAL,
    ("train", "kernel"): EVAL,
    ("train", "kernel", "--only", "features"): EVAL,
    ("train", "texrex"): EVAL,
    ("train", "texrex", "--data", "missing.en.dat"): "missing.en.dat",
    ("train", "boilernet"): EVAL,
    ("train", "ncleaner"): EVAL,
    ("train", "fiasco"): "pip install 'dehusk[eval,train]'",
    ("train", "badness", "--output", "my-badness"): "DEHUSK_DATA",
    ("train", "lm", "--lang", "en", "--output", "my-en", "text.txt"): None,
}


@pytest.mark.parametrize("arguments", ON_THE_BASE_INSTALL, ids=" ".join)
def test_every_command_gives_a_result_or_one_line_on_the_base_install(
    base: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    row = {"id": "a", "html": "<p>It rained all day.</p>", "gold": "It rained all day."}
    (tmp_path / "pages.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "text.txt").write_text("It rained all day. Nobody went out.\n" * 200, encoding="utf-8")
    missing = ON_THE_BASE_INSTALL[arguments]
    done = run(base, tmp_path, *arguments)
    assert "Traceback" not in done.stderr
    if missing is None:
        assert done.returncode == 0, done.stderr
    else:
        assert done.returncode == 2
        assert missing in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_every_command_was_tried() -> None:
    # A command line's words, up to the command itself: `train` and `corpus` have commands of their own.
    tried = {
        arguments[: 1 + (arguments[0] == "train" or arguments[1:2] == ("report",))] for arguments in ON_THE_BASE_INSTALL
    }
    assert set(commands(command_line())) <= tried


def commands(group: click.Group, *before: str) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            found += commands(command, *before, name)
        if getattr(command, "invoke_without_command", True):  # no group, or one that is a command itself
            found.append((*before, name))
    return found


def other_pythons() -> list[str]:
    """Other versions of Python that are installed: on PATH, or by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*/bin/python3")
    named = (shutil.which(f"python3.{minor}") for minor in range(11, 15))
    found: dict[str, str] = {}
    for python in filter(None, [*map(str, pyenv), *named]):
        code = "import sys; print(*sys.version_info[:2])"
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
        major, minor = map(int, done.stdout.split() or (0, 0))
        if (major, minor) >= (3, 11) and (major, minor) != sys.version_info[:2]:
            found.setdefault(f"{major}.{minor}", python)
    return [found[version] for version in sorted(found)]


def test_without_a_compiler_it_runs_as_plain_python_on_every_version_here(built: Path, tmp_path: Path) -> None:
    source = next(path for path in built.glob("dehusk-*") if path.is_dir())
    shutil.copytree(source, tmp_path / "source", ignore=shutil.ignore_patterns("build"))
    build("--wheel", tmp_path, tmp_path / "source", DEHUSK_COMPILE="later")
    wheel = next(tmp_path.glob("dehusk-*-py3-none-any.whl"))
    for number, python in enumerate([sys.executable, *other_pythons()]):
        programs = environment(tmp_path / str(number), wheel, python)
        assert len(run(programs, tmp_path, "extract", PAGE).stdout.split()) > 50, python
