"""The wheel, built from the source archive and installed in an empty environment, runs."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from sysconfig import get_platform

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "dehusk"
GENERATED = {".c", ".so", ".pyd", ".pyc"}

pytestmark = pytest.mark.slow


# Compiled again from the source archive, to show that it can be: a module with a header, and one with another's types.
# What `make` has compiled in this folder serves for the others: all of it twice takes minutes on a busy machine.
AGAIN = ("layers", "fast_markup")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source archive and the wheel, which is built from that archive and not from this folder."""
    folder = tmp_path_factory.mktemp("dist")
    build("--sdist", folder, ROOT)
    with tarfile.open(next(folder.glob("dehusk-*.tar.gz"))) as archive:
        archive.extractall(folder)
    source = next(path for path in folder.glob("dehusk-*") if path.is_dir())
    # In this order: C files must be younger than their sources, and modules younger than their C files.
    copied(next(ROOT.glob("build/temp.*")), source / "build", "temp", "*.c")
    copied(PACKAGE.parent, source / "build", "lib", "*.so")
    build("--wheel", folder, source)
    return folder


def copied(compiled: Path, build: Path, kind: str, pattern: str) -> None:
    """Put compiled files where the build of a wheel looks for its own."""
    target = build / f"{kind}.{get_platform()}-{sys.implementation.cache_tag}"
    for path in compiled.rglob(pattern):
        if path.name.partition(".")[0] not in AGAIN:
            place = target / path.relative_to(compiled)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())


def build(kind: str, folder: Path, source: Path) -> None:
    command = [sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def packaged() -> set[str]:
    """Every file of the package that somebody wrote."""
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in GENERATED)
    return {path.relative_to(PACKAGE.parent).as_posix() for path in files}


def test_nothing_of_the_package_is_missing_from_the_wheel_and_the_source_archive(built: Path) -> None:
    wheel = set(zipfile.ZipFile(next(built.glob("dehusk-*.whl"))).namelist())
    assert packaged() - wheel == set()
    assert {Path(name).name for name in wheel if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    with tarfile.open(next(built.glob("dehusk-*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in packaged()} - source == set()
    assert {"README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "setup.py"} <= source
    assert not any(name.startswith("tests/") or Path(name).suffix in GENERATED for name in source)


def test_the_wheel_runs_compiled_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    wheel = next(built.glob("dehusk-*.whl"))
    venv.create(tmp_path / "empty", with_pip=True)
    python = str(tmp_path / "empty" / "bin" / "python")
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    page = ROOT / "tests" / "pages" / "recipe" / "source.html"
    program = tmp_path / "empty" / "bin" / "dehusk"
    run = subprocess.run([program, "extract", page], check=True, capture_output=True, cwd=tmp_path)
    assert len(run.stdout.decode("utf-8").split()) > 50
    imports = "from dehusk.methods.kernel import layers; from dehusk.page import fast_walk; "
    code = imports + "print(fast_walk.__file__, layers.__file__, sep='\\n')"
    core = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert {Path(line).suffix for line in core.stdout.splitlines()} <= {".so", ".pyd"}
    assert len(core.stdout.splitlines()) == 2
