"""Cost against page size, from 1 KB to 20 MB: the time from bytes to clean text should grow linearly with the page.

    python benchmarks/scaling.py --plot build/scaling.png

Prints the slope of each shape of page between 100 KB and 20 MB on logarithmic scales, where 1 is linear.
"""

import gc
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from dehusk import Extractor
from dehusk.cli.commands import Option, run
from dehusk.models.registry import DEFAULT

SIZES: Final = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 20_000_000)
FIT_FROM: Final = 100_000  # below, the fixed cost per page bends the line
HEAD: Final = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Growing page</title></head><body>\n"

SENTENCES: Final = (
    "The harbour froze in the second week of January, and for nine days no boat left it.",
    "Prices, which had stood still since the summer, rose by a third before anyone looked for the reason.",
    "She kept the letters in a biscuit tin &amp; read them aloud on the first evening of every year.",
    "At 4,200 metres the air holds little more than half of the oxygen that it holds by the sea.",
    "Whoever mends a clock learns soon enough that the fault is hardly ever where the noise is.",
    "The committee met on Tuesday, again on Wednesday, and on Thursday agreed to meet in spring.",
    "Salt the water late, stir it once, and take the pot off the fire before the foam has settled.",
)
WORDS: Final = ("News", "Weather", "Sport", "Culture", "Archive", "Letters", "Travel", "Science", "Jobs", "Contact")


def _paragraph(number: int) -> str:
    first, second, third = (SENTENCES[(number + step) % len(SENTENCES)] for step in (0, 2, 5))
    return f'<p>{first} <em>{second}</em> {third} <a href="/note/{number}">Note {number}</a></p>\n'


def _menu(number: int) -> str:
    links = "".join(
        f'<li class="menu-item menu-item-{number}"><a class="menu-link" href="/{word.lower()}/{number}">'
        f"<span>{word}</span></a></li>\n"
        for word in WORDS
    )
    return f'<nav class="menu" aria-label="Section {number}"><ul class="menu-list">\n{links}</ul></nav>\n'


def _table(number: int) -> str:
    rows = "".join(
        f'<tr class="row"><td class="name">{word} of the district {number}</td>'
        f'<td class="value" data-unit="kg">{number * 7 % 1000}.{row}</td></tr>\n'
        for row, word in enumerate(WORDS[:5])
    )
    return f'<table class="figures"><caption>Figures, part {number}</caption><tbody>\n{rows}</tbody></table>\n'


def _card(number: int) -> str:
    word = WORDS[number % len(WORDS)]
    return (
        f'<div class="col col-6"><div class="card"><a class="card-link" href="/card/{number}"><img class="thumb" '
        f'src="/i/{number}.jpg" alt=""><span class="label"><b>{word}</b> no. {number}</span></a></div></div>\n'
    )


def _sentence(number: int) -> str:
    return SENTENCES[number % len(SENTENCES)] + "\n"


# What each shape of page repeats, with a running number so that no two pieces are the same.
SHAPES: Final = {
    "prose": (_paragraph,),
    "mixed": (_paragraph, _card, _paragraph, _menu, _paragraph, _table),
    "markup": (_card,),
    "one text node": (_sentence,),
}


def page_of(shape: str, size: int) -> bytes:
    """Return a page of that shape, of at most `size` bytes and at least `size` less one piece.

    >>> len(page_of("prose", 5_000)) <= 5_000
    True
    """
    pieces, left = [HEAD], size - len(HEAD)
    for number, piece in enumerate(cycle(SHAPES[shape])):
        markup = piece(number)
        left -= len(markup)
        if left < 0:
            return "".join(pieces).encode("ascii")
        pieces.append(markup)
    raise AssertionError("a cycle has no end")


def cost(data: bytes, runs: int = 3, method: str = DEFAULT) -> float:
    """Return the CPU seconds from bytes to clean text: of the fastest run, which was disturbed least.

    There are at least `runs` of them; small pages run until they have filled a twentieth of a second.
    """
    extractor = Extractor(method)
    seconds: list[float] = []
    gc.collect()
    while len(seconds) < runs or sum(seconds) < 0.05:
        start = process_time()
        document = extractor.extract(data)
        length = len(document.text)
        seconds.append(process_time() - start)
        if document.reason or not length:
            raise AssertionError(
                f"a page of {len(data):,} bytes was not read completely: {document.reason or 'no text'}"
            )
        del document
    return min(seconds)


