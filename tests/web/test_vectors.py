"""The vectors are what Python computes today: a change of the model or its rules must reach the TypeScript, too."""

import pytest

from dehusk import Page
from tests.web import vectors
from tests.web.traces import differences, python_trace

PAGES = vectors.markup()


def test_there_is_a_vector_for_every_page() -> None:
    assert list(vectors.read()) == list(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_python_computes_the_vector(name: str) -> None:
    trace = python_trace(Page.from_html(PAGES[name]), features=name.startswith("small/"))
    remedy = "run `python -m tests.web.vectors`, and change web/kernel alike"
    assert differences(vectors.read()[name], trace) == [], remedy
