"""Outages: takes servers away from a job, and brings them back."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from tests.faults.connectors.scenarios import Event
from tests.faults.disks import Disk
from tests.servers.process import ServerProcess

__all__ = ["Outages"]


class Outages:
    """The outages of a run; servers that ended by themselves are started again, too.

    Args:
        servers: the running servers by name.
        disk: the small disk of the broker, if it has one.
        control: directory for files with the process ids of the servers.
    """

    def __init__(self, servers: Mapping[str, ServerProcess], disk: Disk | None, control: Path) -> None:
        self._servers = servers
        self._disk = disk
        self._control = control
        self._until: dict[str, tuple[str, float]] = {}
        for name in servers:
            self._note(name)

    def begin(self, event: Event) -> None:
        """Kill or pause a server, or fill its disk."""
        how, name = event.action.split()
        server = self._servers[name]
        if not server.is_running or name in self._until:
            self.end()
        match how:
            case "kill":
                server.kill()
            case "pause":
                server.pause()
            case "fill":
                assert self._disk is not None
                self._disk.fill()
        self._until[name] = (how, time.monotonic() + event.seconds)

    def serve(self) -> list[str]:
        """Bring servers back whose time is over; return what happened."""
        happened = []
        for name, (_, until) in list(self._until.items()):
            if time.monotonic() >= until:
                happened += self._bring_back(name)
        for name, server in self._servers.items():
            if name not in self._until and not server.is_running:
                self._start(name)
                happened.append(f"{name} started again")
        return happened

    def end(self) -> list[str]:
        """Bring all servers back; return what happened."""
        happened = []
        for name in list(self._until):
            happened += self._bring_back(name)
        return happened + self.serve()

    def _bring_back(self, name: str) -> list[str]:
        how, _ = self._until.pop(name)
        server = self._servers[name]
        if how == "pause":
            server.resume()
            return [f"{name} continued"]
        had_ended = not server.is_running
        if how == "fill":
            assert self._disk is not None
            self._disk.free()
        if had_ended:
            self._start(name)
            return [f"{name} started again"]
        return [f"disk of {name} freed; it had not ended"] if how == "fill" else []

    def _start(self, name: str) -> None:
        self._servers[name].start()
        self._note(name)

    def _note(self, name: str) -> None:
        (self._control / f"{name}.pid").write_text(str(self._servers[name].pid))
