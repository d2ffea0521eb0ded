"""Serve the site while it is written: MkDocs watches the gathered pages, and this program their sources."""

import subprocess
import sys
import time
from pathlib import Path

from docs.site.assemble import ROOT, assemble

PAUSE = 0.5  # seconds between two looks


def main() -> None:
    """Run MkDocs, and gather the pages whenever one was edited; generated references follow the next start."""
    folder = Path("build/docs")
    server = subprocess.Popen([sys.executable, "-m", "mkdocs", "serve"], cwd=ROOT)
    try:
        while server.poll() is None:
            assemble(ROOT / folder)
            time.sleep(PAUSE)
    except KeyboardInterrupt:
        server.terminate()


if __name__ == "__main__":
    main()
