"""The folder in which programs of this user keep what can be made again."""

import os
import sys
from pathlib import Path


def user_cache() -> Path:
    """Return dehusk's own folder there; it need not exist."""
    shared = os.environ.get("XDG_CACHE_HOME")  # on every system, for those who choose
    if not shared and sys.platform == "win32":
        shared = os.environ.get("LOCALAPPDATA")
    return Path(shared or Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser(), "dehusk")
