"""The compiled ensemble: all networks on a page in one call, with the results of numpy."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from resource import getpagesize
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Extractor, Page
from dehusk.gold.corpora import training_corpora, training_pages
from dehusk.methods.kernel import Kernel, bins, ensemble, network
from dehusk.methods.kernel.features import PageFeatures, page_features
from dehusk.methods.kernel.network import KernelNetwork, PlainEnsemble
from tests.golden import FOLDERS
from tests.methods.test_layers import STEPS

Floats = NDArray[Any]


def features_of(page: Page) -> PageFeatures:
    kernel = Kernel.shipped()
    return page_features(page, kernel.segment(page), kernel.vocabulary)


def assert_close(left: tuple[Floats, Floats], right: tuple[Floats, Floats]) -> None:
    """Compare the probabilities and the kinds that two ensembles have found."""
    np.testing.assert_allclose(left[0], right[0], atol=1e-4)
    np.testing.assert_allclose(left[1], right[1], atol=1e-4)


@pytest.fixture(scope="module")
def golden() -> list[PageFeatures]:
    """Return the features of all golden pages that have text."""
    pages = (Page.from_bytes((folder / "source.html").read_bytes()) for folder in FOLDERS)
    return [features for features in map(features_of, pages) if len(features)]


@pytest.fixture
def in_numpy(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Return the kernel with networks that run in numpy alone."""
    for step in STEPS:
        module = bins if step == "find_bins" else network
        monkeypatch.setattr(module, step, getattr(module, f"_{step}"))
    kernel = Kernel.shipped()
    return replace(kernel, ensemble=PlainEnsemble(kernel.networks, len(kernel.vocabulary), kernel.tuning))


def test_golden_pages_get_the_probabilities_and_kinds_of_numpy(golden: list[PageFeatures], in_numpy: Kernel) -> None:
    for features in golden:
        assert_close(Kernel.shipped().ensemble.run(features), in_numpy.ensemble.run(features))


def test_networks_with_other_bins_and_widths_run_side_by_side(golden: list[PageFeatures]) -> None:
    kernel = Kernel.shipped()
    other = replace(kernel.networks[1], bins=replace(kernel.networks[1].bins, low=kernel.networks[1].bins.low + 1e-3))
    networks: tuple[KernelNetwork, ...] = (kernel.networks[0], other)
    arguments = networks, len(kernel.vocabulary), kernel.tuning
    for features in golden[:5]:
        assert_close(ensemble.Ensemble(*arguments).run(features), PlainEnsemble(*arguments).run(features))


def test_threads_that_share_a_kernel_get_the_same_answers(golden: list[PageFeatures]) -> None:
    run = Kernel.shipped().ensemble.run
    alone = [run(features)[0].tobytes() for features in golden]
    with ThreadPoolExecutor(8) as threads:
        together = [likely.tobytes() for likely, _ in threads.map(run, golden * 4)]
    assert together == alone * 4


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_is_given_back() -> None:
    features, run = features_of(Page.from_html("<p>Some words.</p>" * 5_000)), Kernel.shipped().ensemble.run

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()

    for _ in range(3):
        run(features)
    before = resident()
    for _ in range(30):  # each takes 10 MB
        run(features)
    assert resident() - before < 20_000_000


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.skipif(not os.environ.get("DEHUSK_DATA"), reason="DEHUSK_DATA is not set")
def test_training_pages_have_the_same_text_with_networks_in_numpy(in_numpy: Kernel) -> None:
    ours, plain = Extractor("kernel"), Extractor(in_numpy)

    def pages() -> Iterator[bytes | str]:
        for corpus in training_corpora():
            yield from (page.html for page in islice(training_pages([corpus]), 15))

    for number, html in enumerate(pages()):
        page = Page.from_bytes(html) if isinstance(html, bytes) else Page.from_html(html)
        left, right = ours.extract(page), plain.extract(page)
        assert left.text == right.text, number
        np.testing.assert_allclose(left.scores.values, right.scores.values, atol=1e-4)
