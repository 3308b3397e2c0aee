"""DatabaseServer: a database server with its data in a temporary directory."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Self

from tests.servers.process import ServerProcess

__all__ = ["DatabaseServer"]


class DatabaseServer(ABC):
    """A server with its data in a temporary directory, on a port of loopback that stays the same.

    Attributes:
        process: its process.
        directory: the temporary directory, removed at the end.
        unavailable: the error of the client while it does not answer.
    """

    process: ServerProcess
    directory: Path
    unavailable: type[Exception]

    @abstractmethod
    def connect(self) -> Any:
        """Open a connection that commits each statement."""

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def answers(self) -> bool:
        """Return whether it takes connections."""
        try:
            self.connect().close()
        except self.unavailable:
            return False
        return True
