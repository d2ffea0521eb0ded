"""dehusk serve: an HTTP service, and a page to play with."""

import os
from pathlib import Path
from typing import Annotated, Final

import click

from dehusk.cli.commands import Option
from dehusk.cli.options import Jobs, Silent
from dehusk.cli.terminal import print_message
from dehusk.config import Limits
from dehusk.errors import UsageError

KEY: Final = "DEHUSK_API_KEY"
DEFAULTS: Final = Limits()

Fetch = Annotated[bool, Option("--fetch", help="Also fetch pages by their URL, from public addresses only")]
MaxBytes = Annotated[int, Option("--max-bytes", min=1, metavar="N", help="Refuse larger pages")]
Seconds = Annotated[float, Option("--seconds", min=0.1, metavar="S", help="Time that a page may take")]
Memory = Annotated[int, Option("--memory", min=1, metavar="BYTES", help="Memory that a worker process may take")]


def serve(
    host: Annotated[str, Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 for all")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, metavar="N", help="Port to listen on; 0 for any free one")] = 8090,
    fetch: Fetch = False,
    jobs: Jobs = None,
    queue: Annotated[int, Option(min=0, metavar="N", help="Pages that may wait for a worker process")] = 500,
    max_bytes: MaxBytes = DEFAULTS.bytes,
    seconds: Seconds = DEFAULTS.seconds,
    memory: Memory = DEFAULTS.memory,
    max_held: Annotated[
        int, Option(min=1, metavar="N", help="Bytes of all pages that are being received or waiting")
    ] = 500_000_000,
    client_seconds: Annotated[
        float, Option(min=0.1, metavar="S", help="Time for a client to send a page, or take lines of a batch")
    ] = 60.0,
    key_file: Annotated[
        Path | None,
        Option(metavar="FILE", help=f"Require the key in this file, or else that in the variable {KEY}, if set"),
    ] = None,
    cors: Annotated[
        list[str] | None,
        Option(metavar="ORIGIN", help="Let pages of this origin use the service; may be repeated  [default: none]"),
    ] = None,
    quiet: Silent = False,
) -> None:
    """Serve HTTP: an API for other programs, and a page to play with.

    \b
      dehusk serve
      curl --data-binary @page.html 'http://127.0.0.1:8090/v1/extract?format=markdown'

    Ctrl-C or SIGTERM stops it once the pages in progress are done.

    Exit status: 0 it was stopped, 1 it could not start, 2 wrong usage.
    """
    from dehusk.extras import require

    require("the service", "fastapi", "uvicorn")
    from dehusk.serve.settings import ServerSettings

    limits = Limits(bytes=max_bytes, seconds=seconds, memory=memory)
    settings = ServerSettings(
        jobs, queue, limits, fetch, key=_key(key_file), origins=tuple(cors or ()), held=max_held,
        client_seconds=client_seconds,
    )  # fmt: skip
    from dehusk.serve.offered import PROBLEMS
    from dehusk.serve.run import run

    for problem in PROBLEMS:
        print_message(problem)

    def started(address: str) -> None:
        if not quiet:
            print_message(f"serving {address} (Ctrl-C stops it)")

    if not run(settings, host, port, started):
        raise click.exceptions.Exit(1)


def _key(path: Path | None) -> str:
    """Return the key that clients must send; never an option itself, which other users of the machine could read."""
    if path is None:
        return os.environ.get(KEY, "").strip()
    try:
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--key-file: {path} cannot be read: {error}", setting="key_file") from error
    if not key:
        raise UsageError(f"--key-file: {path} is empty; expected a key", setting="key_file")
    return key
