"""ServerProcess: a server that tests start, kill and start again."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["MissingProgramError", "ServerProcess", "free_port"]

_PATIENCE = 120  # seconds until a server must have started
_STOPPING = 30  # seconds until one that was asked to stop must have stopped


class MissingProgramError(Exception):
    """A program that a server needs is not installed; the message says how to install it."""


def free_port() -> int:
    """Return a port of the loopback interface that is free now, and that no outgoing connection is given."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


class ServerProcess:
    """A process in a process group of its own.

    Args:
        command: starts it in the foreground.
        log: the file for its output.
        is_ready: whether it answers.
        environment: additional variables.
        user: the name of the user to run it as; that of this process unless given.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        is_ready: Callable[[], bool],
        environment: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> None:
        self._command = command
        self._log = log
        self._is_ready = is_ready
        self._environment = {**os.environ, **(environment or {})}
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, and wait until it is ready.

        Raises:
            RuntimeError: it ended, or is not ready in time; the message has the end of its output.
        """
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self._environment,
                user=self._user,
                start_new_session=True,
            )
        end = time.monotonic() + _PATIENCE
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"{self._command[0]} did not start:\n{self._tail()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Ask it to end, and wait."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Stop it until `resume`: its connections stay open, and nothing answers."""
        os.killpg(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it continue."""
        os.killpg(self.pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        os.killpg(process.pid, how)
        try:
            process.wait(_STOPPING)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _tail(self) -> str:
        return self._log.read_text(errors="replace")[-3000:]
