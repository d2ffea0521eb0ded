"""A worker of the page fuzzer in which certain words make a page hang, crash or eat memory."""

import os
import signal
import sys
import time
from typing import Any

from dehusk.formats import text
from fuzz import limits, worker

render = text.render


def planted(document: Any, **options: Any) -> str:
    words = document.page.text
    if "hangs" in words:
        while True:
            pass
    if "crashes" in words:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "hogs" in words:
        return "x" * (200_000_000 if "a little" in words else 10_000_000_000)
    if "slow" in words:
        until = time.process_time() + 1.5 * limits.seconds(0)
        while time.process_time() < until:
            pass
    if "raises" in words:
        raise KeyError(words)
    return render(document, **options)


if __name__ == "__main__":
    setattr(text, "render", planted)  # noqa: B010  (mypy)
    setattr(limits, "KILL_SECONDS", (6.0, 0.0))  # noqa: B010
    worker.main(sys.argv[1:])
