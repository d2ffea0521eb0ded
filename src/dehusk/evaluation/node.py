"""Node: extractors written in JavaScript, in one process of Node that answers page by page.

The process runs `web/peers/extract.mjs` of the clone that dehusk was installed from; `make peers` installs what that
needs. It starts on first use, is killed if a page takes too long, starts again if it died, and ends with this process.
"""

import atexit
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from dehusk.child import CHUNK, Child, EndedError
from dehusk.reasons import Code

SECONDS: Final = 60.0  # for a page; less than a worker of the evaluation may take for all of its systems
PROGRAM: Final = "extract.mjs"


class JsonChild(Child):
    """A child whose messages are lines of JSON."""

    has_clock = False
    encode = staticmethod(lambda message: json.dumps(message).encode() + b"\n")
    missing = staticmethod(lambda data: 0 if data.endswith(b"\n") else CHUNK)
    decode = staticmethod(json.loads)  # type: ignore[assignment] # it takes options, too


class Node:
    """A process of Node, and how much processor time its pages have taken."""

    def __init__(self, folder: Path | None) -> None:
        """Take the folder of the program and its packages, None if there is no clone."""
        self._folder = folder
        self._process: JsonChild | None = None
        self._versions: dict[str, str] = {}  # of the tools that the process has loaded
        self.cpu_seconds = 0.0

    @property
    def process_id(self) -> int | None:
        """The number of the process, None if there is none."""
        return self._process.pid if self._process else None

    def load(self, tool: str) -> str:
        """Load a tool by the name of its package and return its version; raise ImportError if that fails."""
        if tool not in self._versions:
            self._start()
            try:
                self._versions[tool] = self._ask({"load": tool})["version"]
            except (OSError, RuntimeError) as error:
                raise ImportError(f"{tool} does not load in Node ({error})") from error
        return self._versions[tool]

    def extract(self, tool: str, html: str, url: str | None) -> str:
        """Return the HTML that a tool considers the content of a page."""
        self.load(tool)
        return str(self._ask({"tool": tool, "html": html, "url": url})["html"])

    def close(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        self._versions.clear()
        if process:
            process.end()
        atexit.unregister(self.close)

    def _start(self) -> None:
        if self._process:
            return
        if self._folder is None:
            raise ImportError("dehusk was not installed from a clone")
        if (program := shutil.which("node")) is None:
            raise ImportError("Node is not installed")
        if not (self._folder / "node_modules").is_dir():
            raise ImportError("the packages of web/peers are not installed")
        self._process = JsonChild.start([program, PROGRAM], cwd=self._folder, stderr=subprocess.DEVNULL)
        atexit.register(self.close)

    def _ask(self, request: dict[str, str | None]) -> dict[str, Any]:
        """Return the answer to a request; raise TimeoutError, ChildProcessError if Node dies, or RuntimeError."""
        assert self._process is not None
        try:
            answer: dict[str, Any] = self._process.ask(request, SECONDS)
        except EndedError as ended:
            self.close()
            if ended.reason.code is Code.TOO_SLOW:
                self.cpu_seconds += SECONDS
                raise TimeoutError(str(ended)) from None
            raise ChildProcessError(f"Node died (exit status {ended.reason.seen})") from None
        self.cpu_seconds += answer.get("cpu", 0) / 1e6
        if (error := answer.get("error")) is not None:
            raise RuntimeError(error)
        return answer
