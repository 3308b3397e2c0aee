"""A program in a session of its own, so that it can be killed with all its processes, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.short_lived_java import SHORT_LIVED_JAVA

__all__ = ["Program"]

_ROOT = Path(__file__).parents[2]
_SECONDS_TO_END = 10.0


class Program:
    """A running ``pystream run``.

    Args:
        arguments: the arguments after ``run``.
        environment: variables to add to the environment.
        log: file for what it prints.
        seconds: time after which it is killed.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], log: Path, seconds: float
    ) -> None:
        self._log = log
        self._until = time.monotonic() + seconds
        self.is_late = False
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        with log.open("w") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pystream", "run", *arguments],
                cwd=_ROOT,
                env=os.environ | SHORT_LIVED_JAVA | {"PYTHONPATH": os.pathsep.join(paths), **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def poll(self) -> int | None:
        """Return the exit code, ``None`` while it runs; kill it if its time is over."""
        code = self._process.poll()
        if code is None and time.monotonic() > self._until:
            self.is_late = True
            self.kill()
            code = self._process.returncode
        return code

    def kill(self) -> None:
        """Kill all processes of the session at once, and wait until they have ended."""
        until = time.monotonic() + _SECONDS_TO_END
        while members := _members(self._process.pid):
            for each in members:
                _signal(each, signal.SIGKILL)
            self._process.poll()
            if time.monotonic() > until:
                raise RuntimeError(f"processes {members} do not end")
            time.sleep(0.01)
        self._process.wait()

    def resume(self) -> None:
        """Let those of its processes continue that have paused."""
        for each in _members(self._process.pid):
            _signal(each, signal.SIGCONT)

    def output(self) -> str:
        """Return what it has printed and, as a shell would print it, the signal that ended it."""
        printed, code = self._log.read_text(errors="replace"), self._process.returncode
        return printed if code is None or code >= 0 else f"{printed}{signal.Signals(-code).name}\n"


def _members(session: int) -> list[int]:
    """Return the ids of the processes of a session that have not ended."""
    found = []
    for directory in Path("/proc").iterdir():
        if directory.name.isdecimal():
            try:
                fields = (directory / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(directory.name))
    return found


def _signal(process: int, number: signal.Signals) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return
