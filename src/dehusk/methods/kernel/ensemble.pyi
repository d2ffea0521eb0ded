# The types of ensemble.pyx, for type checkers.
from collections.abc import Sequence

from dehusk.features import Floats
from dehusk.methods.kernel.decision import Tuning
from dehusk.methods.kernel.fast_scoring import Doubles
from dehusk.methods.kernel.features import PageFeatures
from dehusk.methods.kernel.network import KernelNetwork

class Ensemble:
    def __init__(self, networks: Sequence[KernelNetwork], tokens: int, tuning: Tuning) -> None: ...
    def run(self, features: PageFeatures) -> tuple[Doubles, Floats]: ...
