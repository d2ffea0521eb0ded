"""The files to run the service from, and a small version of the load test."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from testing.server import ROOT

CONTAINER = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")


def test_the_container_runs_the_wheel_without_root() -> None:
    last = CONTAINER.rpartition("FROM ")[2]
    user = re.search(r"^USER (\d+)$", last, re.MULTILINE)
    assert user
    assert int(user[1]) > 0
    assert "dist/dehusk-*.whl" in CONTAINER
    assert 'ENTRYPOINT ["dehusk", "serve", "--host", "0.0.0.0"]' in last
    assert "COPY . " not in CONTAINER


def test_the_unit_runs_the_service_without_rights() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "dehusk.service")
    service = unit["Service"]
    assert service["ExecStart"].split()[1:] == ["serve", "--quiet"]
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "ProtectHome", "PrivateDevices"):
        assert service[name] == "yes"
    assert service["ProtectSystem"] == "strict"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "dehusk.service").read_text(encoding="utf-8")
    unit = tmp_path / "dehusk.service"
    unit.write_text(text.replace("/opt/dehusk/bin/dehusk", sys.executable), encoding="utf-8")
    ended = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert "dehusk.service" not in ended.stderr


@pytest.mark.slow
def test_many_clients_get_each_their_own_answer() -> None:
    command = [sys.executable, "-m", "benchmarks.load", "--clients", "50", "--seconds", "5"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "wrong 0, lost 0" in ended.stdout
    assert re.search(r"statuses \{200: \d+\}", ended.stdout)
