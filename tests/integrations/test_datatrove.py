"""The extractor in a pipeline of the released datatrove."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor

from dehusk import Extractor, Limits, Source
from dehusk.extractor import Result
from dehusk.integrations.datatrove import LABELS, DehuskExtractor
from dehusk.reasons import Code, Reason
from tests.helpers.articles import article
from tests.helpers.methods import Obedient


def test_pages_go_through_a_pipeline_and_trouble_costs_one_document(tmp_path: Path) -> None:
    pages = [
        "<p>It rained for nine days.",
        "<p>killed",
        "<p>raise Rain",
        "",
        "<p>wait 9999",
        "<p>And then it stopped.",
    ]
    documents = [Document(page, str(number), metadata={"url": f"https://example.org/{number}"}) for number, page in
                 enumerate(pages)]  # fmt: skip
    step = DehuskExtractor(Extractor(Obedient(), limits=Limits(seconds=5)))
    written = []

    def collect(data: Iterator[Document], rank: int, world_size: int) -> Iterator[Document]:
        for document in data:
            written.append((document.id, document.text))
            yield document

    stats = LocalPipelineExecutor([documents, step, collect], logging_dir=str(tmp_path)).run()
    assert written == [("0", "It rained for nine days."), ("5", "And then it stopped.")]
    found = {name: metric.total for name, metric in stats.stats[0].stats.items()}
    assert found | {"doc_len": 0} == {
        "total": 6, "extracted": 3, "forwarded": 2, "dropped": 1, "doc_len": 0,
        "broken_process": 1, "clean_error": 1, "timeout": 1,
    }  # fmt: skip


def test_the_text_is_that_of_dehusk() -> None:
    html = article(1)
    (document,) = DehuskExtractor().run([Document(html, "a")])
    assert document.text == Extractor().extract(html).text == DehuskExtractor().extract(html)


# All codes that have a label, and two that have none.
COUNTED = {
    Code.TOO_SLOW: "timeout",
    Code.WORKER_DIED: "broken_process",
    Code.OUT_OF_MEMORY: "broken_process",
    Code.FAILED: "clean_error",
    Code.NO_MODEL: "clean_error",
}


@pytest.mark.parametrize("code", COUNTED)
def test_failed_pages_are_counted_under_the_names_of_datatrove(code: Code, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Extractor, sources: Iterable[Source], **options: Any) -> Iterator[Result]:
        return (Result(source.url, "", Reason(code, "Rain", limit=5, seen=1), failed=True) for source in sources)

    monkeypatch.setattr(Extractor, "extract_many", failing)
    step = DehuskExtractor()
    assert list(step.run([Document("<p>It rained.", "a")])) == []
    assert {name: metric.total for name, metric in step.stats.stats.items()} == {"total": 1, COUNTED[code]: 1}


def test_no_label_is_left_out() -> None:
    assert LABELS.items() <= COUNTED.items()
