"""The figures of texrex's paper, as it prints them."""

from typing import Final

LANGUAGES: Final = {"en": "English", "fr": "French", "de": "German", "sv": "Swedish"}

# Table 2: boilerplate, non-boilerplate, baseline.
COUNTS: Final = {
    "en": (13102, 1303, 0.910),
    "fr": (11227, 1289, 0.897),
    "de": (7912, 2005, 0.798),
    "sv": (9745, 1505, 0.866),
}
# Table 3: threshold, F1, correct, where precision = recall.
BALANCED: Final = {
    "en": (0.62, 0.986, 0.975),
    "fr": (0.49, 0.995, 0.990),
    "de": (0.60, 0.969, 0.950),
    "sv": (0.57, 0.979, 0.963),
}
# Table 4: precision, recall, F1, correct, baseline, proportional reduction of error, at 0.5.
AT_HALF: Final = {
    "en": (0.983, 0.990, 0.990, 0.976, 0.910, 0.733),
    "fr": (0.995, 0.994, 0.994, 0.990, 0.897, 0.903),
    "de": (0.963, 0.977, 0.977, 0.952, 0.798, 0.762),
    "sv": (0.977, 0.983, 0.983, 0.983, 0.866, 0.873),
}
CLASSIFIERS: Final = ("MLP", "LR", "IBk", "J48", "RF", "NB", "SVM/NP", "SVM/P", "SVM/PUK", "SVM/RBF")
# Table 5: weighted F1.
WEIGHTED_F1: Final = {
    "en": (0.97, 0.96, 0.97, 0.97, 0.98, 0.92, 0.97, 0.96, 0.98, 0.96),
    "fr": (0.96, 0.95, 0.97, 0.96, 0.97, 0.91, 0.95, 0.95, 0.97, 0.94),
    "de": (0.94, 0.90, 0.95, 0.94, 0.96, 0.84, 0.92, 0.90, 0.96, 0.89),
    "sv": (0.96, 0.95, 0.97, 0.96, 0.97, 0.90, 0.95, 0.95, 0.97, 0.94),
}
# Its marks: better (+) or worse (-) than the MLP in the corrected t-test.
MARKS: Final = {
    "en": " - -+---+-",
    "fr": " -+  ---+-",
    "de": " -  +---+-",
    "sv": " -  +--- -",
}
# Section 3.5: milliseconds of one CPU per document, for the boilerplate detector.
MILLISECONDS: Final = 3.15
# Table 6: seconds of CPU.
SECONDS: Final = {
    "en": (0.01, 0.00, 1.34, 0.00, 0.03, 0.01, 0.80, 0.00, 0.84, 0.92),
    "fr": (0.01, 0.00, 3.05, 0.00, 0.08, 0.02, 0.68, 0.00, 0.75, 0.65),
    "de": (0.01, 0.00, 0.66, 0.00, 0.03, 0.01, 0.99, 0.00, 0.99, 0.72),
    "sv": (0.01, 0.00, 2.74, 0.00, 0.07, 0.02, 0.69, 0.00, 0.36, 0.45),
}


def corrected(language: str) -> tuple[float, ...]:
    """Return a row of table 4 with the values that follow from its precision and recall instead of the printed ones.

    In three languages the paper's F1 repeats its recall, and so does "correct" in Swedish; the reduction of error
    follows from that.

    >>> [round(value, 3) for value in corrected("sv")]
    [0.977, 0.983, 0.98, 0.965, 0.866, 0.74]
    """
    precision, recall, _, correct, baseline, reduced = AT_HALF[language]
    f1 = 2 * precision * recall / (precision + recall)
    if language == "sv":
        right, wrong, _ = COUNTS[language]
        missed, kept = (1 - recall) * right, recall * right
        correct = 1 - (missed + kept * (1 / precision - 1)) / (right + wrong)
        baseline = right / (right + wrong)
        reduced = (correct - baseline) / (1 - baseline)
    return precision, recall, f1, correct, baseline, reduced
