"""Case: a record on its way through the chain, and why it was rejected, if it was."""

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.document import Document
from dehusk.reasons import Reason
from dehusk.sources.raw_page import RawPage


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A record, what is known of it so far, and the first reason to reject it."""

    page: RawPage
    document: Document | None = None
    columns: dict[str, Any] = field(default_factory=dict)
    reason: Reason | None = None  # why it is rejected
    words: NDArray[np.uint64] | None = None  # hashes of the words of the main text, which two steps need

    def reject(self, reason: Reason) -> Self:
        """Return the case with a reason, unless it has one: the first one counts.

        >>> from dehusk.reasons import Code
        >>> str(Case(RawPage("a.html")).reject(Reason(Code.NO_TEXT)).reject(Reason(Code.TDM)).reason)
        'no text'
        """
        if not isinstance(reason, Reason):
            raise TypeError(f"expected a Reason to reject a record, got {reason!r}")
        return self if self.reason else replace(self, reason=reason)

    def with_columns(self, **columns: Any) -> Self:
        """Return the case with more columns."""
        columns = {**self.columns, **columns}
        if not isinstance(text := columns.get("text", ""), str):
            raise TypeError(f"column text: expected a string, got {text!r}")
        return type(self)(self.page, self.document, columns, self.reason, self.words)
