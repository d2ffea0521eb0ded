"""Tables in Markdown, ready for the docs."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fuzz import failures
from fuzz.state import State


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose columns after the first are aligned to the right.

    >>> print(markdown_table(("method", "runs"), [("bte", "7")]))
    | method | runs |
    |---|---:|
    | bte | 7 |
    """
    rule = ["---", *["---:"] * (len(header) - 1)]
    lines = [" | ".join(row) for row in (header, *rows)]
    return "\n".join([f"| {lines[0]} |", f"|{'|'.join(rule)}|", *(f"| {line} |" for line in lines[1:])])


def pages_table(state: State, folder: Path) -> str:
    """Return what a campaign did and found."""
    rows = []
    for name, totals in sorted(state.methods.items()):
        rows.append(
            (
                name,
                f"{totals.executions:,}",
                f"{totals.seconds / max(1, totals.executions) * 1e3:.1f}",
                f"{totals.worst_seconds:.2f}",
                f"{totals.worst_rate * 1e6:.2f}",
                f"{totals.worst_memory / 1e6:.0f}",
                f"{totals.worst_ratio:.1f}",
            )
        )
    header = (
        "method",
        "executions",
        "mean ms",
        "worst CPU s",
        "worst ms/KB",
        "worst memory MB",
        "largest output/input",
    )
    return "\n\n".join([_summary(state), markdown_table(header, rows), _failures(state, folder)])


def _summary(state: State) -> str:
    hours = sum(state.cpu_seconds.values()) / 3600
    outputs = ", ".join(f"{name} {count:,}" for name, count in sorted(state.formats.items()))
    return (
        f"{state.executions:,} executions of {state.inputs:,} inputs ({state.bytes / 1e6:,.0f} MB) in "
        f"{state.wall_seconds / 60:.0f} minutes on {len(state.cpu_seconds)} processes ({hours:.1f} hours of CPU time), "
        f"seed {state.seed}, seed pages {', '.join(state.pages)}. Outputs: {outputs}."
    )


def _failures(state: State, folder: Path) -> str:
    """Return executions and failures by commit, then those that are saved."""
    rows = []
    for commit, executions in state.commits.items():
        counts = state.failures.get(commit, {})
        kinds = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "none"
        rows.append((commit, f"{executions:,}", kinds))
    saved = Counter(failures.load(path).failure.invariant for path in failures.saved_pages(folder))
    left = ", ".join(f"{name} {count}" for name, count in sorted(saved.items())) or "none"
    table = markdown_table(("commit", "executions", "failures (occurrences)"), rows)
    return f"{table}\n\nDistinct failures that are saved: {left}."
