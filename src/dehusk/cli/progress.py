"""Progress: a bar on a terminal, plain lines elsewhere, nothing for a single page."""

import sys
from collections import Counter
from typing import TYPE_CHECKING, Self

from dehusk.cli.terminal import harmless, harmless_message

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar


class ProgressDisplay:
    """Shows the progress of a run without mixing with the lines it prints."""

    def __init__(self, total: int | None, what: str = "pages", *, quiet: bool = False) -> None:
        """Expect `total` of them; None means more than one, but unknown how many."""
        self._total, self._what, self._quiet = total, what, quiet
        # The bar shares the console with the output when both go to one terminal, else it uses standard error.
        self._shared = sys.stdout is not None and sys.stdout.isatty()  # None: closed
        self._console: Console | None = None
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        if self._total != 1 and not self._quiet and (self._shared or sys.stderr.isatty()):
            self._start_bar()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar:
            self._bar.stop()

    def _start_bar(self) -> None:
        # Imported here: a pipe has no bar, and importing rich takes a third of the time to start.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._console = Console(stderr=not self._shared, soft_wrap=True)
        self._bar = Bar(*columns, console=self._console, transient=True, redirect_stdout=False)
        self._bar.add_task(self._what, total=self._total)
        self._bar.start()

    def advance(self) -> None:
        """Count one more."""
        if self._bar:
            self._bar.advance(self._bar.task_ids[0])

    def write(self, text: str) -> None:
        """Write output, which ends with a line end; to a pipe as it is, to a terminal without control characters."""
        if self._shared:
            text = harmless(text)
        if self._console and self._shared:
            if text:
                self._console.print(text, end="", markup=False, highlight=False, emoji=False)
        elif text:
            sys.stdout.write(text)

    def complain(self, message: str, *, warning: bool = False) -> None:
        """Print a line about a page with a problem; a warning only if the run is not quiet."""
        if warning and self._quiet:
            return
        message = harmless_message(message)
        if self._console and sys.stderr.isatty():
            self._console.print(f"dehusk: {message}", markup=False, highlight=False, emoji=False, style="yellow")
        else:
            sys.stderr.write(f"dehusk: {message}\n")

    def finish(self, counts: Counter[str]) -> None:
        """Print how many pages came to which outcome."""
        if self._total == 1 or self._quiet:
            return
        parts = [f"{count:,} {name}" for name, count in counts.most_common() if count]
        what = self._what.removesuffix("s") if counts.total() == 1 else self._what
        self.complain(f"{counts.total():,} {what}: {', '.join(parts) or 'nothing to do'}")
