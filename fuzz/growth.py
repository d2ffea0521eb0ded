"""How cost grows with a page: `python -m fuzz.growth` measures shapes at 1×, 2×, 4× and 8×, in CPU time.

The exponent is the slope of log cost over log size: 1 is linear, 2 quadratic. The cost of a page without the shape is
subtracted. Each time is the least of several, since other processes only ever add to it, and without the collection
of garbage, which goes through all objects of the process. The default method extracts; what is written is everything,
so that no shape hides behind being dropped. Cheap shapes begin with larger pages, where what is not linear shows. A
shape that seems to grow too fast is measured again at 4× to 32×: there a step, as where a cache is full, is left
behind, and what is quadratic shows all the more.
"""

import argparse
import gc
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from time import process_time
from typing import Any, Final

import numpy as np

from dehusk import Document, Extractor, Page, formats
from dehusk.formats import Look
from fuzz.limits import Meter
from fuzz.shapes import FEW, SHAPES, Shape
from fuzz.tables import markdown_table

FACTORS: Final = (1, 2, 4, 8)
BASE: Final = 16_000  # characters of the smallest page, doubled until it costs enough to be measured
LARGEST_BASE: Final = 128_000
BASE_SECONDS: Final = 0.04
MOST: Final = 1.15
REPEATS: Final = 2
FURTHER: Final = 4  # how much larger the pages of the second look are
RETRIES: Final = 8  # more rounds for a shape that seems to grow too fast
ENOUGH_SECONDS: Final = 20.0  # of CPU time for one page: larger ones are not tried
ALL: Final = Look(links=True, images=True, formatting=True, metadata=True)
NOTABLE: Final = 0.02  # seconds at 8×; cheaper stages are noise
FIXED: Final = Shape("").page(0)


@dataclass(slots=True)
class Measured:
    """One page: the least that each stage took, and how much was written."""

    size: int
    seconds: dict[str, float] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    memory: int = 0
    reason: str = ""
    error: str = ""

    @property
    def total(self) -> float:
        """The time of all stages."""
        return sum(self.seconds.values())

    def least(self, other: "Measured") -> None:
        """Take over what took less time."""
        for stage, seconds in other.seconds.items():
            self.seconds[stage] = min(seconds, self.seconds.get(stage, seconds))


@dataclass(frozen=True, slots=True)
class Growth:
    """A shape at all sizes."""

    name: str
    pages: list[Measured]
    fixed: Measured

    @property
    def exponent(self) -> float:
        """The slope of the time of all stages together."""
        return slope([page.size for page in self.pages], [page.total - self.fixed.total for page in self.pages])

    def of_stage(self, stage: str) -> float:
        """The slope of the time of one stage."""
        fixed = self.fixed.seconds[stage]
        return slope([page.size for page in self.pages], [page.seconds[stage] - fixed for page in self.pages])

    @property
    def output_exponent(self) -> float:
        """The largest slope of what any format writes; only outputs larger than the page are of interest."""
        sizes, last = [page.size for page in self.pages], self.pages[-1]
        large = [stage for stage, written in last.written.items() if written > 2 * last.size]
        fixed = self.fixed.written
        return max(
            (slope(sizes, [page.written.get(each, 0) - fixed[each] for page in self.pages]) for each in large),
            default=0.0,
        )

    @property
    def worst_stage(self) -> tuple[str, float]:
        """The stage that grows fastest, of those that cost something."""
        last = self.pages[-1]
        notable = [stage for stage, seconds in last.seconds.items() if seconds >= NOTABLE]
        return max(((stage, self.of_stage(stage)) for stage in notable), key=lambda pair: pair[1], default=("", 0.0))

    @property
    def too_fast(self) -> bool:
        """Whether time or output grow faster than they may, or a page fails."""
        return self.exponent > MOST or self.output_exponent > MOST or any(page.error for page in self.pages)


def slope(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """Return the exponent by least squares; costs below a ten-thousandth of a second or a few bytes count as that.

    >>> round(slope([1, 2, 4], [1.0, 4.0, 16.0]), 6)
    2.0
    """
    if len(sizes) < 2:
        return math.inf
    least = max(1e-4, max(costs) / 1e3)
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(costs, least)), 1)[0])


@cache
def extractors() -> tuple[Extractor, Extractor]:
    """Return the default method's extractor and one that keeps everything."""
    return Extractor(), Extractor("alltext")


def stages(html: str) -> dict[str, Callable[[Any], object]]:
    """Return what is done with a page, each stage a function of the document (of nothing for the first)."""
    kernel, alltext = extractors()
    found: dict[str, Callable[[Any], object]] = {
        "page": lambda _: Page.from_html(html, url="https://example.org/"),
        "kernel": lambda page: kernel.extract(page).page,
        "alltext": alltext.extract,
        "metadata": lambda document: document.metadata,
        "chunks": lambda document: document.chunks(100),
        "json every": lambda document: formats.render(document, "json", every=True),
    }
    for name in formats.names():
        found[name] = partial(_rendered, name)
    return found


def _rendered(name: str, document: Document) -> str:
    return formats.render(document, name, look=ALL)


