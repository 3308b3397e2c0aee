"""A schema registry with Confluent's REST interface: Apicurio Registry, from Maven Central."""

from __future__ import annotations

import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.servers.maven import unpack
from tests.servers.process import ServerProcess, free_port

__all__ = ["SchemaRegistry"]

_VERSION = "2.6.13.Final"  # the last that runs on Java 17
_ARTIFACT = f"io.apicurio:apicurio-registry-app:{_VERSION}:tar.gz:all"
_JAVA = ("java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


class SchemaRegistry:
    """A registry that keeps schemas in memory, on a port of the loopback interface.

    Args:
        directory: for its program and log.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._port = free_port()
        unpack(_ARTIFACT, directory)
        settings = ("-Dquarkus.http.host=127.0.0.1", f"-Dquarkus.http.port={self._port}")
        program = directory / f"apicurio-registry-app-{_VERSION}-runner.jar"
        command = [*_JAVA, *settings, "-jar", str(program)]
        self.process = ServerProcess(command, directory / "registry.log", self._answers)

    @property
    def url(self) -> str:
        """The URL for clients."""
        return f"http://127.0.0.1:{self._port}/apis/ccompat/v7"

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def _answers(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.url}/subjects", timeout=2) as answer:
            return bool(answer.status == 200)
        return False
