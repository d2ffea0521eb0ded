"""Locks of files: held by the system until the file is closed or its process ends, however that happens."""

import errno
from typing import Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# What file systems say that have no locks, such as some of clusters.
WITHOUT_LOCKS: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL})


def try_lock(descriptor: int) -> bool | None:
    """Lock an open file; return whether it is ours now, or None if there are no locks.

    >>> import os, tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     other = os.open(file.name, os.O_RDWR)
    ...     try_lock(file.fileno()), try_lock(other)
    (True, False)
    >>> os.close(other)
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in WITHOUT_LOCKS:
            return None
        raise
    return True
