"""A NameNode and a DataNode of HDFS in one process, from Maven Central."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.request import urlopen

from tests.servers.maven import class_path
from tests.servers.process import ServerProcess, free_port

__all__ = ["Hdfs"]

_COORDINATES = (
    "org.apache.hadoop:hadoop-client-minicluster:3.4.1",
    "org.apache.hadoop:hadoop-client-runtime:3.4.1",
    "javax.xml.bind:jaxb-api:2.3.1",  # which Java 17 lacks
)
_JAVA = ("java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
# Closing a file waits that long whenever the NameNode has not yet heard of its last block.
_FASTER = ("-D", "dfs.client.block.write.locateFollowingBlock.initial.delay.ms=5")
_MAIN = "org.apache.hadoop.test.MiniDFSClusterManager"


class Hdfs:
    """An empty file system with its data in a directory, on ports of the loopback interface.

    Args:
        directory: for its data and its log.

    Raises:
        MissingProgramError: Maven is not installed.
    """

    def __init__(self, directory: Path) -> None:
        self._port = free_port()
        java = [*_JAVA, f"-Dtest.build.data={directory}", "-cp", class_path(_COORDINATES), _MAIN]
        ports = ["-nnport", str(free_port()), "-httpport", str(self._port)]
        self.process = ServerProcess(
            [*java, "-format", "-datanodes", "1", *ports, *_FASTER], directory / "server.log", self._answers
        )

    @property
    def location(self) -> str:
        """The URI of the root directory."""
        return f"webhdfs://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def _answers(self) -> bool:
        """Return whether the NameNode answers, and has left its safe mode and found the DataNode."""
        state = f"http://127.0.0.1:{self._port}/jmx?qry=Hadoop:service=NameNode,name=FSNamesystem"
        with suppress(OSError), urlopen(state, timeout=5) as answer:
            return b'"NumLiveDataNodes" : 1' in answer.read()
        return False
