"""Files of JSON lines for the tests of corpora and readers."""

import json
from pathlib import Path


def write_lines(path: Path, *rows: object) -> Path:
    """Write one JSON object per line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(page_id: int, **more: object) -> dict[str, object]:
    """Return a page with gold, from a site of its own."""
    return {"id": f"p{page_id}", "url": f"http://site{page_id}.org/", "html": f"<p>{page_id}", "gold": "x", **more}
