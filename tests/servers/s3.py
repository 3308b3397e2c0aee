"""A server with the interface of Amazon S3, from PyPI."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Self
from urllib.request import Request, urlopen

from tests.servers.process import MissingProgramError, ServerProcess, free_port

__all__ = ["S3"]

_TIMEOUT = 10  # seconds for a request


class S3:
    """A server that keeps objects in memory, on a port of the loopback interface.

    Args:
        directory: for its log.

    Raises:
        MissingProgramError: moto is not installed.
    """

    def __init__(self, directory: Path) -> None:
        if find_spec("moto") is None:
            raise MissingProgramError("the server of S3 is not installed: pip install 'moto[server]'")
        self._port = free_port()
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self._port)]
        self.process = ServerProcess(command, directory / "server.log", self._answers)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables by which clients find it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def create_bucket(self, name: str) -> None:
        """Create a bucket."""
        request = Request(f"http://127.0.0.1:{self._port}/{name}", method="PUT")
        with urlopen(request, timeout=_TIMEOUT):
            pass

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=1):
            return True
        return False
