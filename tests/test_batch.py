from pathlib import Path

import pytest

from dehusk import Extractor
from dehusk.batch import Job, OutputFolder
from dehusk.extractor import Output, rendering


def test_a_batch_from_python_writes_a_folder_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        Path(f"{name}.html").write_text(f"<p>{name}")
    job, pages = Job(rendering(Extractor("alltext"), Output("text")), jobs=1), ["a.html", "b.html", "gone.html"]
    results = [(page.name, result.reason) for page, result in job.run(pages, OutputFolder(Path("out"), ".txt", pages))]
    assert results == [("a.html", ""), ("b.html", ""), ("gone.html", "cannot be read: No such file or directory")]
    assert [path.read_text() for path in sorted(Path("out").iterdir())] == ["a\n", "b\n"]
    again = OutputFolder(Path("out"), ".txt", pages, resume=True)
    assert [page.name for page, _ in job.run(pages, again)] == ["gone.html"]
    assert again.skipped == 2
