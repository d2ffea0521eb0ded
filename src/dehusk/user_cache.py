"""The folder in which programs of this user keep what can be made again."""

import os
import sys
from pathlib import Path


def user_cache() -> Path:
    """Return dehusk's own folder there; it need not exist."""
    return _shared() / "dehusk"


def _shared() -> Path:
    if chosen := os.environ.get("XDG_CACHE_HOME"):  # on every system, for those who choose
        return Path(chosen)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    return Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser()
