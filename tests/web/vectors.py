"""Test vectors: what Python computes of golden and small pages, to which the kernel in TypeScript is held.

    python -m tests.web.vectors

rewrites them after a change of the model or its rules. The golden pages are in tests/pages, so that the file has the
markup of the small ones only; features, which are many numbers, are in it for these alone.
"""

import json
from pathlib import Path
from typing import Any

from dehusk import Page
from tests.golden import FOLDERS
from tests.web.pages import IN_BROWSERS, SMALL
from tests.web.traces import Trace, python_trace

FILE = Path(__file__).parents[1] / "methods" / "kernel-vectors.json"


def markup() -> dict[str, str]:
    """Return the pages by name, decoded."""
    golden = {f"golden/{each.name}": Page.from_bytes((each / "source.html").read_bytes()).html for each in FOLDERS}
    small = {f"small/{name}": html for name, html in (SMALL | IN_BROWSERS).items()}
    return small | golden


def read() -> dict[str, Trace]:
    """Return the vectors by name."""
    vectors: dict[str, Trace] = json.loads(FILE.read_text(encoding="utf-8"))
    return vectors


def compute() -> dict[str, Trace]:
    """Return what the vectors should be."""
    return {
        name: _rounded(python_trace(Page.from_html(html), features=name.startswith("small/")))
        for name, html in markup().items()
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return {key: _rounded(each) for key, each in value.items()} if isinstance(value, dict) else value


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(trace, ensure_ascii=False)}" for name, trace in compute().items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
