"""The wheel, installed in an empty environment, runs."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_wheel_runs_in_an_empty_environment(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    wheel = next(tmp_path.glob("dehusk-*.whl"))
    venv.create(tmp_path / "empty", with_pip=True)
    binaries = tmp_path / "empty" / "bin"
    install = [str(binaries / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    page = ROOT / "tests" / "pages" / "recipe" / "source.html"
    run = subprocess.run([binaries / "dehusk", "extract", page], check=True, capture_output=True, cwd=tmp_path)
    assert len(run.stdout.decode("utf-8").split()) > 50
    typed = subprocess.run(
        [
            binaries / "python",
            "-c",
            "import dehusk, pathlib; print(pathlib.Path(dehusk.__file__).with_name('py.typed').exists())",
        ],
        check=True,
        capture_output=True,
        cwd=tmp_path,
    )
    assert typed.stdout.strip() == b"True"
