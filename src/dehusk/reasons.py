"""Reasons: why a page, a record or a request came to nothing, or to less than all of it.

Programs compare codes; people read the sentence, which is free to change. docs/reasons.md lists all codes, and a test
holds the two together.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from numbers import Real
from typing import Final


class Code(StrEnum):
    """The closed list of codes: what programs compare, count and store.

    >>> Code("too-slow") is Code.TOO_SLOW
    True
    """

    # A page that is refused, or of which something is missing.
    TOO_LARGE = "too-large"
    NOT_A_PAGE = "not-a-page"
    CUT_OFF = "cut-off"
    NO_TEXT = "no-text"
    NO_MAIN_TEXT = "no-main-text"
    TOO_SHORT = "too-short"
    LITTLE_MAIN_TEXT = "little-main-text"
    NO_MODEL = "no-model"
    # The process that worked on it.
    TOO_SLOW = "too-slow"
    OUT_OF_MEMORY = "out-of-memory"
    WORKER_DIED = "worker-died"
    NO_WORKER = "no-worker"
    FAILED = "failed"
    # Reading and writing.
    UNREADABLE = "unreadable"
    DAMAGED = "damaged"
    TRUNCATED = "truncated"
    WRONG_LENGTH = "wrong-length"
    INVALID_RECORD = "invalid-record"
    GAP = "gap"
    NOT_ALLOWED = "not-allowed"
    FETCH_FAILED = "fetch-failed"
    HTTP_STATUS = "http-status"
    NOT_RENDERED = "not-rendered"
    SCRIPTS_STOPPED = "scripts-stopped"
    REQUESTS_REFUSED = "requests-refused"
    NOT_WRITTEN = "not-written"
    NO_SPACE = "no-space"
    CHANGED = "changed"
    UNACCOUNTED = "unaccounted"
    # A record of a corpus.
    REJECTED = "rejected"
    OTHER_KIND = "other-kind"
    OTHER_TYPE = "other-type"
    TOO_SMALL = "too-small"
    TASK_DIED = "task-died"
    ROBOTS = "robots"
    TDM = "tdm"
    NOT_SCORED = "not-scored"
    OTHER_LANGUAGE = "other-language"
    UNCERTAIN_LANGUAGE = "uncertain-language"
    BADNESS = "badness"
    PERPLEXITY = "perplexity"
    SHAPE = "shape"
    EXACT_DUPLICATE = "exact-duplicate"
    NEAR_DUPLICATE = "near-duplicate"
    EARLIER_DUPLICATE = "earlier-duplicate"
    # A request to the server.
    INVALID_REQUEST = "invalid-request"
    INVALID_OPTIONS = "invalid-options"
    METHOD_UNAVAILABLE = "method-unavailable"
    PAGE_FAILED = "page-failed"
    FETCHING_IS_OFF = "fetching-is-off"
    KEY_REQUIRED = "key-required"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_ACCEPTABLE = "not-acceptable"
    BODY_INCOMPLETE = "body-incomplete"
    BODY_TOO_SLOW = "body-too-slow"
    BODY_TOO_LARGE = "body-too-large"
    SERVER_BUSY = "server-busy"
    NOT_READY = "not-ready"
    INTERNAL_ERROR = "internal-error"


# `{limit}` and `{seen}` are the figures; a detail that a sentence does not mention follows it after a colon. Where
# there is no sentence, the detail is one.
SENTENCES: Final = {
    Code.TOO_LARGE: "too large: more than {limit:,} {detail}",
    Code.NOT_A_PAGE: "not {detail}",
    Code.CUT_OFF: "cut off {detail}",
    Code.NO_TEXT: "no text",
    Code.NO_MAIN_TEXT: "no main text",
    Code.TOO_SHORT: "too short: {seen:,} characters, fewer than {limit:,}",
    Code.LITTLE_MAIN_TEXT: "little main text",
    Code.TOO_SLOW: "took longer than {limit:g} s",
    Code.OUT_OF_MEMORY: "out of memory",
    Code.WORKER_DIED: "its worker died (exit status {seen}), perhaps over {detail} of memory",
    Code.NO_WORKER: "no worker process could start: {detail}; use fewer jobs, or make more memory available",
    Code.FAILED: "failed",
    Code.UNREADABLE: "cannot be read",
    Code.DAMAGED: "damaged",
    Code.TRUNCATED: "cut off: {seen:,} of {limit:,} bytes",
    Code.WRONG_LENGTH: "wrong length",
    Code.GAP: "no record can be read in {seen:,} bytes",
    Code.NOT_ALLOWED: "an index may not name it",
    Code.FETCH_FAILED: "cannot be fetched",
    Code.HTTP_STATUS: "the server answered {seen} {detail}",
    Code.SCRIPTS_STOPPED: "its scripts did not end within {limit:g} s and were stopped",
    Code.NOT_WRITTEN: "cannot be written",
    Code.NO_SPACE: "no space left",
    Code.CHANGED: "changed while it was read: {limit:,} bytes at first, then {seen:,}",
    Code.UNACCOUNTED: "{seen:,} bytes are accounted for, of {limit:,}",
    Code.REJECTED: "rejected",
    Code.OTHER_KIND: "not a response",
    Code.OTHER_TYPE: "another content type",
    Code.TOO_SMALL: "too small: {seen:,} bytes, fewer than {limit:,}",
    Code.TASK_DIED: "its task died {seen} times ({detail})",
    Code.ROBOTS: "excluded by its robots tag",
    Code.TDM: "reserves text and data mining",
    Code.NOT_SCORED: "no block could be scored",
    Code.OTHER_LANGUAGE: "another language",
    Code.UNCERTAIN_LANGUAGE: "uncertain language: {detail} with {seen:.2f}, less than {limit:g}",
    Code.BADNESS: "badness {seen:.4g}, limit {limit:g}",
    Code.PERPLEXITY: "perplexity {seen:.4g}, limit {limit:g}",
    Code.SHAPE: "{detail} {seen:.4g}, limit {limit:g}",
    Code.EXACT_DUPLICATE: "exact duplicate of {detail}",
    Code.NEAR_DUPLICATE: "near duplicate of {detail}",
    Code.EARLIER_DUPLICATE: "duplicate of {detail} in an earlier corpus",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something came to nothing, or to less than all: a code, and the sentence that `str()` makes of it.

    >>> reason = Reason(Code.TOO_SHORT, limit=250, seen=31)
    >>> str(reason), reason.code, reason.limit
    ('too short: 31 characters, fewer than 250', <Code.TOO_SHORT: 'too-short'>, 250)
    """

    code: Code
    detail: str = ""  # what exactly, in words
    limit: float | None = None  # what was allowed, or promised
    seen: float | None = None  # what there was
    also: "Reason | None" = None  # what else is to be said

    def __post_init__(self) -> None:
        """Check the figures here, where the mistake is, so that a reason can always be written."""
        for name in ("limit", "seen"):
            sentence, figure = SENTENCES.get(self.code, ""), getattr(self, name)
            if f"{{{name}" in sentence and not isinstance(figure, Real):
                raise ValueError(f"expected a number for `{name}` of {self.code} ({sentence!r}), got {figure!r}")

    def __str__(self) -> str:
        sentence = SENTENCES.get(self.code, "{detail}")
        detail = f": {self.detail}" if self.detail and "{detail}" not in sentence else ""
        also = f"; {self.also}" if self.also else ""
        return sentence.format(detail=self.detail, limit=self.limit, seen=self.seen) + detail + also


def reason_fields(reason: Reason | None) -> dict[str, str | None]:
    """Return a reason as the two fields that JSON, rows and answers have: the sentence and its code.

    >>> reason_fields(Reason(Code.NO_TEXT)), reason_fields(None)
    ({'reason': 'no text', 'reason_code': 'no-text'}, {'reason': None, 'reason_code': None})
    """
    return {"reason": str(reason) if reason else None, "reason_code": str(reason.code) if reason else None}


def joined(first: Reason | None, second: Reason | None) -> Reason | None:
    """Return two reasons as one, whose code is that of the first; None if there is none.

    >>> str(joined(Reason(Code.NO_MAIN_TEXT), cut_off(10, "blocks")))
    'no main text; cut off after 10 blocks'
    """
    if first is None or second is None:
        return first or second
    return replace(first, also=joined(first.also, second))


def cut_off(limit: int, unit: str) -> Reason:
    """Return the reason of what ends at a limit.

    >>> str(cut_off(200_000, "blocks"))
    'cut off after 200,000 blocks'
    """
    return Reason(Code.CUT_OFF, f"after {limit:,} {unit}", limit=limit)