def slope(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the power of the size that the cost grows with, fitted from 100 KB on.

    >>> round(slope([100_000, 1_000_000, 10_000_000], [0.01, 0.1, 1.0]), 6)
    1.0
    """
    fitted = [(size, second) for size, second in zip(sizes, seconds, strict=True) if size >= FIT_FROM]
    points: NDArray[np.float64] = np.log(fitted)
    return float(np.polyfit(points[:, 0], points[:, 1], 1)[0])


def draw(sizes: Sequence[int], found: dict[str, list[float]], slopes: dict[str, float], file: Path) -> None:
    """Draw the cost per page and per byte against the page size."""
    import matplotlib  # noqa: PLC0415

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    with pyplot.rc_context({"font.family": "DejaVu Sans", "font.size": 10, "axes.titlelocation": "left"}):
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained", width_ratios=(3, 2))
        for (shape, seconds), colour, mark in zip(
            found.items(), ("#0072b2", "#009e73", "#d55e00", "#7a7a7a"), "osD^", strict=True
        ):
            style = {"color": colour, "marker": mark, "markersize": 4.5, "linewidth": 1.6}
            left.plot(sizes, np.array(seconds) * 1e3, label=f"{shape}  (slope {slopes[shape]:.2f})", **style)
            right.plot(sizes, np.array(seconds) / np.array(sizes) * 1e9, **style)
        _reference(left, sizes, found)
        left.set(title="CPU time per page", ylabel="milliseconds")
        right.set(title="CPU time per byte", ylabel="nanoseconds")
        left.legend(frameon=False, loc="upper left")
        for axes in (left, right):
            _dress(axes)
        title = "From bytes to clean text: cost against page size (slopes fitted over the grey part)"
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file, dpi=150)
        pyplot.close(figure)


def _reference(axes: Any, sizes: Sequence[int], found: dict[str, list[float]]) -> None:
    """Draw a line of slope 1 below all others, over the range in which slopes are fitted."""
    reach = np.array([size for size in sizes if size >= FIT_FROM])
    least = min(second / size for seconds in found.values() for size, second in zip(sizes, seconds, strict=True))
    axes.plot(reach, reach * least * 1e3 / 2, color="#444444", linewidth=1.2, linestyle=(0, (4, 3)))
    middle = int(np.median(reach))
    axes.annotate("slope 1", (middle, middle * least * 1e3 / 2), (10, -12), textcoords="offset points")


def _dress(axes: Any) -> None:
    axes.set(xscale="log", yscale="log", xlabel="page size")
    axes.set_xticks([1e3, 1e4, 1e5, 1e6, 1e7], ["1 KB", "10 KB", "100 KB", "1 MB", "10 MB"])
    low, high = axes.get_ylim()
    steps = (1, 2, 5) if high / low < 500 else (1,)
    ticks = [step * 10.0**power for power in range(-2, 5) for step in steps]
    axes.set_yticks(ticks, [f"{tick:,g}" for tick in ticks])
    axes.set_ylim(low, high)
    axes.minorticks_off()
    axes.grid(color="#e4e4e4", linewidth=0.7)
    axes.axvspan(FIT_FROM, SIZES[-1], color="#f4f4f4", zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def main(
    plot: Annotated[Path, Option(help="Where to draw the curves.")] = Path("build/scaling.png"),
    runs: Annotated[int, Option(min=1, help="How often to time each page; the fastest counts.")] = 3,
    method: Annotated[str, Option(help="Method that cuts and scores.")] = DEFAULT,
) -> None:
    """Print the cost of pages of growing size, and the slope."""
    found = {shape: [cost(page_of(shape, size), runs, method) for size in SIZES] for shape in SHAPES}
    slopes = {shape: slope(SIZES, seconds) for shape, seconds in found.items()}
    table = Table("page size", *SHAPES, title=f"milliseconds of CPU time, {method}", title_justify="left")
    for number, size in enumerate(SIZES):
        table.add_row(f"{size:,}", *(f"{seconds[number] * 1e3:,.2f}" for seconds in found.values()))
    table.add_section()
    table.add_row("slope from 100 KB", *(f"{found_slope:.2f}" for found_slope in slopes.values()))
    for column in table.columns:
        column.justify = "right"
    Console().print(table)
    draw(SIZES, found, slopes, plot)
    print(f"slope between 100 KB and 20 MB: {slopes['mixed']:.2f} (mixed page; 1 is linear); drawn in {plot}")


if __name__ == "__main__":
    run(main)
