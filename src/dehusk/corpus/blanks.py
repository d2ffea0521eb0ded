"""Blanks: what is not to be in a corpus, such as e-mail addresses, and the words that take its place.

Patterns take what is certain rather than all there may be: prose, code and numbers of versions stay as they are.
"""

import re
from collections.abc import Callable
from ipaddress import IPv6Address
from itertools import pairwise
from typing import Final, NamedTuple

IP: Final = "ipblank"
SECRET: Final = "secretblank"
OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
TURNS: Final = 3  # from digits to letters, or back, in a value that looks random
GROUPS: Final = 8  # of an IPv6 address


class Blank(NamedTuple):
    """A pattern, and what is written in its place."""

    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]


def _blank_ipv6(match: re.Match[str]) -> str:
    """Return the word for an address; what else has colons, such as times and names in C++, as it was."""
    groups = match[0].split(":")
    is_long = len(groups) == GROUPS or (":" * 2 in match[0] and (len(groups) > 3 or len(groups[0]) == 4))
    try:
        IPv6Address(match[0])
    except ValueError:
        return match[0]
    return IP if is_long and any(map(str.isdigit, match[0])) else match[0]


def _blank_token(match: re.Match[str]) -> str:
    """Return the word for a token; what has fewer than two digits is a name with hyphens."""
    return SECRET if sum(map(str.isdigit, match[0])) > 1 else match[0]


def _blank_value(match: re.Match[str]) -> str:
    """Return what stands before a value, and the word for the value if it looks random.

    In random characters, digits and letters take turns, in names, dates and paths they do not. The entropy of the
    characters says less: that of "understanding_everything" is as high.
    """
    before, value = match[1], match[2]
    turns = sum(
        one.isalnum() and other.isalnum() and one.isdigit() != other.isdigit() for one, other in pairwise(value)
    )
    return before + SECRET if turns >= TURNS else match[0]


BLANKS: Final[dict[str, tuple[Blank, ...]]] = {
    "email": (Blank(re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}"), "emailblank"),),
    "url": (Blank(re.compile(r"\b(?:https?://|www\.)[^\s<>\"]{3,2000}", re.IGNORECASE), "uriblank"),),
    "phone": (Blank(re.compile(r"(?<![\w.])\+?\d[\d ()/-]{7,18}\d(?![\w.])"), "phoneblank"),),
    "ip": (
        # If the first two of the four numbers have one digit, as in Linux 2.6.32.64, it is a version or a section: one
        # in 600 addresses is such. Of 27 in 58 million characters of German and English prose, 10 were.
        Blank(
            re.compile(
                rf"(?<![\w.])(?<!version )(?![0-9]\.[0-9]\.){OCTET}(?:\.{OCTET}){{3}}(?!\w|\.\w)",
                re.IGNORECASE,
            ),
            IP,
        ),
        Blank(
            re.compile(r"(?<![\w:.])[0-9a-f]{1,4}(?:::?[0-9a-f]{1,4}){1,7}(?:::)?(?![\w:])", re.IGNORECASE),
            _blank_ipv6,
        ),
    ),
    "secret": (
        Blank(
            re.compile(
                r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}"
                r"-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            ),
            SECRET,
        ),
        # By what they begin with: Amazon, GitHub, GitLab, Stripe, Slack, Google, npm, PyPI, Hugging Face; JSON web
        # tokens; then OpenAI and others.
        Blank(
            re.compile(
                r"\b(?:(?:AKIA|ASIA)[A-Z2-7]{16}\b|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255}|glpat-[\w-]{20,64}"
                r"|[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}|xox[abeoprs]-[A-Za-z0-9-]{10,250}"
                r"|AIza[\w-]{35}|ya29\.[\w-]{20,300}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,300}|hf_[A-Za-z0-9]{34}"
                r"|eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,2000})",
                re.ASCII,
            ),
            SECRET,
        ),
        Blank(re.compile(r"\bsk-[\w-]{20,200}", re.ASCII), _blank_token),
        # By what stands before them.
        Blank(
            re.compile(
                r"((?:key|token|secret|password|passwd|pwd)[\"']?\s{0,3}[:=]\s{0,3}[\"']?|\bbearer\s{1,3})"
                r"([\w.~+/-]{16,2000}={0,2})",
                re.ASCII | re.IGNORECASE,
            ),
            _blank_value,
        ),
    ),
}
