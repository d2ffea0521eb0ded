"""dehusk demo: an example page before and after, without the network."""

from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Final

import click

from dehusk.cli.commands import Option

if TYPE_CHECKING:
    from dehusk.document import Document

PAGE: Final = "demo.html"  # written for this purpose
SHOWN: Final = 6  # dropped blocks


def demo(
    html: Annotated[bool, Option(help="Print the example page itself, to try other commands on it")] = False,
) -> None:
    """Show an example page before and after: what was dropped, and the clean text as Markdown.

    \b
      dehusk demo
      dehusk demo --html | dehusk annotate
    """
    page = files(__package__).joinpath(PAGE).read_text(encoding="utf-8")
    if html:
        click.echo(page, nl=False)
        return
    from dehusk import formats
    from dehusk.extractor import extract

    document = extract(page)
    _heading("Before")
    click.echo(_before(document))
    _heading("After")
    click.echo(formats.render(document, "markdown"))
    _heading("Next")
    click.echo("dehusk extract https://example.org/page -f md    # any page, file or folder; more: dehusk extract -h")


def _heading(text: str) -> None:
    click.secho(f"{'' if text == 'Before' else chr(10)}── {text} {'─' * (60 - len(text))}", fg="green")


def _before(document: "Document") -> str:
    """Return how large the page is, and some of the blocks that were dropped with their scores."""
    kept = document.kept.tolist()
    dropped = [block for block, is_kept in enumerate(kept) if not is_kept]
    texts, values = document.blocks.strings(), document.scores.values.tolist()
    # The longest say most of what is dropped.
    longest = sorted(sorted(dropped, key=lambda block: -len(texts[block]))[:SHOWN])
    rows = [f"  {values[block]:.2f}  {_short(texts[block])}" for block in longest]
    about = f"{len(kept)} blocks of text, of which {len(dropped)} are boilerplate (score 0.5 to 1), such as:"
    return "\n".join([about, *rows])


def _short(text: str, width: int = 70) -> str:
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
