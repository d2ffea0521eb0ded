"""docs/reliability.md and SECURITY.md promise what the code and the other tests hold."""

import re
from pathlib import Path

import pytest

from dehusk import Limits
from dehusk.page.source_limits import SIGNS_PER_ELEMENT, TAGS_PER_ELEMENT
from dehusk.page.xpaths import MAX_LENGTH
from dehusk.reasons import Code
from fuzz import growth, limits, shapes
from tests.cli import test_interruptions
from tests.formats import test_scripts_browser
from tests.helpers.hostile_pages import CONTEXTS
from tests.page import test_source_limits

ROOT = Path(__file__).parents[1]
PROMISES = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
DEFAULT = Limits()
TAGS = int(TAGS_PER_ELEMENT * DEFAULT.elements)
SIGNS = SIGNS_PER_ELEMENT * DEFAULT.elements


@pytest.mark.parametrize(
    "promise",
    [
        f"up to {DEFAULT.bytes:,} bytes",
        f"{DEFAULT.elements:,} elements, {TAGS:,} tags, {SIGNS:,} signs `<` and {DEFAULT.blocks:,} blocks",
        f"{DEFAULT.seconds:g} seconds per page",
        *(f"`{code}`" for code in (Code.TOO_LARGE, Code.CUT_OFF, Code.TOO_SLOW, Code.OUT_OF_MEMORY, Code.WORKER_DIED)),
        f"{DEFAULT.memory / 1e9:g} GB of address space",
        f"exponent at most {growth.MOST}",
        f"at most {limits.OUTPUT[0]:,} + {limits.OUTPUT[1]:g} × the bytes of the page",
        f"`xpath` over {MAX_LENGTH} characters",
        f"growth of {len(shapes.SHAPES)} shapes",
        f"{len(shapes.FEW)} shapes",
        f"memory of {len(test_source_limits.GREEDY)} greedy pages",
        f"{len(CONTEXTS) * test_scripts_browser.ROUNDS} hostile pages",
        f"{test_interruptions.RUNS} random interruptions",
    ],
)
def test_the_docs_promise_what_the_code_holds(promise: str) -> None:
    assert promise in " ".join(PROMISES.split())


def test_the_gigabyte_is_the_same_everywhere() -> None:
    assert test_source_limits.GIGABYTE == 2**30
    assert "below 1 GB" in PROMISES
    assert "more than 1 GB" in SECURITY


def test_every_command_and_test_that_the_docs_name_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"`make ([a-z-]+)", PROMISES)
    assert targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    files = re.findall(r"`pytest[^`]* (tests/[^` ]+)`", PROMISES)
    assert len(files) >= 5
    assert all((ROOT / file).is_file() for file in files)
