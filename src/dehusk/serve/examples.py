"""What the OpenAPI document says about bodies, with examples that can be run as they are."""

from typing import Any, Final

from dehusk.serve.offered import FORMATS
from dehusk.serve.options import PageRequest, RequestOptions, as_schema

HTML: Final = (
    "<title>Hay</title><nav><a href=/>Home</a> <a href=/farm>Farm</a></nav>"
    "<p>The first cut of hay was <b>late</b> this year, since June was wet.</p><footer>© 2026 Farm News</footer>"
)
JSON: Final = {
    "a page": {"value": {"html": HTML, "format": "markdown"}},
    "with its address": {"value": {"html": HTML, "url": "https://farm.example/hay", "links": True}},
}
LINES: Final = '{"id": 1, "html": "<p>It rained all day."}\n{"id": 2, "html": "<p>It shone."}\n'
STRING: Final = {"type": "string"}
FIXED_JSON: Final = {"a page": {"value": {"html": HTML}}}
PARAMETERS: Final = [
    {"name": name, "in": "query", "required": False, "description": schema["description"], "schema": schema}
    for name, schema in as_schema(RequestOptions)["properties"].items()
]


def _body(content: dict[str, Any], parameters: list[dict[str, Any]] = PARAMETERS) -> dict[str, Any]:
    return {"parameters": parameters, "requestBody": {"required": True, "content": content}}


def _page(examples: dict[str, Any], without: str = "") -> dict[str, Any]:
    """Return what to say about a page and its options, without one that an address does not take."""
    schema = as_schema(PageRequest)
    schema["properties"].pop(without, None)
    content = {"application/json": {"schema": schema, "examples": examples}, **_RAW}
    return _body(content, [each for each in PARAMETERS if each["name"] != without])


_RAW: Final = {kind: {"schema": STRING, "example": HTML} for kind in ("text/html", "text/plain")}
PAGE: Final = _page(JSON)
FIXED: Final = _page(FIXED_JSON, without="format")  # of an address that needs one itself
RAW: Final = _body(_RAW)
BATCH: Final = {
    **_body({"application/x-ndjson": {"schema": STRING, "example": LINES}}),
    "responses": {
        "200": {"description": "One line per page", "content": {"application/x-ndjson": {"schema": STRING}}},
    },
}


def outputs(failures: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Return the responses of an address that writes pages in all formats."""
    kinds = {entry.media_type for entry in FORMATS} - {"application/json"}
    content: dict[str, Any] = {kind: {"schema": STRING} for kind in sorted(kinds)}
    content["application/json"] = {"schema": {"type": "object", "required": ["text", "blocks", "metadata", "reason"]}}
    reason = {"description": "Why the text is empty or incomplete, percent-encoded", "schema": STRING}
    return {200: {"description": "The page", "content": content, "headers": {"Dehusk-Reason": reason}}, **failures}
