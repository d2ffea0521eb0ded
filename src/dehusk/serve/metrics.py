"""Metrics: counts in the text format of Prometheus."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """What has been asked and answered since the start.

    >>> metrics = Metrics()
    >>> metrics.count("/v1/extract", 200, 0.02)
    >>> 'dehusk_requests_total{route="/v1/extract",status="200"} 1' in metrics.render({"dehusk_workers": 2})
    True
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._totals: Counter[str] = Counter()

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests[route, status] += 1
        self._seconds.setdefault(route, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
        self._totals[route] += seconds  # type: ignore[assignment]

    def render(self, gauges: Mapping[str, float]) -> str:
        """Return all counts, and the values of this moment."""
        return "\n".join([*self._counts(), *self._histogram(), *_gauges(gauges), ""])

    def _counts(self) -> Iterator[str]:
        yield "# HELP dehusk_requests_total Requests answered."
        yield "# TYPE dehusk_requests_total counter"
        for (route, status), count in sorted(self._requests.items()):
            yield f'dehusk_requests_total{{route="{route}",status="{status}"}} {count}'

    def _histogram(self) -> Iterator[str]:
        name = "dehusk_request_seconds"
        yield f"# HELP {name} Seconds from the first byte of a request to the last of its answer."
        yield f"# TYPE {name} histogram"
        for route, counts in sorted(self._seconds.items()):
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), counts, strict=True):
                total += count
                yield f'{name}_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'{name}_sum{{route="{route}"}} {self._totals[route]:.6f}'
            yield f'{name}_count{{route="{route}"}} {total}'


def _gauges(gauges: Mapping[str, float]) -> Iterator[str]:
    for name, value in gauges.items():
        yield f"# TYPE {name} gauge"
        yield f"{name} {value:g}"
