"""Settings that travel together: the limits that keep one hostile page from harming the others."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one page may cost before it is refused or cut off.

    >>> import dehusk
    >>> small = Limits(bytes=1_000_000, blocks=1)
    >>> str(dehusk.Extractor("alltext", limits=small).extract("<p>One<p>Two").reason)
    'cut off after 1 blocks'
    """

    bytes: int = 20_000_000
    # An ordinary 20 MB page has about 300,000 elements; hostile markup has millions and is cut off here, which bounds
    # the time of the walk: benchmarks/scaling.py.
    elements: int = 1_000_000
    blocks: int = 200_000
    # These two apply to processes that can be killed without harm: those of `extract_many` and of the command line.
    seconds: float = 30.0
    memory: int = 3_000_000_000
