"""The OpenAPI document holds for whatever clients send: schemathesis makes requests from it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from testing.server import ROOT, server

# All but those for which a body can be wrong: whatever is sent as HTML is a page; and for which options that do not go
# together, as a method that cannot tell comments apart and the wish to keep them, must be accepted.
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "missing_required_header", "use_after_free",
)  # fmt: skip


@pytest.mark.slow
def test_whatever_is_sent_the_answer_is_as_documented(tmp_path: Path) -> None:
    examples = int(os.environ.get("DEHUSK_EXAMPLES", "20"))
    with server("--jobs", "2", "--seconds", "20", "--fetch") as running:
        ended = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "run", f"{running.address}/openapi.json", "--no-color",
                "--checks", ",".join(CHECKS), "--max-examples", str(examples), "--seed", "1", "--suppress-health-check",
                "all", "--phases", "examples,coverage,fuzzing", "--request-timeout", "60",
            ],
            env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.helpers.schemathesis_hooks", "PYTHONPATH": str(ROOT)},
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout[-8000:] + ended.stderr[-2000:]
        made = re.search(r"(\d+) generated", ended.stdout)
        assert made
        assert int(made[1]) > 20 * examples
        assert running.ask("/readyz").status == 200
