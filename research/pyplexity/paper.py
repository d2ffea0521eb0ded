"""What PyPlexity's paper has in its tables."""

from typing import Final

CUTOFFS: Final = (1000, 2000, 4000, 6000, 8000, 10000, 12000, 14000)
# Table 2: gigabytes of the index of ClueWeb12-B13 after each cut-off; 382 without any.
BASELINE_GIGABYTES: Final = 382
GIGABYTES: Final = {
    ("science", 2): (51, 61, 72, 78, 82, 85, 88, 90),
    ("general", 2): (60, 69, 78, 89, 93, 96, 99, 101),
    ("science", 3): (43, 55, 66, 72, 77, 80, 83, 86),
    ("general", 3): (52, 63, 72, 77, 81, 84, 87, 89),
}
# Table 7: mean similarity on CleanEval, per cent.
JUSTEXT: Final = 76.20
SIMILARITY: Final = {8000: 79.76, 10000: 79.80}
# Tables 4 and 5: 45 minutes on 300 cores for 50 million pages, and 0.65 kg of CO2, for each of the two steps.
CPU_HOURS: Final = 0.75 * 300
KILOGRAMS: Final = 0.65
PAGES: Final = 50_000_000
CARBON: Final = 0.341  # kg of CO2 a kWh, as the paper has it
WATTS: Final = 8.5  # a core of the paper's processors: 85 W, ten cores


def carbon(cpu_hours: float) -> float:
    """Return kg of CO2 by the paper's equation 9.

    >>> round(carbon(CPU_HOURS), 2)
    0.65
    """
    return cpu_hours * CARBON * WATTS / 1000
