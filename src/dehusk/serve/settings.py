"""Settings: what the command line says about a service."""

from dataclasses import dataclass, field

from dehusk.config import Limits


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a service runs, and what it allows."""

    jobs: int | None = None  # worker processes; by default one per core
    waiting: int = 500  # pages that may wait for one
    limits: Limits = field(default_factory=Limits)
    fetch: bool = False
    fetches: int = 16  # at the same time
    key: str = ""  # which clients must send; "" if anyone may ask
    origins: tuple[str, ...] = ()  # of pages on other sites that may ask
    held: int = 500_000_000  # bytes of all pages that are received or wait
    client_seconds: float = 60.0  # for a client to send its page, or to take a piece of the answer
