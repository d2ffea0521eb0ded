"""What schemathesis must know to send JSON lines: bytes are sent as they are."""

import json
from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(_context: Any, value: Any) -> bytes:
    """Return a body: text as it is, anything else as one line."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()
