"""The ids of parametrized tests: short, printable, and the same in every process that collects them."""

import re
from datetime import UTC, datetime
from typing import Final

LONGEST: Final = 60  # characters of one parameter
LONGEST_ID: Final = 200
ADDRESS: Final = re.compile(r" at 0x[0-9a-f]{6,}")
BYTES: Final = re.compile(r"(?:^|[-\[(, ])b['\"]")
SECONDS: Final = re.compile(r"(?<!\d)\d{10}(?!\d)")
A_DAY: Final = 86_400


def parameter_id(value: object, name: str) -> str | None:
    """Return the id of one parameter, None for what pytest makes of it.

    What is packed may hold the time of packing, so that bytes are shown only if they are text.

    >>> parameter_id(b"a page", "page"), parameter_id(b"\\x1f\\x8b", "page"), parameter_id("x" * 99, "page")
    (None, 'page', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...')
    """
    if isinstance(value, bytes) and not (value.isascii() and value.decode().isprintable()):
        return name
    text = value.decode() if isinstance(value, bytes) else str(value) if isinstance(value, str | int) else ""
    escaped = text.encode("unicode_escape").decode()  # as pytest writes it
    return escaped[: LONGEST - 3] + "..." if len(escaped) > LONGEST else None


def fault(test_id: str, now: datetime | None = None) -> str:
    """Return what may make an id differ between processes, or makes it unreadable; nothing if it is sound.

    >>> fault("golden-page"), fault("<object at 0x7f1c2a3b4c5d>")
    ('', 'holds an address in memory')
    """
    now = now or datetime.now(UTC)
    if len(test_id) > LONGEST_ID or not test_id.isprintable():
        return f"is longer than {LONGEST_ID} characters or not printable"
    if ADDRESS.search(test_id):
        return "holds an address in memory"
    if BYTES.search(test_id):
        return "holds bytes"
    moments = [int(digits) for digits in SECONDS.findall(test_id)]
    if any(abs(moment - now.timestamp()) < A_DAY for moment in moments) or f"{now:%Y-%m-%d}" in test_id:
        return "holds the time of collection"
    return ""
