"""The figure of a report: the page as a method sees it, with the regions that it measures, numbered, and a table."""

import math
from base64 import b64encode
from html import escape

from dehusk.formats.xml import xml_safe
from dehusk.methods.base import Picture, PolygonOutline


def figure(picture: Picture) -> str:
    """Return a section with the picture and the table of its regions.

    >>> square = PolygonOutline(((0, 0), (9, 0), (9, 9)), "A <b>", (0.5,), 0.25)
    >>> "<td>A &lt;b&gt;</td>" in figure(Picture(b"", 20, 10, ("solidity",), (square,)))
    True
    """
    width, height = picture.width, picture.height
    source = b64encode(picture.png).decode()
    numbered = list(enumerate(picture.outlines, 1))
    shapes = "".join(_shape(number, outline, picture.names) for number, outline in numbered)
    names = "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in picture.names)
    rows = "".join(_row(number, outline) for number, outline in numbered)
    return (
        '<section id="picture" aria-label="The page as it was rendered"><h2>The page as the method sees it</h2>'
        '<p class="soft">Regions are coloured by the mean score of their text; point at one for what was measured.</p>'
        f'<div class="figure"><svg viewBox="0 0 {width} {height}" role="img" aria-label="The rendered page">'
        f'<image href="data:image/png;base64,{source}" width="{width}" height="{height}"/>{shapes}</svg>'
        f'<div class="measures"><table><thead><tr><th scope="col">region</th><th scope="col">text</th>{names}'
        f'<th scope="col">score</th></tr></thead><tbody>{rows}</tbody></table></div></div></section>'
    )


def _shape(number: int, outline: PolygonOutline, names: tuple[str, ...]) -> str:
    points = " ".join(f"{x},{y}" for x, y in outline.corners)
    values = ", ".join(
        f"{name.replace('_', ' ')} {value:.2f}" for name, value in zip(names, outline.values, strict=True)
    )
    left, top = min(x for x, _ in outline.corners), min(y for _, y in outline.corners)
    return (
        f'<g class="{_shade(outline.score)}"><polygon points="{points}"><title>{number}: {escape(values)}, score '
        f'{_score(outline.score)}</title></polygon><text x="{left}" y="{top - 2}">{number}</text></g>'
    )


def _row(number: int, outline: PolygonOutline) -> str:
    values = "".join(f"<td>{value:.2f}</td>" for value in outline.values)
    score = f'<td><span class="chip {_shade(outline.score)}">{_score(outline.score)}</span></td>'
    return f"<tr><td>{number}</td><td>{escape(xml_safe(outline.text))}</td>{values}{score}</tr>"


def _shade(score: float) -> str:
    return "none" if math.isnan(score) else f"s{min(int(score * 10), 9)}"


def _score(score: float) -> str:
    return "–" if math.isnan(score) else f"{score:.2f}"
