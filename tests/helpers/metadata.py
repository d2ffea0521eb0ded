"""The metadata of a piece of HTML, and a script of JSON-LD to put into it."""

import json

from dehusk import Page
from dehusk.metadata import Metadata, read


def metadata_of(html: str, *, url: str | None = None, kind: str | None = None) -> Metadata:
    """Return the metadata of a page of which everything was kept, without its language."""
    page = Page.from_html(html, url=url)
    return read(page, page.text, kind, language=False)


def article_script(**properties: object) -> str:
    """Return a script of JSON-LD that describes an article."""
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", **properties})}</script>'
