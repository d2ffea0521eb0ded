"""Hostile input ends within seconds, with a result or a reason.

Limits are on CPU time, since test machines are shared.
"""

import time
from collections.abc import Callable

import pytest

from dehusk import Document, Extractor, Limits
from dehusk.formats import render
from dehusk.models.registry import DEFAULT
from testing.hostile_inputs import HOSTILE, REASONS, WORD

pytestmark = pytest.mark.timeout(1800)  # on a busy machine seconds of CPU time take minutes


def timed(make: Callable[[], bytes | str], method: str = "bte") -> tuple[Document, float]:
    source = make()
    start = time.process_time()
    document = Extractor(method).extract(source)
    return document, time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_ends_in_time_and_keeps_its_text(name: str) -> None:
    document, seconds = timed(HOSTILE[name], "alltext")
    assert seconds < 5
    assert (WORD in document.text) == (name not in ("nothing", "one byte"))
    document.text.encode("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*HOSTILE, *REASONS])
def test_hostile_input_is_scored_in_time(name: str) -> None:
    document, seconds = timed(HOSTILE.get(name) or REASONS[name][0], DEFAULT)
    # 20 MB and 200,000 blocks, the most there can be: two seconds to read, three to score.
    assert seconds < 10
    assert len(document.scores) == len(document.blocks)
    assert document.text or document.reason


@pytest.mark.slow
@pytest.mark.parametrize("name", REASONS)
def test_a_page_over_a_limit_says_so(name: str) -> None:
    make, reason = REASONS[name]
    document, seconds = timed(make)
    assert seconds < 5
    assert str(document.reason) == reason


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "20 MB page"])
def test_every_block_is_located_in_bounded_time(name: str) -> None:
    document, _ = timed(HOSTILE[name])
    start = time.process_time()
    render(document, "json", every=True)
    assert time.process_time() - start < 10


def test_limits_can_be_set() -> None:
    small = Limits(bytes=20, elements=5, blocks=2)
    assert str(Extractor("alltext", limits=small).extract("x" * 21).reason) == "too large: more than 20 characters"
    assert str(Extractor("alltext", limits=small).extract("<b>a<b>b<b>c<b>d<b>e").reason) == "cut off after 5 elements"
    assert str(Extractor("alltext", limits=Limits(blocks=2)).extract("<p>a<p>b<p>c").reason) == "cut off after 2 blocks"
