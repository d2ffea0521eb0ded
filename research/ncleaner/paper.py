"""What NCleaner's paper prints, per cent."""

from typing import Final

Row = tuple[float, ...]

# Table 2: micro-averaged F, precision, recall; macro-averaged F, precision, recall; standard deviations of those.
INTERNAL: Final[dict[str, Row]] = {
    "Baseline": (91.23, 84.16, 99.58, 85.32, 79.00, 96.74, 15.11, 20.14, 2.13),
    "Heuristics only": (89.39, 85.12, 94.11, 84.06, 79.16, 94.11, 18.03, 20.61, 15.02),
    "NCleaner": (91.60, 91.95, 91.25, 87.63, 88.47, 89.74, 15.50, 14.21, 16.83),
    "Non-lexical": (89.99, 90.17, 89.82, 85.60, 85.35, 89.37, 16.84, 17.53, 17.37),
}
# Tables 3 and 4: F, precision, recall, of words and of marks.
WORDS: Final[dict[str, Row]] = {
    "Baseline": (88.72, 83.11, 95.15),
    "NCleaner (HTML)": (92.73, 94.70, 90.83),
    "NCleaner (text)": (90.18, 90.30, 90.05),
    "Non-lexical (HTML)": (92.31, 91.65, 92.97),
    "Non-lexical (text)": (89.86, 89.88, 89.85),
}
MARKS: Final[dict[str, Row]] = {
    "Baseline": (0.0, 0.0, 0.0),
    "NCleaner (HTML)": (60.85, 69.30, 54.24),
    "NCleaner (text)": (34.04, 28.98, 41.25),
    "Non-lexical (HTML)": (55.76, 52.76, 59.13),
    "Non-lexical (text)": (33.21, 27.43, 42.07),
}
# Paired t-tests across pages, t and −log10 of p: F against the baseline, and the non-lexical model's precision.
T_F: Final = (1.976, 1.30)
T_NON_LEXICAL_PRECISION: Final = (9.0557, 15.30)
# Figure 2 is read at one point in the text: n = 6, q = 0.6.
ENTROPY: Final = {6: (0.6, 2.53)}
