"""The yardstick: which site a page is from, and which sites are kept for measuring and never trained on."""

import hashlib
import re
from typing import Final
from urllib.parse import urlsplit

# A fifth of the sites is a fifth of the pages only on average. This is the first number, counting from 1, that leaves
# 15 to 25 % of every set in the yardstick, and at least 10 % of each page type of wcxb-dev and language of daniel-dev.
# It was chosen before anything was measured; a different one would make all figures incomparable.
YARDSTICK_SALT: Final = "yardstick-26:"
YARDSTICK_SHARE: Final = 5

# Labels under which a country registers names: bbc.co.uk, sina.com.hk, asahi.or.jp. The public suffix list would move
# 7 pages of the project's sets across the yardstick, and others with each release: docs/dependencies.md.
# fmt: off
SECOND_LEVEL: Final = frozenset((
    "ac", "asn", "blog", "co", "com", "edu", "go", "gob", "gov", "id", "in", "mil", "ne", "net", "nom", "or", "org",
    "web",
))
# fmt: on
# daniel-dev has no addresses, but its ids hold the host: 20111121_www.biolog.pl_2ade212bc8
HOST_IN_ID: Final = re.compile(r"\d{8}_([\w.-]+\.[a-z]{2,})_[0-9a-f]+")


def in_yardstick(site: str) -> bool:
    """Return whether the pages of a site are kept for measuring: the same in every set, version and process.

    The rule: BLAKE2b of `YARDSTICK_SALT` and the site, as a big-endian number of 8 bytes, is divisible by 5.

    >>> in_yardstick("stackoverflow.com"), in_yardstick("wikipedia.org")
    (True, False)
    """
    return stable_hash(YARDSTICK_SALT + site) % YARDSTICK_SHARE == 0


def stable_hash(text: str) -> int:
    """Return the same 64-bit number for a text in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def site_of(url: str | None, page_id: str) -> str:
    """Return the registrable part of a page's host, or its id if no host is known.

    The rule: the last two labels of the host, or three if a two-letter country code follows one of `SECOND_LEVEL`. All
    blogs of a platform are one site: they share their templates.

    >>> site_of("https://www.news.bbc.co.uk:80/a", "7"), site_of("http://me.blogspot.com/", "8"), site_of(None, "gt_9")
    ('bbc.co.uk', 'blogspot.com', 'gt_9')
    >>> site_of(None, "20111121_www.biolog.pl_2ade212bc8"), site_of("http://127.0.0.1/page", "9")
    ('biolog.pl', '127.0.0.1')
    """
    host = _host(url)
    if not host and (match := HOST_IN_ID.fullmatch(page_id)):
        host = match[1]
    labels = host.split(".")
    if len(labels) < 3 or labels[-1].isdigit():
        return host or page_id
    return ".".join(labels[-3:] if len(labels[-1]) == 2 and labels[-2] in SECOND_LEVEL else labels[-2:])


def _host(url: str | None) -> str:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # such as "http://[half an IPv6 address"
        return ""
    return host.rstrip(".").removeprefix("www.")
