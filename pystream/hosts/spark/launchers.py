"""Launchers: small scripts that start a program of Spark with changed arguments or output."""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
import tempfile
from pathlib import Path

__all__ = ["launcher", "quiet_interpreter", "user_cache"]

# Spark learns the schema of state from a process whose messages about its progress go to the terminal, and
# which it does not wait for long.
_QUIET_INTERPRETER = """\
#!/bin/sh
case $2 in
  pyspark.sql.streaming.transform_with_state_driver_worker)
    exec >/dev/null
    set -- -m pystream.hosts.spark.state_worker ;;
esac
exec {executable} "$@"
"""


def quiet_interpreter(executable: str) -> str:
    """Return a program that runs an interpreter; Spark's own processes start fast and print nothing.

    Args:
        executable: the interpreter, a path or the name of a program.
    """
    return str(launcher("python", _QUIET_INTERPRETER.format(executable=shlex.quote(executable))))


def launcher(name: str, script: str) -> Path:
    """Write a script to the user's cache directory, unless it exists, and return its path.

    Args:
        name: its name; it is in a directory ``bin`` of its own.
        script: its text.
    """
    home = user_cache() / name / hashlib.sha256(script.encode()).hexdigest()[:16]
    path = home / "bin" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{name}.{os.getpid()}")
        unfinished.write_text(script)
        unfinished.chmod(0o755)
        unfinished.replace(path)
    return path


def user_cache() -> Path:
    """Return the user's cache directory for files that Java starts from; create it if needed.

    It is in the cache directory of the platform, or a private temporary one if that is not writable."""
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
    # Programs run from here, so a directory created by another user is not trusted.
    directory = Path(tempfile.gettempdir(), f"pystream-cache-{os.getuid()}")
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="pystream-cache-"))
    return directory
