"""A running `dehusk serve` for tests, and a client for it."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dehusk.processes import descendants

ROOT = Path(__file__).parents[1]
PLANTED = "testing.planted_service"  # whose workers certain words make hang, die or swell
SERVING = re.compile(r"serving (http://\S+?)/? ")


class Reply(NamedTuple):
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Server(NamedTuple):
    """A server that runs."""

    address: str
    process: "subprocess.Popen[str]"
    log: list[str]

    def ask(self, path: str, body: bytes | str | None = None, method: str = "", **headers: str) -> Reply:
        """Send one request; an underscore in the name of a header is a dash."""
        place = urlsplit(self.address)
        connection = HTTPConnection(place.hostname or "", place.port, timeout=120)
        data = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method or ("GET" if body is None else "POST"), path, data, named)
            found = connection.getresponse()
            return Reply(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        finally:
            connection.close()

    def send(self, path: str, record: dict[str, Any], **headers: str) -> Reply:
        """Send JSON."""
        return self.ask(path, json.dumps(record), Content_Type="application/json", **headers)

    def metrics(self, **headers: str) -> dict[str, float]:
        """Return the value of each metric."""
        lines = self.ask("/metrics", **headers).text.splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines) if name[:1] != "#"}


@contextmanager
def server(*arguments: str, module: str = "dehusk", **variables: str) -> Iterator[Server]:
    """Run a server on a free port of this machine, and stop it as systemd would."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, "serve", "--port", "0", *arguments],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    assert process.stderr
    log: list[str] = []
    found = None
    for line in process.stderr:
        log.append(line)
        if found := SERVING.search(line):
            break
    assert found, f"the server did not start: {''.join(log)}"
    reader = threading.Thread(target=lambda: log.extend(process.stderr or ()))
    reader.start()
    try:
        yield Server(found[1], process, log)
    finally:
        process.terminate()
        process.wait()
        reader.join()
        process.stderr.close()


def workers(running: Server) -> list[int]:
    """Return the numbers of the server's worker processes."""
    return descendants(running.process.pid)[1:]
