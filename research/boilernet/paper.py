"""The figures of BoilerNet's paper, as it prints them: precision, recall and F1 of boilerplate, then of content."""

from typing import Final

Row = tuple[float, float, float, float, float, float]

CLEANEVAL: Final[dict[str, Row]] = {
    "Web2Text": (0.82, 0.76, 0.79, 0.84, 0.89, 0.86),
    "Web2Text (unary)": (0.80, 0.78, 0.79, 0.85, 0.87, 0.86),
    "BoilerPipe": (0.58, 0.90, 0.71, 0.90, 0.58, 0.71),
    "Readability.js": (0.85, 0.76, 0.81, 0.82, 0.89, 0.85),
    "BoilerNet": (0.82, 0.83, 0.82, 0.87, 0.86, 0.87),
}
GOOGLETRENDS: Final[dict[str, Row]] = {
    "Web2Text": (0.88, 0.89, 0.88, 0.69, 0.67, 0.68),
    "Web2Text (unary)": (0.91, 0.85, 0.88, 0.67, 0.77, 0.71),
    "BoilerPipe": (0.78, 0.98, 0.87, 0.85, 0.26, 0.39),
    "Readability.js": (0.84, 0.85, 0.84, 0.53, 0.52, 0.53),
    "BoilerNet": (0.95, 0.86, 0.90, 0.70, 0.88, 0.78),
}
