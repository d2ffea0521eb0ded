import json
from functools import partial
from pathlib import Path

import pytest

from dehusk import Extractor, Limits
from dehusk.batch import Job, OutcomeOptions
from dehusk.extractor import RenderOptions, render_page
from dehusk.output_files import OutputFolder
from dehusk.reasons import Code, Reason
from tests.helpers.json_lines import write_lines
from tests.helpers.trouble import page_answer


def test_a_batch_from_python_writes_a_folder_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        Path(f"{name}.html").write_text(f"<p>{name}")
    job = Job(partial(render_page, Extractor("alltext"), RenderOptions("text")), jobs=1)
    pages = ["a.html", "b.html", "gone.html"]
    results = [(page.name, result.reason) for page, result in job.run(pages, OutputFolder(Path("out"), ".txt", pages))]
    assert results == [
        ("a.html", None),
        ("b.html", None),
        ("gone.html", Reason(Code.UNREADABLE, "No such file or directory")),
    ]
    assert [path.read_text() for path in sorted(Path("out").iterdir())] == ["a\n", "b\n"]
    again = OutputFolder(Path("out"), ".txt", pages, resume=True)
    assert [page.name for page, _ in job.run(pages, again)] == ["gone.html"]
    assert again.skipped == 2


def test_json_lines_go_to_the_workers_unparsed_and_come_back_complete(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "l.jsonl", {"id": 1, "html": "<p>One"}, {"id": 2}, ["no object"])
    function = partial(render_page, Extractor("alltext"), RenderOptions("json"))
    job = Job(function, jobs=1, options=OutcomeOptions(line_format="json"))
    results = list(job.run([str(lines)]))
    assert all(isinstance(page.data, bytes) and page.fields is None for page, _ in results)
    records = [json.loads(outcome.output) for _, outcome in results]
    assert [(record.get("id"), record["text"]) for record in records] == [(1, "One"), (2, ""), (None, "")]
    assert [outcome.failed for _, outcome in results] == [False, True, True]


def test_a_line_whose_worker_dies_keeps_its_fields(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "l.jsonl", {"id": 1, "html": "exit"}, {"id": 2, "html": "sleep"}, {"html": "fine"})
    job = Job(page_answer, jobs=1, options=OutcomeOptions(line_format="text"), limits=Limits(seconds=2))
    first, second, third = (json.loads(outcome.output) for _, outcome in job.run([str(lines)]))
    assert (first["id"], first["text"], first["reason"][:27]) == (1, "", "its worker died (exit statu")
    assert second == {"id": 2, "text": "", "reason": "took longer than 2 s", "reason_code": "too-slow"}
    assert third == {"text": "FINE", "reason": None, "reason_code": None}
