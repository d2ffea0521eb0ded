"""Documents for the tests of the report."""

from dataclasses import replace

import numpy as np

from dehusk import Document, Extractor, Page, Scores
from dehusk.assemble import assemble
from dehusk.blocks import cut
from dehusk.reasons import Code, Reason

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>alert(2)//",
    "<img src=http://evil.example/x onerror=alert(3)>",
    "</style><style>*{background:url(http://evil.example/y)}</style>",
    '"><svg onload=alert(4)>',
    "' onfocus=alert(5) autofocus x='",
    "\\u003cscript>alert(6)\u2028\u2029\u202e\x00\x1b",
    "</title></head></textarea></noscript><iframe src=javascript:alert(7)>",
)


def scored(html: str, *values: float, name: str = "demo", threshold: float = 0.5) -> Document:
    page = Page.from_html(html)
    blocks = cut(page)
    return assemble(page, blocks, Scores(blocks, np.array(values, np.float64), name), threshold)


def hostile() -> Document:
    """Return a page of which every part that a report shows is hostile."""
    shown = [text.replace("&", "&amp;").replace("<", "&lt;") for text in HOSTILE]
    html = f"<title>{' '.join(shown)}</title>" + "".join(f"<p>{text}</p><x'\"<y>{text}" for text in shown)
    page = Extractor("alltext").extract(html, url=f"javascript:{HOSTILE[0]}\ud800")
    because: list[tuple[str, ...]] = [
        (f"+ {HOSTILE[number % len(HOSTILE)]}", "- \udfff") for number in range(len(page.blocks))
    ]
    model = replace(page.scores, model=HOSTILE[4])
    return replace(page, scores=model, because=because, reason=Reason(Code.NO_MODEL, HOSTILE[2]))