def measured(html: str) -> Measured:
    """Return what a page costs, once."""
    result = Measured(len(html.encode("utf-8", "surrogatepass")))
    todo = stages(html)
    meter = Meter()
    value: Page | Document | None = None
    meter.start()
    for name, stage in todo.items():
        gc.disable()
        start = process_time()
        try:
            output = stage(value)
        except Exception as error:
            output, result.error = None, f"{name}: {type(error).__name__}: {error}"
        result.seconds[name] = process_time() - start
        gc.enable()
        if isinstance(output, Page | Document):
            value = output
        elif isinstance(output, str):
            result.written[name] = len(output)
    result.memory = meter.peak()
    result.reason = str(value.reason or "") if value is not None else ""
    return result


def growth(name: str, shape: Shape, repeats: int = REPEATS) -> Growth:
    """Measure a shape; one that seems to grow too fast is measured again, on larger pages."""
    fixed, base = _least(FIXED, 3 * repeats), BASE
    while base < LARGEST_BASE and measured(shape.page(base)).total < BASE_SECONDS:
        base *= 2
    result = Growth(name, _pages(shape, base, fixed, repeats), fixed)
    if result.exponent > MOST and result.pages[-1].total < ENOUGH_SECONDS / FURTHER:
        return Growth(name, _pages(shape, FURTHER * base, fixed, repeats), fixed)
    return result


def _pages(shape: Shape, base: int, fixed: Measured, repeats: int) -> list[Measured]:
    """Return a shape at all sizes, measured again while it seems to grow too fast: time can only be overestimated."""
    result = Growth("", [], fixed)
    for factor in FACTORS:
        page = _least(shape.page(base * factor), repeats)
        result.pages.append(page)
        if page.total > ENOUGH_SECONDS:
            break
    for _ in range(RETRIES):
        if result.exponent <= MOST or result.pages[-1].total > ENOUGH_SECONDS:
            break
        for factor, page in zip(FACTORS, result.pages, strict=False):
            page.least(_least(shape.page(base * factor), repeats))
    return result.pages


def _least(html: str, repeats: int) -> Measured:
    result = measured(html)
    for _ in range(repeats - 1):
        if result.total > ENOUGH_SECONDS / 4:
            break
        result.least(measured(html))
    return result


def table(found: Sequence[Growth]) -> str:
    """Return the shapes, the fastest growing first."""
    rows = []
    for each in sorted(found, key=lambda one: max(one.exponent, one.output_exponent), reverse=True):
        last, (stage, exponent) = each.pages[-1], each.worst_stage
        ratio = max(last.written.values(), default=0) / last.size
        worst = f"{stage} {exponent:.2f}" if stage else ""
        figures = (f"{each.exponent:.2f}", f"{each.output_exponent:.2f}", f"{last.total:.2f}", worst)
        rows.append(
            (
                each.name,
                f"{last.size / 1e3:,.0f}",
                *figures,
                f"{last.memory / last.size:,.0f}",
                f"{ratio:.1f}",
                last.error or last.reason,
            )
        )
    header = (
        "shape",
        "KB at 8×",
        "exponent of time",
        "of output",
        "s at 8×",
        "fastest growing stage",
        "memory/input",
        "output/input",
    )
    return markdown_table((*header, "reason"), rows)


def breakdown(one: Growth) -> str:
    """Return every stage of a shape at every size."""
    rows = []
    for stage in one.pages[-1].seconds:
        times = [f"{page.seconds[stage] * 1e3:.1f}" for page in one.pages]
        rows.append((stage, f"{one.of_stage(stage):.2f}", *times, f"{one.pages[-1].written.get(stage, 0):,}"))
    sizes = [f"ms at {page.size:,} bytes" for page in one.pages]
    return markdown_table(("stage", "exponent", *sizes, "bytes written"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure shapes and print the table; the exit status is 1 if any grows too fast."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.growth", description=__doc__)
    parser.add_argument("--shape", action="append", choices=SHAPES, metavar="NAME", help="only this one, by stage")
    parser.add_argument("--few", action="store_true", help="only those that CI measures")
    parser.add_argument("--list", action="store_true", help="print the names of all shapes")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(SHAPES))
        return 0
    found = []
    measured(FIXED)  # loads what is loaded on first use
    names = options.shape or (FEW if options.few else list(SHAPES))
    with suppress(KeyboardInterrupt):  # the table of what has been measured is of use, too
        for number, name in enumerate(names, 1):
            one = growth(name, SHAPES[name], options.repeats)
            found.append(one)
            error = one.pages[-1].error
            print(f"{number}/{len(names)} {name}: {one.exponent:.2f} {error}", file=sys.stderr, flush=True)
            if options.shape:
                print(breakdown(one), end="\n\n")
    print(table(found))
    fast = [one.name for one in found if one.too_fast]
    print(f"\n{len(found)} shapes, {len(fast)} fail or grow faster than {MOST}: {', '.join(fast) or 'none'}")
    return 1 if fast else 0


if __name__ == "__main__":
    sys.exit(main())
