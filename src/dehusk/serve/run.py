"""Running the service: from binding its address to the last answer after Ctrl-C or SIGTERM."""

import signal
from collections.abc import Callable
from contextlib import suppress
from socket import socket

import uvicorn

from dehusk.serve.app import application
from dehusk.serve.settings import ServerSettings


def run(settings: ServerSettings, host: str, port: int, started: Callable[[str], None]) -> bool:
    """Serve until a signal comes; call `started` with the address, and return whether it could start."""
    config = uvicorn.Config(
        application(settings),
        host=host,
        port=port,
        access_log=False,  # metrics count requests, and the addresses of clients are nobody's business
        log_level="error",
        server_header=False,
        date_header=False,
        timeout_keep_alive=75,  # longer than proxies keep theirs, so that it is not us who close
        timeout_graceful_shutdown=int(settings.limits.seconds) + 1,  # a second more than a page may take
    )
    server = _Server(config, started)
    # uvicorn repeats the signal that stopped it: to stop is what was asked for, not a failure.
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with suppress(KeyboardInterrupt, SystemExit):  # the latter after it said why it cannot listen
            server.run()
    finally:
        signal.signal(signal.SIGTERM, before)
    return server.started


class _Server(uvicorn.Server):
    """A server that says where it is once it can be reached."""

    def __init__(self, config: uvicorn.Config, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._say = started

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Bind the address."""
        await super().startup(sockets)
        if self.started:
            host, port, *_ = self.servers[0].sockets[0].getsockname()
            self._say(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")
