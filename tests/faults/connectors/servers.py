"""Servers: the broker and the database of runs with connectors, which are started when they are needed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from tests.faults.disks import Disk, mounted
from tests.servers.kafka import Broker
from tests.servers.postgresql import PostgresqlServer
from tests.servers.process import ServerProcess

__all__ = ["Servers"]

_DISK_MEGABYTES = 96
_SETTINGS = {
    "transaction_abort_timed_out_transaction_cleanup_interval_ms": "300",
    "broker_heartbeat_interval_ms": "500",
    "broker_session_timeout_ms": "2000",  # a broker that was killed cannot come back before
}


class Servers:
    """The servers that runs share, one run at a time; within a ``with`` block."""

    def __init__(self) -> None:
        self._broker: Broker | None = None
        self._database: PostgresqlServer | None = None
        self._directory = Path(tempfile.mkdtemp(prefix="faults-servers-"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for server in (self._broker, self._database):
            if server is not None:
                server.__exit__(*error)
        shutil.rmtree(self._directory, ignore_errors=True)

    @property
    def database(self) -> PostgresqlServer:
        """The database, which is running.

        Raises:
            MissingProgramError: it is not installed.
        """
        if self._database is None:
            self._database = PostgresqlServer()
        _ensure_running(self._database.process)
        return self._database

    @contextmanager
    def broker(self, *, is_small: bool = False) -> Iterator[tuple[Broker, Disk | None]]:
        """Yield a running broker, and its disk if it has a small one of its own.

        Args:
            is_small: whether it is to have that; then it ends with the block.

        Raises:
            MissingProgramError: it is not installed.
        """
        if is_small:
            with ExitStack() as stack:
                directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-broker-")))
                disk = stack.enter_context(mounted(directory / "data", _DISK_MEGABYTES))
                yield stack.enter_context(Broker(directory, **_SETTINGS)), disk
            return
        if self._broker is None:
            self._broker = Broker(self._directory, **_SETTINGS)
        _ensure_running(self._broker.process)
        yield self._broker, None


def _ensure_running(process: ServerProcess) -> None:
    if not process.is_running:
        process.start()
