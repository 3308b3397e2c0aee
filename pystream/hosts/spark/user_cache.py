"""A directory of this user where things that are dear to make outlive the process."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

__all__ = ["user_cache"]


def user_cache() -> Path:
    """Return the directory, made if need be: the platform's cache directory, else a private temporary one."""
    preferred = _platform_cache() / "pystream"
    try:
        preferred.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _private_temporary()
    return preferred if os.access(preferred, os.W_OK | os.X_OK) else _private_temporary()


def _platform_cache() -> Path:
    if configured := os.environ.get("XDG_CACHE_HOME"):
        return Path(configured)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path.home() / ".cache"


def _private_temporary() -> Path:
    # Java code is run from here, so a directory that another user made under a guessed name will not do.
    directory = Path(tempfile.gettempdir(), f"pystream-cache-{os.getuid()}")
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="pystream-cache-"))
    return directory
