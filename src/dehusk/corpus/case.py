"""Case: a record on its way through the chain, and why it was rejected, if it was."""

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.document import Document
from dehusk.sources.raw_page import RawPage


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A record, what is known of it so far, and the first reason to reject it."""

    page: RawPage
    document: Document | None = None
    columns: dict[str, Any] = field(default_factory=dict)
    rejected: str = ""  # a word, so that reasons can be counted
    detail: str = ""  # what exactly was found
    words: NDArray[np.uint64] | None = None  # hashes of the words of the main text, which two steps need

    def reject(self, reason: str, detail: str = "") -> Self:
        """Return the case with a reason, unless it has one: the first one counts.

        >>> Case(RawPage("a.html")).reject("short").reject("language").rejected
        'short'
        """
        return self if self.rejected else replace(self, rejected=reason, detail=detail)

    def having(self, **columns: Any) -> Self:
        """Return the case with more columns."""
        columns = {**self.columns, **columns}
        return type(self)(self.page, self.document, columns, self.rejected, self.detail, self.words)
